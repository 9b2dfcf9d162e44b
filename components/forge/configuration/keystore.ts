import { keystoreDatabases } from "../../catalogue/keystore-databases.ts";
import { keystoreUrl } from "../../stores/connections.ts";
import { type ForgeConfiguration, type RailsProgram, secretPath } from "../configuration.ts";
import { erb, erbYaml, readFile } from "./erb.ts";

/**
 * The files of Rails' keystore connections. Each kind of data has a file by its name, `redis.KIND.yml`; without one it falls back to another
 * kind's, at last to `resque.yml`. What may be flushed alone is the cache's; those that fall back to the cache without being one have their
 * own file: rate limits, and replies that chat commands wait for. (gitlabhq lib/gitlab/redis/*.rb, `config_fallback`)
 * The empty `id` keeps the client from naming itself. (gitlab-org/charts charts/gitlab/templates/_rails.redis.tpl)
 */
export function keystoreFiles(program: RailsProgram, { keystore }: ForgeConfiguration): Record<string, string> {
  const password =
    keystore.password && erb(`ERB::Util.url_encode(${readFile(secretPath(program, "keystorePassword"))})`);
  const connection = (database: number) => ({
    url: { erb: keystoreUrl("redis", keystore, database, password) },
    id: null,
  });
  const cache = connection(keystoreDatabases.forgeCache);
  const lasting = connection(keystoreDatabases.forgeJobQueue);
  return {
    "resque.yml.erb": erbYaml({ production: lasting }),
    "redis.queues.yml.erb": erbYaml({ production: lasting }),
    "redis.cache.yml.erb": erbYaml({ production: cache }),
    "redis.rate_limiting.yml.erb": erbYaml({ production: lasting }),
    "redis.chat.yml.erb": erbYaml({ production: lasting }),
    "redis.action_cable.yml.erb": erbYaml({ production: lasting }),
    "cable.yml.erb": erbYaml({ production: { ...lasting, adapter: "redis" } }),
  };
}
