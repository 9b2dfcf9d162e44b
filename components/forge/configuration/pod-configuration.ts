import type { ForgeConfiguration, ForgeProgram, RailsProgram } from "../configuration.ts";
import { databaseYml } from "./database.ts";
import { erbYaml } from "./erb.ts";
import { gitlabYml } from "./gitlab.ts";
import { gitstoreConfiguration } from "./gitstore.ts";
import { healthInitializer, queueSizeInitializer } from "./initializers.ts";
import { keystoreFiles } from "./keystore.ts";
import { smtpSettings } from "./mail.ts";
import { s3cfg } from "./object-store.ts";
import { pagesConfiguration } from "./pages.ts";
import { proxyConfiguration } from "./proxy.ts";
import { runnerConfiguration } from "./runner.ts";
import { shellConfiguration } from "./shell.ts";

/**
 * A program's configuration files by name, to be mounted at its `configurationPaths`. The image's entrypoint renders `*.erb` and `*.tpl`
 * and copies other files beside; the name without that ending is what the program reads. No file holds a secret.
 */
export function podConfiguration(program: ForgeProgram, configuration: ForgeConfiguration): Record<string, string> {
  return files[program](configuration);
}

type Files = Record<string, string>;

const files: Readonly<Record<ForgeProgram, (configuration: ForgeConfiguration) => Files>> = {
  webservice: (configuration) => ({
    ...rails("webservice", configuration),
    ...mail("webservice", configuration),
    ...healthInitializer,
  }),
  proxy: (configuration) => ({ "workhorse-config.toml.tpl": proxyConfiguration(configuration) }),
  jobs: (configuration) => ({
    ...rails("jobs", configuration),
    ...mail("jobs", configuration),
    ...queueSizeInitializer,
  }),
  toolbox: (configuration) => ({
    ...rails("toolbox", configuration),
    ...mail("toolbox", configuration),
    "s3cfg.erb": s3cfg(configuration),
  }),
  migrations: (configuration) => rails("migrations", configuration),
  gitstore: (configuration) => ({ "config.toml.tpl": gitstoreConfiguration(configuration) }),
  shell: (configuration) => ({ "config.yml": shellConfiguration(configuration) }),
  pages: (configuration): Files =>
    configuration.pages ? { "config.tpl": pagesConfiguration(configuration, configuration.pages) } : {},
  runner: (configuration): Files =>
    configuration.runner ? { "config.toml": runnerConfiguration(configuration, configuration.runner) } : {},
};

function rails(program: RailsProgram, configuration: ForgeConfiguration): Files {
  return {
    "database.yml.erb": databaseYml(program, configuration),
    "gitlab.yml.erb": gitlabYml(program, configuration),
    ...keystoreFiles(program, configuration),
    "session_store.yml.erb": erbYaml({ production: { session_cookie_token_prefix: "" } }),
  };
}

function mail(program: RailsProgram, { administration, domain }: ForgeConfiguration): Files {
  return administration.smtp ? { "smtp_settings.rb": smtpSettings(program, administration.smtp, domain) } : {};
}
