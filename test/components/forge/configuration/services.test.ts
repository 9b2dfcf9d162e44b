import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ForgeProgram,
  forgePrograms,
  mountedSecrets,
  secretPath,
  secretsPath,
} from "@hearth-platform/hearth/forge/configuration";
import { podConfiguration } from "@hearth-platform/hearth/forge/configuration/pod-configuration";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { completeConfiguration, completeForge, configurationOf, minimalConfiguration } from "../forge.ts";
import { mountedValue, mountPod } from "./pod.ts";
import { gitstoreSchema, proxySchema, shellSchema } from "./program-schemas.ts";

/** What the programs beside Rails read, by strict parsers and in the structures they decode it into. */

/** A file of a pod, with the mounted files' paths in the place of their content. */
function file(program: ForgeProgram, name: string, configuration = completeConfiguration): string {
  const content = podConfiguration(program, configuration)[name] ?? "";
  return content.replace(/\{% file\.Read ("[^"]+") \| strings\.TrimSpace \| data\.ToJSON %\}/g, "$1");
}

describe.each([
  ["complete", completeConfiguration],
  ["minimal", minimalConfiguration],
] as const)("files of a %s forge have no key that the program would pass over", (_, configuration) => {
  test.each([
    ["the proxy's", proxySchema, () => parse(file("proxy", "workhorse-config.toml.tpl", configuration))],
    ["the git store's", gitstoreSchema, () => parse(file("gitstore", "config.toml.tpl", configuration))],
    ["the shell's", shellSchema, () => parseYaml(file("shell", "config.yml", configuration), { version: "1.1" })],
  ] as const)("%s", (_, schema, content) => {
    expect(schema.safeParse(content()).error?.issues).toBeUndefined();
  });
});

describe("the proxy", () => {
  const proxy = (configuration = completeConfiguration) =>
    parse(file("proxy", "workhorse-config.toml.tpl", configuration));

  test("shares the keystore's database of lasting data with Rails and serves all on one port", () => {
    expect(proxy()).toEqual({
      shutdown_timeout: "61s",
      redis: {
        URL: "redis://keystore.platform.svc:6379",
        DB: 1,
        Password: "/etc/gitlab/redis/redis-password",
      },
      object_storage: {
        provider: "AWS",
        s3: {
          aws_access_key_id: "/etc/gitlab/objectstorage/access-key-id",
          aws_secret_access_key: "/etc/gitlab/objectstorage/secret-access-key",
        },
      },
      image_resizer: { max_scaler_procs: 2, max_filesize: 250_000 },
      listeners: [{ network: "tcp", addr: ":8181" }],
    });
  });

  test("signs in to the keystore only where that asks for a password", () => {
    expect(proxy(minimalConfiguration).redis).toEqual({ URL: "redis://keystore.platform.svc:6379", DB: 1 });
  });
});

test("the git store serves the default storage and asks the forge whether a push may be", () => {
  expect(parse(file("gitstore", "config.toml.tpl"))).toEqual({
    bin_dir: "/usr/local/bin",
    listen_addr: ":8075",
    prometheus_listen_addr: ":9236",
    graceful_restart_timeout: "25s",
    storage: [{ name: "default", path: "/home/git/repositories" }],
    logging: { level: "info", format: "json", dir: "/var/log/gitaly" },
    auth: { token: "/etc/gitlab-secrets/gitaly/gitaly_token" },
    git: { use_bundled_binaries: true },
    "gitlab-shell": { dir: "/srv/gitlab-shell" },
    gitlab: {
      url: "http://forge-webservice.platform.svc:8181/",
      secret_file: "/etc/gitlab-secrets/shell/.gitlab_shell_secret",
    },
    hooks: { custom_hooks_dir: "/home/git/custom_hooks" },
    backup: { go_cloud_url: expect.stringMatching(/^s3:/) },
  });
});

test.each([true, false])(
  "the git store puts copies of repositories into the bucket of the backups (path style: %s)",
  (pathStyle) => {
    const { objectStore, buckets } = completeConfiguration;
    const configuration = { ...completeConfiguration, objectStore: { ...objectStore, pathStyle } };
    const { backup } = parse(file("gitstore", "config.toml.tpl", configuration)) as {
      backup: { go_cloud_url: string };
    };
    const { host, searchParams } = new URL(backup.go_cloud_url);
    expect(host).toBe(buckets.backups);
    expect(Object.fromEntries(searchParams)).toEqual({
      region: objectStore.region,
      endpoint: objectStore.endpoint,
      use_path_style: String(pathStyle),
      prefix: "repositories/",
    });
  },
);

describe("the shell", () => {
  test("listens with the mounted host keys, each named", () => {
    expect(parseYaml(file("shell", "config.yml"), { version: "1.1" })).toMatchObject({
      user: "git",
      gitlab_url: "http://forge-webservice.platform.svc:8181/",
      secret_file: "/etc/gitlab-secrets/shell/.gitlab_shell_secret",
      sshd: {
        listen: "[::]:2222",
        web_listen: "0.0.0.0:9122",
        proxy_protocol: true,
        host_key_files: ["rsa", "ecdsa", "ed25519"].map((kind) => `/etc/gitlab-secrets/ssh/ssh_host_${kind}_key`),
      },
    });
  });

  test("allows as many sessions on a connection as its maker's chart, or as the settings say", () => {
    const limit = (settings: object) => {
      const ssh = { entryPoint: "ssh", ...settings };
      return parseYaml(file("shell", "config.yml", configurationOf({ ...completeForge, ssh }))).sshd
        .concurrent_sessions_limit;
    };
    expect(limit({})).toBe(100);
    expect(limit({ sessionsPerConnection: 20 })).toBe(20);
  });

  test("takes connections without the PROXY protocol where the route sends none", () => {
    const ssh = { entryPoint: "ssh", proxyProtocol: false };
    const { sshd } = parseYaml(file("shell", "config.yml", configurationOf({ ...completeForge, ssh })));
    expect(sshd.proxy_protocol).toBe(false);
  });
});

describe("static sites", () => {
  test("ask the forge inside the cluster and send users to it outside", () => {
    const flags = Object.fromEntries(
      file("pages", "config.tpl")
        .trim()
        .split("\n")
        .map((line) => line.split(/=(.*)/)),
    );
    expect(flags).toEqual({
      "listen-proxy": ":8090",
      "listen-http": ":9090",
      "metrics-address": ":9235",
      "pages-domain": "pages.example.org",
      "pages-root": "/srv/gitlab-pages",
      "pages-status": "/-/readiness",
      "gitlab-server": "https://forge.example.org",
      "internal-gitlab-server": "http://forge-webservice.platform.svc:8181",
      "artifacts-server": "http://forge-webservice.platform.svc:8181/api/v4",
      "api-secret-key": "/etc/gitlab-secrets/pages/secret",
      "redirect-http": "false",
      "log-format": "json",
    });
  });

  test("have no file where there are none", () => {
    expect(podConfiguration("pages", minimalConfiguration)).toEqual({});
    expect(podConfiguration("runner", minimalConfiguration)).toEqual({});
  });
});

test("the runner makes a pod for each job, without rights and privileges, in a namespace of its own", () => {
  expect(parse(file("runner", "config.toml"))).toEqual({
    concurrent: 10,
    check_interval: 3,
    listen_address: ":9252",
    log_format: "json",
    runners: [
      {
        name: "forge-runner",
        url: "http://forge-webservice.platform.svc:8181",
        clone_url: "http://forge-webservice.platform.svc:8181",
        token: "@file:/secrets/runner/token@",
        executor: "kubernetes",
        kubernetes: {
          namespace: "platform-jobs",
          image: "docker.io/library/alpine:3.22",
          service_account: "forge-runner-job",
          automount_service_account_token: false,
          privileged: false,
          allow_privilege_escalation: false,
          poll_timeout: 600,
          cpu_request: "200m",
          memory_request: "512Mi",
          cpu_limit: "2000m",
          memory_limit: "2Gi",
        },
        cache: {
          Type: "s3",
          Shared: true,
          s3: {
            AuthenticationType: "access-key",
            ServerAddress: "fsn1.your-objectstorage.com",
            Insecure: false,
            PathStyle: true,
            BucketName: "runner-cache-a1b2-platform",
            BucketLocation: "fsn1",
            AccessKey: "@file:/secrets/objectstorage/access-key-id@",
            SecretKey: "@file:/secrets/objectstorage/secret-access-key@",
          },
        },
      },
    ],
  });
});

describe.each([
  ["complete", completeConfiguration],
  ["minimal", minimalConfiguration],
] as const)("files of a %s forge", (_, configuration) => {
  test.each(forgePrograms)("of %s name no secret file that it does not mount", (program) => {
    const text = Object.values(podConfiguration(program, configuration)).join("\n");
    const folder = secretsPath(program);
    const named = [...text.matchAll(/(?<=["'@:= ])\/[\w./-]+/g)].map(([path]) => path);
    const secrets = named.filter((path) => path.startsWith(`${folder}/`) && !/\/(omniauth|ldap)\//.test(path));
    const mounted = mountedSecrets(program, configuration).map((name) => secretPath(program, name));
    expect(secrets.filter((path) => !mounted.includes(path))).toEqual([]);
  });
});

test("files tell neither a Secret nor what is in it: secrets come in where the pods mount them", () => {
  const canary = { name: "canary-secret", key: "canary-key" };
  const { administration, database, keystore, objectStore } = completeForge;
  const { providers = [], ldap = [] } = administration?.signOn ?? {};
  const configuration = configurationOf({
    ...completeForge,
    database: { ...database, password: canary },
    keystore: { ...keystore, password: canary },
    objectStore: { ...objectStore, credentials: canary.name },
    administration: {
      smtp: { host: "mail.example.org", from: "forge@example.org", user: "forge", password: canary },
      signOn: {
        providers: providers.map((provider) => ({ ...provider, provider: canary })),
        ldap: ldap.map((server) => ({ ...server, password: canary })),
      },
    },
  });
  for (const program of forgePrograms) {
    const folder = mkdtempSync(join(tmpdir(), "hearth-forge-"));
    mountPod(folder, program, configuration);
    const text = Object.values(podConfiguration(program, configuration)).join("\n");
    expect(text, program).not.toContain("canary");
    for (const file of mountedSecrets(program, configuration)) expect(text).not.toContain(mountedValue(file));
  }
});
