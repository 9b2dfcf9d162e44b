import { databaseImage } from "../../catalogue/images.ts";
import { databaseNames } from "../../catalogue/names.ts";
import type { PlannedObject } from "../../core/plan.ts";
import { mirrored, workloadSettings } from "../../core/platform.ts";
import { canonicalQuantity } from "../../core/quantities.ts";
import { secretName } from "../../core/secrets.ts";
import type { Cluster } from "../../kubernetes/custom-resources/cluster.ts";
import type { Database } from "../../kubernetes/custom-resources/database.ts";
import { resourceRequirements } from "../../kubernetes/resources.ts";
import { databaseOwner } from "../connections.ts";
import { barmanPlugin } from "./backup.ts";
import type { ResolvedDatabase } from "./defaults.ts";
import { databaseLabels, podLabels } from "./labels.ts";
import { archiveName, clusterName, recoveryInstant, recoverySource } from "./recovery.ts";
import { connectionSizes, memoryParameters } from "./sizing.ts";

type Bootstrap = Pick<Cluster["spec"], "bootstrap" | "externalClusters">;

/** The clusters with their databases: the present one, and beside it the one it was recovered from. */
export function clusters(args: ResolvedDatabase): PlannedObject[] {
  if (!args.recover) return clusterWithDatabases(args, args.name, initdb(args));
  const recovered = clusterWithDatabases(args, clusterName(args), recovery(args));
  if (!args.recover.keepSource) return recovered;
  const [source] = clusterWithDatabases(args, recoverySource(args), initdb(args));
  if (!source) return recovered;
  // What the source was once started from is its own affair; PostgreSQL reads it at the first start only. Its volumes stay of their class.
  const ignoreChanges = ["spec.bootstrap", "spec.externalClusters", "spec.storage.storageClass"];
  return [{ ...source, ignoreChanges }, ...recovered];
}

function clusterWithDatabases(args: ResolvedDatabase, name: string, bootstrap: Bootstrap): PlannedObject[] {
  const own = { name: args.database, extensions: args.extensions };
  return [
    { object: cluster(args, name, bootstrap), holdsData: true },
    // The first start gives the application's database its extensions; its Database object those that are added later.
    ...[...(args.extensions.length > 0 ? [own] : []), ...args.databases].map(
      ({ name: databaseName, extensions }): PlannedObject => ({
        object: database(args, name, databaseName, extensions),
      }),
    ),
  ];
}

function cluster(args: ResolvedDatabase, name: string, bootstrap: Bootstrap): Cluster {
  const { platform } = args;
  const { instances, resources } = args;
  const settings = workloadSettings(platform, args.name);
  const { maxConnections } = connectionSizes(args.clients, instances);
  const pullSecrets = platform.images?.pullSecrets ?? [];
  return {
    apiVersion: "postgresql.cnpg.io/v1",
    kind: "Cluster",
    metadata: {
      name,
      namespace: args.namespace,
      labels: databaseLabels(args),
      annotations: { "pulumi.com/waitFor": "condition=Ready", "pulumi.com/timeoutSeconds": "1800" },
    },
    spec: {
      instances,
      imageName: mirrored(databaseImage(Number(args.version)), platform.images),
      ...(pullSecrets.length > 0 && { imagePullSecrets: pullSecrets.map((secret) => ({ name: secret })) }),
      enableSuperuserAccess: false,
      // With one instance a disruption budget would keep its node from ever being drained.
      enablePDB: instances > 1,
      primaryUpdateStrategy: "unsupervised",
      primaryUpdateMethod: instances > 1 ? "switchover" : "restart",
      ...(settings.priorityClassName && { priorityClassName: settings.priorityClassName }),
      inheritedMetadata: {
        labels: podLabels(args, args.name),
        ...(Object.keys(settings.annotations ?? {}).length > 0 && { annotations: settings.annotations }),
      },
      affinity: {
        enablePodAntiAffinity: true,
        podAntiAffinityType: "preferred",
        topologyKey: "kubernetes.io/hostname",
        ...(settings.nodeSelector && { nodeSelector: settings.nodeSelector }),
        ...(settings.tolerations?.length && { tolerations: settings.tolerations }),
      },
      resources: resourceRequirements(resources),
      storage: {
        size: canonicalQuantity(args.storageSize),
        storageClass: args.storageClass,
        resizeInUseVolumes: true,
      },
      postgresql: {
        parameters: {
          max_connections: String(maxConnections),
          ...memoryParameters(resources, maxConnections),
        },
        // A commit waits for the standby while there is one: a failover then loses nothing.
        ...(instances > 1 && { synchronous: { method: "any", number: 1, dataDurability: "preferred" } }),
      },
      ...(args.backup && {
        plugins: [
          {
            name: barmanPlugin,
            isWALArchiver: true,
            parameters: { barmanObjectName: databaseNames(args.name).backup, serverName: archiveName(name, args) },
          },
        ],
      }),
      ...bootstrap,
    },
  };
}

function ownerSecret({ name, platform }: ResolvedDatabase) {
  return { name: secretName(platform.secrets, databaseNames(name).credentials) };
}

function initdb(args: ResolvedDatabase): Bootstrap {
  return {
    bootstrap: {
      initdb: {
        database: args.database,
        owner: databaseOwner,
        secret: ownerSecret(args),
        encoding: "UTF8",
        // Sorts by code point: the same with every version of the operating system, unlike other locales.
        localeCollate: "C.UTF-8",
        localeCType: "C.UTF-8",
        dataChecksums: true,
        ...(args.extensions.length > 0 && {
          postInitApplicationSQL: args.extensions.map((extension) => `CREATE EXTENSION IF NOT EXISTS "${extension}"`),
        }),
      },
    },
  };
}

function recovery(args: ResolvedDatabase): Bootstrap {
  const source = recoverySource(args);
  const targetTime = recoveryInstant(args.recover?.targetTime ?? "");
  return {
    bootstrap: {
      recovery: {
        source,
        database: args.database,
        owner: databaseOwner,
        secret: ownerSecret(args),
        ...(targetTime && { recoveryTarget: { targetTime } }),
      },
    },
    externalClusters: [
      {
        name: source,
        plugin: {
          name: barmanPlugin,
          parameters: { barmanObjectName: databaseNames(args.name).backup, serverName: archiveName(source, args) },
        },
      },
    ],
  };
}

function database(args: ResolvedDatabase, clusterOf: string, name: string, extensions: readonly string[]): Database {
  return {
    apiVersion: "postgresql.cnpg.io/v1",
    kind: "Database",
    metadata: {
      name: `${clusterOf}-${name.replaceAll("_", "-")}`,
      namespace: args.namespace,
      labels: databaseLabels(args),
      annotations: { "pulumi.com/waitFor": "jsonpath={.status.applied}=true" },
    },
    spec: {
      name,
      owner: databaseOwner,
      cluster: { name: clusterOf },
      databaseReclaimPolicy: "retain",
      ...(extensions.length > 0 && {
        extensions: extensions.map((extension) => ({ name: extension, ensure: "present" as const })),
      }),
    },
  };
}
