"""A database and a keystore for an application of your own."""

import hearth_platform_hearth as hearth
import pulumi

platform = hearth.StorePlatformArgsArgs(profile="development", monitoring=False)

database = hearth.Database(
    "database",
    name="orders-db",
    namespace="orders",
    database="orders",
    version="16",
    storage_size="10Gi",
    clients=[hearth.DatabaseClientArgsArgs(name="orders", connections=20)],
    platform=platform,
)
jobs = hearth.Keystore(
    "jobs",
    namespace="orders",
    version="8.1.9-alpine",
    platform=platform,
)

pulumi.export("databaseHost", database.connection.host)
pulumi.export("keystoreHost", jobs.connection.host)
