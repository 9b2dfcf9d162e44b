import { z } from "zod";

/**
 * What the programs beside Rails accept in their files: every key and type of the structures they decode them into. They pass over a
 * key they don't know without a word, so that a wrong name would never be noticed. Durations are Go's `time.ParseDuration`.
 */

const text = z.string().min(1);
const texts = z.array(text);
const whole = z.int().nonnegative();
const flag = z.boolean();
const duration = z.string().regex(/^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/);
const address = z.string().regex(/^(\d+\.\d+\.\d+\.\d+|\[[0-9a-f:]*\]|[a-z.-]*):\d{1,5}$/);

/** A structure in which no other keys are. */
function structure<Keys extends string>(keys: Record<Keys, z.ZodType>) {
  return z.strictObject(keys).partial();
}

/** `config.yml` of gitlab-sshd 14.49. (gitlabhq/gitlab-shell internal/config/config.go) */
export const shellSchema = structure({
  user: text,
  log_file: text,
  log_format: z.enum(["json", "text"]),
  log_level: text,
  gitlab_url: z.url(),
  gitlab_relative_url_root: text,
  gitlab_tracing: text,
  secret_file: text,
  secret: text,
  ssl_cert_dir: text,
  http_settings: structure({ user: text, password: text, read_timeout: whole, ca_file: text, ca_path: text }),
  sshd: structure({
    listen: address,
    proxy_protocol: flag,
    proxy_policy: z.enum(["use", "require", "reject", "ignore"]),
    proxy_allowed: texts,
    web_listen: address,
    concurrent_sessions_limit: whole,
    // Seconds where they are a number.
    client_alive_interval: z.union([whole, duration]),
    grace_period: z.union([whole, duration]),
    proxy_header_timeout: z.union([whole, duration]),
    login_grace_time: z.union([whole, duration]),
    readiness_probe: text,
    liveness_probe: text,
    host_key_files: texts,
    host_cert_files: texts,
    trusted_user_ca_keys: texts,
    macs: texts,
    kex_algorithms: texts,
    public_key_algorithms: texts,
    ciphers: texts,
    gssapi: structure({ enabled: flag, keytab: text, service_principal_name: text }),
  }),
  lfs: structure({ pure_ssh_protocol: flag }),
  pat: structure({ enabled: flag, allowed_scopes: texts }),
});

const listener = structure({
  network: z.enum(["tcp", "unix"]),
  addr: address,
  tls: structure({ certificate: text, key: text, ca_certificate: text, min_version: text, max_version: text }),
});

/** `workhorse-config.toml` of the proxy 18. (gitlabhq/gitlabhq workhorse/internal/config/config.go) */
export const proxySchema = structure({
  config_command: text,
  redis: structure({
    URL: z.url({ protocol: /^(rediss?|tcp|unix)$/ }),
    Sentinel: texts,
    SentinelMaster: text,
    SentinelUsername: text,
    SentinelPassword: text,
    Password: text,
    DB: whole,
    MaxIdle: whole,
    MaxActive: whole,
  }),
  object_storage: structure({
    provider: z.enum(["AWS", "AzureRM", "Google"]),
    s3: structure({ aws_access_key_id: text, aws_secret_access_key: text, aws_session_token: text }),
  }),
  adopt_cf_ray_header: flag,
  image_resizer: structure({ max_scaler_procs: whole, max_scaler_mem: whole, max_filesize: whole }),
  metadata: structure({ zip_reader_limit_bytes: whole }),
  alt_document_root: text,
  shutdown_timeout: duration,
  trusted_cidrs_for_x_forwarded_for: texts,
  trusted_cidrs_for_propagation: texts,
  listeners: z.array(listener),
  metrics_listener: listener,
});

/** Parameters that every Go CDK of the git stores of 18 and 19 knows; any other is an error. (gocloud.dev 0.40.1 to 0.47 blob, blob/s3blob, aws) */
const bucketParameters = ["region", "endpoint", "use_path_style", "s3ForcePathStyle", "disable_https", "prefix"];
const bucketUrl = z.url({ protocol: /^s3$/ }).refine((url) => {
  const names = [...new URL(url).searchParams.keys()];
  return names.every((name) => bucketParameters.includes(name)) && new Set(names).size === names.length;
});

/** `config.toml` of the git store, its parts that are no limits or caches. (gitaly internal/gitaly/config/config.go) */
export const gitstoreSchema = structure({
  socket_path: text,
  listen_addr: address,
  tls_listen_addr: address,
  prometheus_listen_addr: address,
  bin_dir: text,
  runtime_dir: text,
  graceful_restart_timeout: duration,
  storage: z.array(z.strictObject({ name: text, path: text })).min(1),
  logging: structure({
    dir: text,
    format: z.enum(["json", "text"]),
    level: z.enum(["debug", "info", "warn", "error", "fatal", "panic"]),
    sentry_dsn: text,
    sentry_environment: text,
  }),
  auth: structure({ token: text, transitioning: flag }),
  git: structure({
    use_bundled_binaries: flag,
    bin_path: text,
    catfile_cache_size: whole,
    config: z.array(z.strictObject({ key: text, value: text })),
    signing_key: text,
    rotated_signing_keys: texts,
    committer_email: text,
    committer_name: text,
  }),
  "gitlab-shell": structure({ dir: text }),
  gitlab: structure({ url: z.url(), relative_url_root: text, secret_file: text, secret: text }),
  hooks: structure({ custom_hooks_dir: text }),
  timeout: structure({ upload_pack_negotiation: duration, upload_archive_negotiation: duration }),
  backup: structure({ go_cloud_url: bucketUrl, layout: text }),
});
