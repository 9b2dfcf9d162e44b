import { databaseNames } from "../../catalogue/names.ts";
import { joinPlans, type Plan, type PlannedObject } from "../../core/plan.ts";
import { type SecretRequest, secretName } from "../../core/secrets.ts";
import { podMonitor } from "../../kubernetes/monitoring.ts";
import { planSecrets } from "../../kubernetes/secrets.ts";
import { databaseOwner, pooledConnection } from "../connections.ts";
import type { DatabaseConnection } from "../connections-args.ts";
import type { DatabaseArgs } from "./args.ts";
import { objectStore, scheduledBackup } from "./backup.ts";
import { clusters } from "./cluster.ts";
import type { ResolvedDatabase } from "./defaults.ts";
import { databaseLabels } from "./labels.ts";
import { metricRules } from "./metric-rules.ts";
import { pooler, poolerBudget } from "./pooler.ts";
import { clusterName } from "./recovery.ts";

/** How applications reach a database of the cluster: always through its pooler. */
export function databaseConnection(
  args: Pick<DatabaseArgs, "name" | "namespace" | "database" | "platform">,
  database: string = args.database,
): DatabaseConnection {
  const credentials = secretName(args.platform.secrets, databaseNames(args.name).credentials);
  return pooledConnection(args.name, args.namespace, database, credentials);
}

/** All objects of a database: its owner's Secret, cluster, databases, pooler, backups and monitors. */
export function planDatabase(args: ResolvedDatabase): Plan {
  const cluster = clusterName(args);
  return joinPlans(
    planSecrets([ownerRequest(args)], args.platform.secrets),
    { objects: args.backup ? [{ object: objectStore(args, args.backup) }] : [] },
    { objects: clusters(args) },
    {
      objects: [
        // The operator refuses another cluster for a Pooler, so a recovery makes it anew under its name.
        { object: pooler(args, cluster), replaceOnChanges: ["spec.cluster.name"] },
        { object: poolerBudget(args, cluster), after: [`Pooler/${databaseNames(args.name).pooler}`] },
        ...(args.backup ? [{ object: scheduledBackup(args, cluster, args.backup) }] : []),
        ...monitors(args, cluster),
      ],
    },
  );
}

function ownerRequest({ name, namespace }: ResolvedDatabase): SecretRequest {
  return {
    name: databaseNames(name).credentials,
    namespace,
    type: "kubernetes.io/basic-auth",
    // Without this label the operator would not give the role a new password.
    labels: { "cnpg.io/reload": "true" },
    data: { username: { value: databaseOwner }, password: { password: 32 } },
  };
}

function monitors(args: ResolvedDatabase, cluster: string): PlannedObject[] {
  const { pooler: poolerName } = databaseNames(args.name);
  return [
    ...monitor(args, cluster, { "cnpg.io/cluster": cluster, "cnpg.io/podRole": "instance" }),
    ...monitor(args, poolerName, { "cnpg.io/poolerName": poolerName }),
    ...metricRules(args),
  ];
}

/** The port named `metrics` is the operator's: 9187 on instances, 9127 on poolers. */
function monitor(args: ResolvedDatabase, name: string, matchLabels: Record<string, string>): PlannedObject[] {
  const metadata = { name, namespace: args.namespace, labels: databaseLabels(args) };
  return podMonitor(metadata, matchLabels, { port: "metrics" }, args.platform);
}
