/** Numbers of the keystore's databases: the specification's table "Key-value store databases", and those of a suite's own keystore. */
export const keystoreDatabases = {
  /** Nothing else: it may be flushed at any time. A suite has nothing here. */
  forgeCache: 0,
  /** And what else must last: sessions, shared state, CI logs under way, rate limits. */
  forgeJobQueue: 1,
  hub: 2,
  /** File locks and the state of uploads, and the cache: Nextcloud keeps them all in one database. */
  cloudsuite: 1,
  cloudsuiteSessions: 2,
} as const;
