// A database and a keystore for an application of your own.
package main

import (
	"hearth.local/sdk/go/hearth"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(stores)
}

func stores(ctx *pulumi.Context) error {
	platform := hearth.StorePlatformArgsArgs{
		Profile:    hearth.ProfileDevelopment,
		Monitoring: pulumi.BoolRef(false),
	}
	database, err := hearth.NewDatabase(ctx, "database", &hearth.DatabaseArgs{
		Name:        "orders-db",
		Namespace:   "orders",
		Database:    "orders",
		Version:     pulumi.StringRef("16"),
		StorageSize: pulumi.StringRef("10Gi"),
		Clients:     []hearth.DatabaseClientArgsArgs{{Name: "orders", Connections: 20}},
		Platform:    platform,
	})
	if err != nil {
		return err
	}
	jobs, err := hearth.NewKeystore(ctx, "jobs", &hearth.KeystoreArgs{
		Namespace: "orders",
		Version:   "8.1.9-alpine",
		Platform:  platform,
	})
	if err != nil {
		return err
	}
	ctx.Export("databaseHost", database.Connection.Host())
	ctx.Export("keystoreHost", jobs.Connection.Host())
	return nil
}
