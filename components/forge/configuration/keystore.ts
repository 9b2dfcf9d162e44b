import { keystoreDatabases } from "../../catalogue/keystore-databases.ts";
import { keystoreUrl } from "../../stores/connections.ts";
import { type ForgeConfiguration, type RailsProgram, secretPath } from "../configuration.ts";
import { erb, erbYaml, readFile } from "./erb.ts";

/**
 * The files of Rails' keystore connections: `resque.yml` is what each kind of data without a file of its own falls back to.
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
  return {
    "resque.yml.erb": erbYaml({ production: cache }),
    "redis.queues.yml.erb": erbYaml({ production: connection(keystoreDatabases.forgeJobQueue) }),
    "redis.action_cable.yml.erb": erbYaml({ production: cache }),
    "cable.yml.erb": erbYaml({ production: { ...cache, adapter: "redis" } }),
  };
}
