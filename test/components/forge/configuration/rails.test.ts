import type { ForgeConfiguration } from "@hearth-platform/hearth/forge/configuration";
import { beforeAll, describe, expect, test } from "vitest";
import { completeConfiguration, completeForge, configurationOf, minimalConfiguration } from "../forge.ts";
import { mountedValue, providerDocument, type Rendered, renderPods, secretValue } from "./pod.ts";

/** What Ruby reads in the Rails programs' files, all rendered by one process. */

const programs = ["webservice", "jobs", "toolbox", "migrations"] as const;

/** Settings in which text could be taken for ERB, YAML or Ruby. */
const awkward = configurationOf({
  ...completeForge,
  administration: {
    ...completeForge.administration,
    smtp: { host: "mail.example.org", from: "no", displayName: `<%= raise %> #{raise} 'x' "y" \\`, security: "tls" },
    signOn: {
      providers: [
        { name: "corp", kind: "saml", label: `It's %> "Corp": #1 \\`, provider: { name: "corp", key: "provider" } },
      ],
      ldap: [{ name: "yes", host: "ldap.example.org", base: "dc=example: <% #", userFilter: "(on=*)" }],
      autoCreate: ["yes"],
    },
  },
});
const bucketInHost: ForgeConfiguration = {
  ...minimalConfiguration,
  objectStore: { ...minimalConfiguration.objectStore, endpoint: "http://127.0.0.1:9000", pathStyle: false },
};

let complete: Record<(typeof programs)[number], Record<string, Rendered>>;
let minimal: typeof complete;
let awkwardJobs: Record<string, Rendered>;
let bucketInHostToolbox: Record<string, Rendered>;

beforeAll(() => {
  const pods = renderPods([
    ...programs.map((program) => [program, completeConfiguration] as const),
    ...programs.map((program) => [program, minimalConfiguration] as const),
    ["jobs", awkward],
    ["toolbox", bucketInHost],
  ]);
  const named = (offset: number) =>
    Object.fromEntries(programs.map((program, index) => [program, pods[offset + index] ?? {}])) as typeof complete;
  complete = named(0);
  minimal = named(programs.length);
  [awkwardJobs = {}, bucketInHostToolbox = {}] = pods.slice(2 * programs.length);
});

const gitlab = (pod: Record<string, Rendered>) => pod["gitlab.yml"]?.data.production;

describe.each(programs)("%s", (program) => {
  test("reaches its database by the pooler, and migrates it by one connection alone", () => {
    const { main, ci } = complete[program]["database.yml"]?.data.production ?? {};
    expect(main).toEqual({
      adapter: "postgresql",
      encoding: "unicode",
      host: "forge-db-pooler.platform.svc",
      port: 5432,
      database: "forge",
      username: "app",
      password: secretValue("databasePassword"),
      prepared_statements: false,
      database_tasks: true,
    });
    expect(ci).toEqual({ ...main, database_tasks: false });
  });

  test.each([
    ["resque.yml", 1],
    ["redis.queues.yml", 1],
    ["redis.cache.yml", 0],
    ["redis.rate_limiting.yml", 1],
    ["redis.chat.yml", 1],
    ["redis.action_cable.yml", 1],
    ["cable.yml", 1],
  ])("finds what %s is for in the keystore's database %i", (file, database) => {
    const { url, id } = complete[program][file]?.data.production ?? {};
    const { host, pathname, password, username } = new URL(url);
    expect({ host, pathname, username, id }).toEqual({
      host: "keystore.platform.svc:6379",
      pathname: `/${database}`,
      username: "",
      id: null,
    });
    expect(decodeURIComponent(password)).toBe(secretValue("keystorePassword"));
    expect(minimal[program][file]?.data.production.url).toBe(`redis://keystore.platform.svc:6379/${database}`);
  });

  test("reaches the git store and the buckets with the mounted secrets", () => {
    const { gitaly, repositories, object_store } = gitlab(complete[program]);
    expect(gitaly.token).toBe(secretValue("gitstoreToken"));
    expect(repositories.storages.default.gitaly_address).toBe("tcp://forge-gitstore.platform.svc:8075");
    expect(object_store.connection).toEqual({
      provider: "AWS",
      region: "fsn1",
      endpoint: "https://fsn1.your-objectstorage.com",
      path_style: true,
      aws_signature_version: 4,
      enable_signature_v4_streaming: false,
      aws_access_key_id: mountedValue("objectStoreKeyId"),
      aws_secret_access_key: mountedValue("objectStoreKey"),
    });
  });

  test("has a bucket of its own for each type of objects", () => {
    const { object_store, ...sections } = gitlab(complete[program]);
    const buckets = Object.entries<{ bucket: string }>(object_store.objects);
    expect(new Set(buckets.map(([, { bucket }]) => bucket)).size).toBe(9);
    for (const [type, { bucket }] of buckets) {
      expect(bucket).toMatch(/-a1b2-platform$/);
      if (type !== "pages") expect(sections[type], type).toEqual({ enabled: true });
    }
  });

  test("names only secrets that it mounts", () => {
    const { gitlab_shell, workhorse, pages } = gitlab(complete[program]);
    expect({
      shell: gitlab_shell?.secret_file !== undefined,
      proxy: workhorse?.secret_file !== undefined,
      pages: pages?.secret_file !== undefined,
    }).toEqual({
      shell: program === "webservice" || program === "toolbox",
      proxy: program === "webservice",
      pages: program !== "migrations",
    });
  });
});

describe("what administrators set", () => {
  test("is in the forge's settings", () => {
    expect(gitlab(complete.webservice).gitlab).toEqual({
      host: "forge.example.org",
      https: true,
      ssh_host: "ssh.example.org",
      max_request_duration_seconds: 57,
      trusted_proxies: ["10.0.0.0/8"],
      usage_ping_enabled: false,
      time_zone: "Europe/Berlin",
      signup_enabled: false,
      default_projects_features: { visibility_level: "internal" },
      email_enabled: true,
      email_from: "forge@example.org",
      email_display_name: "Example's forge",
      email_reply_to: "forge@example.org",
    });
    expect(gitlab(complete.webservice).gitlab_shell.ssh_port).toBe(2222);
  });

  test("is safe where nothing is set: nobody signs up, projects are private, no mail", () => {
    expect(gitlab(minimal.migrations).gitlab).toMatchObject({
      ssh_host: "forge.example.org",
      time_zone: "UTC",
      signup_enabled: false,
      default_projects_features: { visibility_level: "private" },
      email_enabled: false,
    });
    expect(gitlab(minimal.webservice)).toMatchObject({
      pages: { enabled: false },
      omniauth: { enabled: false, providers: [], allow_single_sign_on: false },
      ldap: { enabled: false },
    });
    for (const program of programs) expect(minimal[program]).not.toHaveProperty(["smtp_settings.rb"]);
  });

  test("external sign-in is the mounted document with name and label", () => {
    for (const program of ["webservice", "jobs", "toolbox"] as const)
      expect(gitlab(complete[program]).omniauth).toEqual({
        enabled: true,
        allow_single_sign_on: ["openid_connect"],
        block_auto_created_users: false,
        providers: [
          { ...providerDocument, name: "openid_connect", label: "SSO" },
          { ...providerDocument, name: "saml", label: "saml" },
        ],
      });
    expect(gitlab(complete.migrations)).not.toHaveProperty("omniauth");
  });

  test("a directory's users wait for an administrator where none are created by themselves", () => {
    expect(gitlab(complete.jobs).ldap.servers).toEqual({
      main: {
        label: "LDAP",
        host: "ldap.example.org",
        port: 636,
        uid: "uid",
        encryption: "simple_tls",
        verify_certificates: true,
        active_directory: false,
        base: "ou=people,dc=example,dc=org",
        block_auto_created_users: true,
        bind_dn: "cn=forge,dc=example,dc=org",
        password: secretValue("main"),
      },
    });
  });

  test("mail is sent with the mounted password", () => {
    for (const program of ["webservice", "jobs", "toolbox"] as const)
      expect(complete[program]["smtp_settings.rb"]?.data).toEqual({
        method: "smtp",
        address: "mail.example.org",
        port: 587,
        domain: "forge.example.org",
        authentication: "login",
        user_name: "forge",
        password: secretValue("smtpPassword"),
        enable_starttls_auto: true,
        tls: false,
        openssl_verify_mode: "peer",
        ca_file: "/etc/ssl/certs/ca-certificates.crt",
        open_timeout: 30,
        read_timeout: 60,
      });
  });

  test("is text, whatever it looks like", () => {
    const { gitlab: settings, omniauth, ldap } = gitlab(awkwardJobs);
    expect(settings).toMatchObject({
      email_from: "no",
      email_reply_to: "no",
      email_display_name: awkward.administration.smtp?.displayName,
    });
    expect(ldap.servers.yes).toMatchObject({
      base: "dc=example: <% #",
      user_filter: "(on=*)",
      block_auto_created_users: false,
    });
    expect(omniauth.providers).toEqual([
      {
        name: "corp",
        label: awkward.administration.signOn?.providers?.[0]?.label,
        args: { ...providerDocument.args, name: "corp", strategy_class: "OmniAuth::Strategies::SAML" },
      },
    ]);
    expect(awkwardJobs["smtp_settings.rb"]?.data).toMatchObject({ tls: true, enable_starttls_auto: false });
    expect(awkwardJobs["smtp_settings.rb"]?.data).not.toHaveProperty("user_name");
  });
});

describe("ports and health", () => {
  test("probes and the public health addresses get an answer from the web server, others only their own pod", () => {
    expect(gitlab(complete.webservice).monitoring).toEqual({
      ip_whitelist: ["0.0.0.0/0", "::/0"],
      web_exporter: { enabled: true, address: "0.0.0.0", port: 8083 },
    });
    expect(gitlab(complete.webservice).shutdown).toEqual({ blackout_seconds: 10 });
    expect(gitlab(complete.jobs).monitoring).toEqual({
      ip_whitelist: ["127.0.0.0/8", "::1/128"],
      sidekiq_exporter: { enabled: true, address: "0.0.0.0", port: 3807 },
      sidekiq_health_checks: { enabled: true, address: "0.0.0.0", port: 3808 },
    });
  });

  test("sites are served from their bucket", () => {
    expect(gitlab(complete.webservice).pages).toMatchObject({
      enabled: true,
      host: "pages.example.org",
      https: true,
      local_store: { enabled: false },
    });
  });
});

describe("s3cfg", () => {
  const settings = (pod: Record<string, Rendered>) =>
    Object.fromEntries([...(pod.s3cfg?.text.matchAll(/^(\w+) = (.*)$/gm) ?? [])].map(([, key, value]) => [key, value]));

  test("reaches the buckets in the path of a URL", () => {
    expect(settings(complete.toolbox)).toMatchObject({
      access_key: mountedValue("objectStoreKeyId"),
      secret_key: mountedValue("objectStoreKey"),
      bucket_location: "fsn1",
      host_base: "fsn1.your-objectstorage.com",
      host_bucket: "fsn1.your-objectstorage.com/%(bucket)",
      use_https: "True",
    });
  });

  test("reaches them in its host, and without TLS", () => {
    expect(settings(bucketInHostToolbox)).toMatchObject({
      host_base: "127.0.0.1:9000",
      host_bucket: "%(bucket)s.127.0.0.1:9000",
      use_https: "False",
    });
  });
});
