/** Numbers of the keystore's databases: the specification's table "Key-value store databases". */
export const keystoreDatabases = {
  /** Nothing else: it may be flushed at any time. */
  forgeCache: 0,
  /** And what else must last: sessions, shared state, CI logs under way, rate limits. */
  forgeJobQueue: 1,
  hub: 2,
  /** A suite has a keystore of its own, which holds its cache, sessions and file locks. */
  cloudsuite: 0,
} as const;
