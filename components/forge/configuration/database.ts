import { type ForgeConfiguration, type RailsProgram, secretPath } from "../configuration.ts";
import { erbYaml, fileContent } from "./erb.ts";

/**
 * `database.yml`: two connections to one database, of which only `main` runs migrations. Prepared statements are off, since they would
 * outlive a pooled connection. (gitlab-org/charts charts/gitlab/templates/_database.yml.tpl)
 */
export function databaseYml(program: RailsProgram, { database }: ForgeConfiguration): string {
  const connection = {
    adapter: "postgresql",
    encoding: "unicode",
    host: database.host,
    port: database.port,
    database: database.database,
    username: database.user,
    password: fileContent(secretPath(program, "databasePassword")),
    prepared_statements: false,
  };
  return erbYaml({
    production: { main: { ...connection, database_tasks: true }, ci: { ...connection, database_tasks: false } },
  });
}
