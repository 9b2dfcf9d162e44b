import { planOf } from "../core/component.ts";
import type { Cluster } from "../kubernetes/custom-resources/cluster.ts";
import type { DatabaseArgs } from "../stores/database/args.ts";
import { barmanPlugin } from "../stores/database/backup.ts";
import { databaseComponent } from "../stores/database/component.ts";
import { clusterName } from "../stores/database/recovery.ts";
import { drillMetadata, drillNames } from "./drill-names.ts";

/** The running cluster, as the database's own component makes it. @throws Error where that makes none */
export function runningCluster(database: DatabaseArgs): Cluster {
  const { objects } = planOf({ component: databaseComponent, args: database });
  const found = objects.find(
    ({ object }) => object.kind === "Cluster" && object.metadata.name === clusterName(database),
  );
  if (!found) throw new Error(`The plan of database ${database.name} has no cluster.`);
  return found.object as Cluster;
}

/**
 * The cluster of a drill: one instance with the running one's image, size and parameters, recovered from its archive. Without
 * `plugins` it can't write into any archive, and nobody connects to it but the drill.
 */
export function drillCluster(running: Cluster, database: DatabaseArgs): Cluster {
  const { spec } = running;
  const { instances, enablePDB, plugins = [], bootstrap, externalClusters, postgresql, ...kept } = spec;
  const [archive] = plugins;
  const owned = bootstrap?.recovery ?? bootstrap?.initdb;
  const { synchronous, ...server } = postgresql ?? {};
  const source = String(running.metadata?.name);
  return {
    apiVersion: running.apiVersion,
    kind: running.kind,
    metadata: drillMetadata(
      { namespace: database.namespace, database, platform: database.platform },
      drillNames(database.name).drill,
    ),
    spec: {
      ...kept,
      instances: 1,
      enablePDB: false,
      postgresql: server,
      bootstrap: {
        recovery: { source, database: owned?.database, owner: owned?.owner, secret: owned?.secret },
      },
      externalClusters: [{ name: source, plugin: { name: barmanPlugin, parameters: archive?.parameters } }],
    },
  } as Cluster;
}
