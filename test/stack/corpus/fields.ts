/** The fields of config.yaml by their type, as the specification's table has them. */
const parts = [
  "resources.cloudsuite",
  "resources.db",
  "resources.keystore",
  "office.resources",
  "whiteboard.resources",
];
const ends = parts.flatMap((part) => [`${part}.requests`, `${part}.limits`]);

export const amounts = ends.flatMap((end) => [`${end}.cpu`, `${end}.memory`]);

export const texts = [
  "namespace",
  "domain",
  "versions.cloudsuite",
  "versions.db",
  "versions.keystore",
  "versions.office",
  "versions.whiteboard",
  "s3.endpoint",
  "s3.region",
  "s3.buckets.data",
  "s3.buckets.backups",
  "storage.storageClass",
  "storage.dbSize",
  "storage.keystoreSize",
  "office.domain",
  ...amounts,
];

export const numbers = ["replicas.cloudsuite", "replicas.db", "replicas.keystore"];

export const booleans = ["office.enabled", "whiteboard.enabled"];

export const blocks = [
  "versions",
  "s3",
  "s3.buckets",
  "storage",
  "resources",
  ...parts,
  ...ends,
  "replicas",
  "office",
  "whiteboard",
];

/** Every field but the blocks. */
export const leaves = [...texts, ...numbers, ...booleans];
