import { ports } from "../../catalogue/ports.ts";
import { ForgeVisibility } from "../args.ts";
import { type ForgeConfiguration, type RailsProgram, readsSignOn, secretPath } from "../configuration.ts";
import { gitstoreAddress } from "./addresses.ts";
import { erb, erbYaml, fileContent, type YamlMap } from "./erb.ts";
import { mailSettings } from "./mail.ts";
import { railsObjectStore } from "./object-store.ts";
import { forgeContainerPorts } from "./ports.ts";
import { ldap, omniauth } from "./sign-on.ts";

/** 95 % of a web worker's 60 seconds (WORKER_TIMEOUT), as the chart has it. */
const maxRequestSeconds = 57;

const everyAddress = "0.0.0.0";
const loopback = ["127.0.0.0/8", "::1/128"];

/**
 * `gitlab.yml` of a program. It names only files that the program mounts: another one would end the rendering, and a secret that
 * Rails finds named but can't read it tries to write. (gitlab-org/charts charts/gitlab/charts/{webservice,sidekiq,toolbox,migrations}/templates/configmap)
 */
export function gitlabYml(program: RailsProgram, configuration: ForgeConfiguration): string {
  const signOn = readsSignOn(program)
    ? { omniauth: omniauth(program, configuration), ldap: ldap(program, configuration) }
    : {};
  return erbYaml({
    production: { ...shared(program, configuration), ...signOn, ...own[program](configuration) },
  });
}

function shared(program: RailsProgram, configuration: ForgeConfiguration): YamlMap {
  const { namespace, buckets } = configuration;
  const objectTypes = Object.keys(buckets.objects);
  return {
    gitlab: gitlab(program, configuration),
    object_store: railsObjectStore(program, configuration),
    ...Object.fromEntries(objectTypes.filter((type) => type !== "pages").map((type) => [type, { enabled: true }])),
    gitaly: {
      client_path: "/home/git/gitaly/bin",
      token: fileContent(secretPath(program, "gitstoreToken")),
    },
    // The path is never used: repositories are reached by their storage's address.
    repositories: {
      storages: { default: { path: "/var/opt/gitlab/repo", gitaly_address: gitstoreAddress(namespace) } },
    },
    sidekiq: { log_format: "json" },
    registry: { enabled: false },
    gitlab_kas: { enabled: false },
    mattermost: { enabled: false },
  };
}

function gitlab(program: RailsProgram, configuration: ForgeConfiguration): YamlMap {
  const { administration, domain, privacy, ssh, trustedProxies } = configuration;
  return {
    host: domain,
    https: true,
    ssh_host: ssh?.domain ?? domain,
    max_request_duration_seconds: maxRequestSeconds,
    trusted_proxies: trustedProxies,
    time_zone: administration.timeZone ?? "UTC",
    signup_enabled: administration.signUp ?? false,
    // Migrations send none, and a change of their file would run them again.
    ...(program !== "migrations" && { usage_ping_enabled: privacy.forgeServicePing }),
    default_projects_features: {
      visibility_level: administration.defaultProjectVisibility ?? ForgeVisibility.private,
    },
    ...mailSettings(configuration),
  };
}

/** Each program's settings beyond the shared part. */
const own: Readonly<Record<RailsProgram, (configuration: ForgeConfiguration) => YamlMap>> = {
  webservice: (configuration) => ({
    pages: pages("webservice", configuration),
    gitlab_shell: shell(configuration, secretPath("webservice", "shellSecret")),
    workhorse: { secret_file: secretPath("webservice", "proxySecret") },
    git,
    backup,
    monitoring: {
      // Open, since probes come from the nodes and the health addresses are public; the route keeps the metrics inside.
      ip_whitelist: ["0.0.0.0/0", "::/0"],
      web_exporter: { enabled: true, address: everyAddress, port: ports.forgeWebMetrics },
    },
    shutdown: { blackout_seconds: { erb: erb("Integer(ENV.fetch('SHUTDOWN_BLACKOUT_SECONDS', '10'))") } },
  }),
  jobs: (configuration) => ({
    pages: pages("jobs", configuration),
    gitlab_shell: shell(configuration),
    git,
    backup,
    monitoring: {
      ip_whitelist: loopback,
      sidekiq_exporter: { enabled: true, address: everyAddress, port: ports.forgeJobsMetrics },
      sidekiq_health_checks: { enabled: true, address: everyAddress, port: forgeContainerPorts.jobsHealth },
    },
  }),
  toolbox: (configuration) => ({
    pages: pages("toolbox", configuration),
    gitlab_shell: shell(configuration, secretPath("toolbox", "shellSecret")),
    git,
    backup,
    monitoring: { ip_whitelist: loopback },
  }),
  migrations: () => ({}),
};

const git = { bin_path: "/usr/bin/git" };
const backup = { path: "tmp/backups" };

function shell({ ssh }: ForgeConfiguration, secretFile?: string): YamlMap {
  return {
    path: "/home/git/gitlab-shell/",
    hooks_path: "/home/git/gitlab-shell/hooks/",
    upload_pack: true,
    receive_pack: true,
    ssh_port: ssh?.port ?? ports.forgeShell,
    secret_file: secretFile,
  };
}

/** Sites are in their bucket alone: no program has a folder of them. */
function pages(program: "webservice" | "jobs" | "toolbox", configuration: ForgeConfiguration): YamlMap {
  if (!configuration.pages) return { enabled: false };
  return {
    enabled: true,
    host: configuration.pages.domain,
    port: 443,
    https: true,
    secret_file: secretPath(program, "pagesSecret"),
    access_control: false,
    artifacts_server: true,
    external_http: false,
    external_https: false,
    local_store: { enabled: false },
    namespace_in_path: false,
  };
}
