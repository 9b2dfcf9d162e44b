import type { EnvVar } from "kubernetes-types/core/v1.d.ts";
import { keystoreDatabases } from "../../catalogue/keystore-databases.ts";
import { serviceHost } from "../../catalogue/names.ts";
import { ports } from "../../catalogue/ports.ts";
import { programs } from "../../catalogue/releases.ts";
import type { PlannedObject } from "../../core/plan.ts";
import type { PlatformArgs } from "../../core/platform-args.ts";
import { error, type Problem } from "../../core/problems.ts";
import { as, block, defaultsTo, flag, optional, text } from "../../core/schema.ts";
import type { ExposureRule } from "../../exposure/exposure.ts";
import { podMonitor } from "../../kubernetes/monitoring.ts";
import { fromSecret, podTemplate, selectorLabels } from "../../kubernetes/pod.ts";
import { resourceRequirements } from "../../kubernetes/resources.ts";
import { resources } from "../../kubernetes/resources-schema.ts";
import { deployment, service } from "../../kubernetes/workload.ts";
import { environmentNames } from "../environment-names.ts";
import { partOf, suiteMetadata } from "../metadata.ts";
import type { ResolvedSuite } from "../schema.ts";
import { storeSecrets, suiteDatabaseConnection, suiteKeystoreConnection } from "../stores.ts";
import { suiteNames } from "../suite-names.ts";
import { partVersion } from "../value-rules.ts";
import { suiteApp } from "./app.ts";
import { serverProbes } from "./single-server.ts";

const name = suiteNames.push;
/** Nextcloud's app, which tells the server what changes. */
export const pushApp = "notify_push";
const repository = "ghcr.io/nextcloud/notify_push";
/** The server answers below it and without it. (nextcloud/notify_push src/lib.rs) */
const path = "/push";

/** `nobody`: the image names no user, and its one program needs none. */
const user = 65534;

const cloudSuitePush = block(
  "CloudSuitePushArgs",
  "Push: clients hear of changes at once, instead of asking every half minute. Of Nextcloud's `notify_push`, the app and its server.",
  {
    enabled: flag("Whether clients are told. Before you remove the block, set it to `false`, so that they ask again."),
    version: defaultsTo(
      text("Tag of the server's image. Its first two numbers are those of the app.", {
        rule: partVersion,
        examples: [programs.notifyPush.deployed],
      }),
      programs.notifyPush.deployed,
    ),
    resources: resources("Resources of the server's pod.", "50m", "64Mi", "500m", "256Mi"),
  },
);

export const pushArguments = optional(
  as(cloudSuitePush, "Push of changes to clients."),
  "none: clients ask every half minute",
);

/** News for clients by WebSocket, below a path of the suite's host. */
export const push = suiteApp({
  key: "push",
  title: "the push server",
  schema: pushArguments,
  server: { workload: name, repositories: [repository], version: ["push", "version"] },
  nextcloudApps: [pushApp],
  // Somebody may have set it up by hand.
  staysOn: true,
  switch: "PUSH",
  parts: (args, own) => ({
    objects: server(args, own),
    secrets: [],
    rules: [news],
    settings: { [pushApp]: { base_endpoint: `https://${args.domain}${path}` } },
    usesStores: true,
    edges: [
      { from: "ingress", to: name, ports: [ports.push], reason: "Clients wait for news." },
      {
        from: name,
        to: suiteNames.web,
        ports: [ports.cloudsuite],
        reason: "Who a client is, by its password or token.",
      },
      ...(args.platform.monitoring
        ? [{ from: "prometheus", to: name, ports: [ports.pushMetrics], reason: "Metrics." }]
        : []),
    ],
  }),
});

const news: ExposureRule = {
  paths: [{ tree: path }],
  service: name,
  port: ports.push,
  strictTransport: suiteNames.strictTransport,
};

/**
 * All by environment: its parser of Nextcloud's files takes no `getenv()`, which is how passwords get into ours. (nextcloud/notify_push
 * src/config.rs)
 */
function environment(args: ResolvedSuite): EnvVar[] {
  const { host, port, user, database, password } = suiteDatabaseConnection(args);
  const keystore = suiteKeystoreConnection(args);
  const asked = keystore.password ? `:$(${environmentNames.keystorePassword})@` : "";
  return [
    {
      name: "DATABASE_URL",
      value: `postgres://${encodeURIComponent(user)}@${host}:${port}/${encodeURIComponent(database)}`,
    },
    // Read where the URL has none, whatever is in it. (launchbadge/sqlx sqlx-postgres/src/options)
    fromSecret("PGPASSWORD", password),
    ...(keystore.password ? [fromSecret(environmentNames.keystorePassword, keystore.password)] : []),
    { name: "REDIS_URL", value: `redis://${asked}${keystore.host}:${keystore.port}/${keystoreDatabases.cloudsuite}` },
    // Not by the public host: no proxy, no certificate and no way out of the cluster and back.
    { name: "NEXTCLOUD_URL", value: `http://${serviceHost(suiteNames.web, args.namespace)}:${ports.cloudsuite}` },
    { name: "PORT", value: String(ports.push) },
    { name: "METRICS_PORT", value: String(ports.pushMetrics) },
  ];
}

/** The server and its Service. It keeps nothing, and two of them at once each tell their own clients all. */
function server(args: ResolvedSuite, { version, resources }: NonNullable<ResolvedSuite["push"]>): PlannedObject[] {
  const template = podTemplate(
    {
      name,
      partOf,
      user,
      group: user,
      secrets: storeSecrets(args),
      containers: [
        {
          name,
          image: `${repository}:${version}`,
          env: environment(args),
          ports: [
            { name: "http", containerPort: ports.push, protocol: "TCP" },
            { name: "metrics", containerPort: ports.pushMetrics, protocol: "TCP" },
          ],
          resources: resourceRequirements(resources),
          // To anything but a client its own port answers with an error.
          ...serverProbes({ httpGet: { path: "/metrics", port: "metrics" } }),
        },
      ],
    },
    args.platform,
  );
  const metadata = suiteMetadata(args, name);
  return [
    { object: deployment({ metadata, replicas: 1, template }), after: [`Deployment/${suiteNames.web}`] },
    { object: service(metadata, { http: ports.push }) },
    ...podMonitor(metadata, selectorLabels(name), { port: "metrics" }, args.platform),
  ];
}

/**
 * The server says for whom it asks, as a proxy does, so Nextcloud has to trust the address of its pod. Without, all clients would be one
 * to its guard against guessed passwords.
 * @param at path of the argument that has push
 */
export function pushProxyProblems(
  at: string,
  push: { readonly enabled: boolean } | undefined,
  {
    ingress,
    clusterNetworks,
  }: { readonly ingress?: Partial<PlatformArgs["ingress"]>; readonly clusterNetworks?: readonly string[] },
): Problem[] {
  if (!push?.enabled || ingress?.trustedProxies === undefined || clusterNetworks?.length) return [];
  return [
    error(
      "push-proxies",
      at,
      "Nextcloud has to trust the push server as a proxy, but `platform.ingress.trustedProxies` names others, and nothing says which addresses pods have.",
      "Name the ranges of the cluster's pods and Services in `platform.clusterNetworks`; `./hearth doctor` finds them.",
    ),
  ];
}
