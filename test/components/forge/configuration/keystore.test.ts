import { afterAll, beforeAll, expect, test } from "vitest";
import { type KeystoreServer, startKeystore } from "../../../support/keystore-server.ts";
import { completeConfiguration } from "../forge.ts";
import { renderPods } from "./pod.ts";

/** What a real keystore holds after a flush of the cache, with keys as the forge's programs name them. */

interface Kind {
  /** The class of GitLab's (lib/gitlab/redis) that keeps it. */
  readonly store: string;
  /** Files in which the class looks for its connection, the first that is there: its own, its `config_fallback`'s, at last `resque.yml`. */
  readonly files: readonly string[];
  readonly key: string;
  /** Empty at any time, at the price of some work. */
  readonly cache?: true;
}

const cacheFiles = ["redis.cache.yml", "resque.yml"];
const sharedFiles = ["redis.shared_state.yml", "resque.yml"];
const queueFiles = ["redis.queues.yml", "resque.yml"];
const kinds: readonly Kind[] = [
  { store: "Cache", files: cacheFiles, key: "cache:gitlab:application_settings:18.9.1", cache: true },
  { store: "EtagCache", files: cacheFiles, key: "etag:/group/project/noteable/issue/1/notes", cache: true },
  {
    store: "RepositoryCache",
    files: ["redis.repository_cache.yml", ...cacheFiles],
    key: "cache:gitlab:exists?:group/project:1",
    cache: true,
  },
  {
    store: "FeatureFlag",
    files: ["redis.feature_flag.yml", ...cacheFiles],
    key: "cache:gitlab:flipper/v1/feature/a",
    cache: true,
  },
  {
    store: "RateLimiting",
    files: ["redis.rate_limiting.yml", ...cacheFiles],
    key: "application_rate_limiter:users_get_by_id:user:1:1",
  },
  { store: "Chat", files: ["redis.chat.yml", ...cacheFiles], key: "gitlab:chat:responses:build:1" },
  { store: "Queues", files: queueFiles, key: "queue:default" },
  {
    store: "QueuesMetadata",
    files: ["redis.queues_metadata.yml", ...queueFiles],
    key: "resque:gitlab:duplicate:default:1",
  },
  { store: "SharedState", files: sharedFiles, key: "gitlab:exclusive_lease:housekeeping:1" },
  { store: "Sessions", files: ["redis.sessions.yml", ...sharedFiles], key: "session:gitlab:2::1" },
  { store: "TraceChunks", files: ["redis.trace_chunks.yml", ...sharedFiles], key: "gitlab:ci:trace:1:chunks:0" },
  {
    store: "BufferedCounter",
    files: ["redis.buffered_counter.yml", ...sharedFiles],
    key: "project:{1}:counters:1:repository_size",
  },
  {
    store: "DbLoadBalancing",
    files: ["redis.db_load_balancing.yml", ...sharedFiles],
    key: "database-load-balancing/write-location/main/user/1",
  },
  { store: "Workhorse", files: ["redis.workhorse.yml", ...sharedFiles], key: "runner:build_queue:glrt-1" },
];

let keystore: KeystoreServer;
beforeAll(async () => {
  keystore = await startKeystore();
});
afterAll(() => keystore[Symbol.asyncDispose]());

test.each(["webservice", "jobs"] as const)(
  "a flush of database 0 takes the cache of %s and nothing else",
  async (program) => {
    const [pod = {}] = renderPods([[program, completeConfiguration]]);
    for (const { files, key } of kinds) {
      const file = files.find((name) => name in pod) ?? "";
      const database = new URL(pod[file]?.data.production.url).pathname.slice(1);
      await keystore.run("-n", database, "set", key, "1");
    }
    // The hub's, which has nothing of the forge.
    await keystore.run("-n", "2", "set", "{harbor_job_service_namespace}:job_queue:replication", "1");

    await keystore.run("-n", "0", "flushdb");

    expect(await keystore.keys(1)).toEqual(kinds.flatMap(({ cache, key }) => (cache ? [] : [key])).sort());
    expect(await keystore.run("-n", "2", "dbsize")).toMatch(/\b1$/);
  },
);
