/** Numbers of the keystore's databases: the specification's table "Key-value store databases". */
export const keystoreDatabases = {
  forgeCache: 0,
  forgeJobQueue: 1,
  hub: 2,
  /** A suite has a keystore of its own, which holds its cache, sessions and file locks. */
  cloudsuite: 0,
} as const;
