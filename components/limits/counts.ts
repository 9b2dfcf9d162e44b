import { sharedMajors } from "../catalogue/database-majors.ts";
import { names } from "../catalogue/names.ts";
import { addedMajors } from "../core/limits-schema.ts";
import { Profile } from "../core/platform-args.ts";
import { alternatives } from "../core/problems.ts";
import { type Circumstances, type CountLimit, clusterKind, suiteKind } from "./limit.ts";
import { hasManyWriters, storageClass, storageClasses } from "./sets.ts";

/** Rows of the table "Limits" on numbers: of pods, of instances, and of PostgreSQL's major. */

const majors = { first: 12, last: 16 };
const instances = { [Profile.production]: 2, [Profile.development]: 1 };
const webPods = { single: 1, shared: 3 };
const forgeWebPods = { [Profile.production]: 2, [Profile.development]: 1 };
const keystorePods = 1;

const highest = (own: number, ...widened: (number | undefined)[]) => Math.max(own, ...widened.map((each) => each ?? 0));

export const databaseMajor: CountLimit = {
  measure: "major",
  id: "database-major",
  title: "Major version of a suite's database",
  rule: `A suite's database is PostgreSQL ${majors.first} to ${majors.last}, and its resource names the major.`,
  remedy: "Name a major version in that range. A stack allows another one by `hearth:limits.databaseMajors`.",
  required: true,
  severity: "high",
  tags: ["database", "versions"],
  owner: "suite",
  fields: { [suiteKind]: ["versions", "db"] },
  object: { kind: clusterKind },
  widened: {
    by: "databaseMajors",
    what: ({ major }) => `PostgreSQL ${major}`,
    entry: (major) => {
      // Without gaps.
      const upTo = addedMajors.filter((each) => each <= Number(major));
      return upTo.some((each) => String(each) === major)
        ? `[${upTo.map((each) => `{major: ${each}, reason: <why>}`).join(", ")}]`
        : undefined;
    },
  },
  least: () => majors.first,
  most: ({ limits } = {}) => highest(majors.last, ...(limits?.databaseMajors ?? []).map(({ major }) => major)),
  allowed: (of) => `${databaseMajor.least()} to ${databaseMajor.most(of)}`,
  told: (of) => `The major version has to be from ${databaseMajor.allowed(of)}.`,
  inCluster: "the major version of PostgreSQL has to be from {least} to {most}.",
};

/** The specification's majors are a suite's: what forge and hub run on, their makers say. */
export const sharedDatabaseMajor: CountLimit = {
  measure: "major",
  id: "shared-database-major",
  title: "Major version of another database",
  rule: `The database of forge and hub is PostgreSQL ${sharedMajors.oldest} to ${sharedMajors.newest}, the majors that a release of theirs runs on, and its resource names the major.`,
  remedy: "Name a major version that the deployed forge and hub run on.",
  required: true,
  severity: "high",
  tags: ["database", "versions"],
  owner: "platform",
  fields: { "hearth/Database": ["version"], "hearth/Forge": ["databaseVersion"] },
  object: { kind: clusterKind },
  least: () => sharedMajors.oldest,
  most: () => sharedMajors.newest,
  allowed: () => `${sharedMajors.oldest} to ${sharedMajors.newest}`,
  told: () => `The major version has to be from ${sharedDatabaseMajor.allowed()}.`,
  inCluster: "the major version of PostgreSQL has to be from {least} to {most}.",
};

/** The majors of PostgreSQL within a limit. */
export function allowedMajors(limit: CountLimit, of?: Circumstances): string[] {
  const [first, last] = [limit.least(of), limit.most(of)];
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

export const cloudsuiteReplicas: CountLimit = {
  measure: "pods",
  id: "cloudsuite-replicas",
  title: "Web pods of a suite",
  rule: `On ${storageClasses.replicatedBlock} a suite has ${webPods.single} web pod. On ${storageClasses.smb} a suite has 1 to ${webPods.shared} web pods.`,
  remedy: `Write an allowed number. For several, choose a storage class with several writers, such as ${storageClasses.smb}, before the first deployment.`,
  required: true,
  severity: "critical",
  tags: ["cloudsuite", "replicas"],
  fields: { [suiteKind]: ["replicas", "cloudsuite"] },
  object: { kind: "apps/Deployment", name: names.cloudsuite.web },
  by: "storageClass",
  widened: { by: "cloudsuiteReplicas", what: ({ most }) => `A suite of ${most} web pods` },
  least: () => 1,
  // A workload alone does not say the class of its volume; its component does.
  most: ({ storageClass: name = storageClasses.smb, limits } = {}) =>
    hasManyWriters(name, limits) === false ? webPods.single : highest(webPods.shared, limits?.cloudsuiteReplicas?.most),
  counted: "web pods",
  allowed: ({ limits } = {}) => {
    const classes = (shared: boolean) =>
      alternatives(storageClass.allowed({ limits }).filter((name) => hasManyWriters(name, limits) === shared));
    return `${webPods.single} with ${classes(false)}, 1 to ${cloudsuiteReplicas.most({ limits })} with ${classes(true)}`;
  },
  told: (of) => {
    const most = cloudsuiteReplicas.most(of);
    return most === 1 ? "The volume allows only one writer." : `There are 1 to ${most} web pods.`;
  },
  inCluster: `the storage class of the web volume allows {most} at most, or 0 for maintenance; ${storageClasses.replicatedBlock} has a single writer.`,
};

export const databaseInstances: CountLimit = {
  measure: "instances",
  id: "database-replicas",
  title: "Instances of a database",
  rule: `A database has ${instances.production} instances, a primary and a standby; in development ${instances.development} is enough.`,
  remedy: `Write a number that is named. ${instances.development}, without failover, is for profile development, or allowed by \`hearth:limits.databaseReplicas\`.`,
  required: true,
  severity: "high",
  tags: ["database", "replicas"],
  fields: {
    [clusterKind]: ["spec", "instances"],
    "hearth/Database": ["instances"],
    [suiteKind]: ["replicas", "db"],
  },
  object: { kind: clusterKind },
  widened: {
    by: "databaseReplicas",
    what: ({ least = instances.production, most }) =>
      least === instances.production
        ? `A database of ${most} instances`
        : `A database of ${least} to ${most} instances in production`,
    entry: (number) => (Number(number) === instances.development ? "{least: 1, most: 2, reason: <why>}" : undefined),
  },
  least: ({ profile = Profile.development, limits } = {}) =>
    Math.min(instances[profile], limits?.databaseReplicas?.least ?? instances[profile]),
  most: ({ limits } = {}) => highest(instances.production, limits?.databaseReplicas?.most),
  counted: "database instances",
  allowed: (of) => {
    const standbys = databaseInstances.most(of) > instances.production ? "standbys" : "standby";
    return `${replicated(of)} (primary and ${standbys}, for production) or ${instances.development} (no failover, for development)`;
  },
  risk: "database instance has no failover",
  told: (of) => {
    const { profile = Profile.development } = of;
    const single = databaseInstances.least(of) === instances.development ? ` or ${instances.development}` : "";
    return `Profile ${profile} needs ${replicated(of)}${single}.`;
  },
  inCluster: `{range}; ${instances.production} are a primary and a standby.`,
};

/** The numbers with a standby. */
function replicated(of?: Circumstances): string {
  const most = databaseInstances.most(of);
  return most > instances.production ? `${instances.production} to ${most}` : String(instances.production);
}

export const keystoreReplicas: CountLimit = {
  measure: "pods",
  id: "keystore-replicas",
  title: "One keystore pod",
  rule: `A keystore has exactly ${keystorePods} pod: a second one would have separate data.`,
  remedy: `Write ${keystorePods}.`,
  required: true,
  severity: "high",
  tags: ["keystore", "replicas"],
  fields: { "hearth/Keystore": ["replicas"], [suiteKind]: ["replicas", "keystore"] },
  object: { kind: "apps/StatefulSet", name: names.keystore },
  least: () => keystorePods,
  most: () => keystorePods,
  counted: "keystore pods",
  allowed: () => String(keystorePods),
  told: () => `A keystore has exactly ${keystorePods} pod.`,
  inCluster: "{most}, or 0 for maintenance.",
};

export const forgeWebReplicas: CountLimit = {
  measure: "pods",
  id: "forge-web-replicas",
  title: "Web pods of the forge",
  rule: `The forge has ${forgeWebPods.production} or more web pods; in development ${forgeWebPods.development} is enough, and under maintenance none.`,
  remedy: `Write ${forgeWebPods.production} or more, or set the forge's maintenance. A stack allows ${forgeWebPods.development} by \`hearth:limits.forgeWebReplicas\`.`,
  required: false,
  severity: "medium",
  tags: ["forge", "replicas"],
  fields: { "hearth/Forge": ["replicas", "webservice"] },
  object: { kind: "apps/Deployment", name: names.forge.webservice },
  widened: {
    by: "forgeWebReplicas",
    what: ({ least }) => `A forge with ${least} web ${least === 1 ? "pod" : "pods"} in production`,
    entry: (number) => (Number(number) === forgeWebPods.development ? "{least: 1, reason: <why>}" : undefined),
  },
  least: ({ profile = Profile.development, limits } = {}) =>
    Math.min(forgeWebPods[profile], limits?.forgeWebReplicas?.least ?? forgeWebPods[profile]),
  most: () => Number.POSITIVE_INFINITY,
  allowed: (of) => `${forgeWebReplicas.least(of)} or more`,
  risk: "web pod means an outage whenever its node is drained",
  told: (of) => `Profile ${of.profile} needs ${forgeWebReplicas.allowed(of)}.`,
  inCluster: "{least} or more in normal operation, or 0 for maintenance.",
};
