import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CoreConfiguration, coreEnvironment } from "@hearth-platform/hearth/hub/configuration/core";
import { jobserviceEnvironment, jobserviceFile } from "@hearth-platform/hearth/hub/configuration/jobservice";
import { portalFile } from "@hearth-platform/hearth/hub/configuration/portal";
import { type RegistryConfiguration, registryFile } from "@hearth-platform/hearth/hub/configuration/registry";
import { expect, test } from "vitest";
import { parse } from "yaml";

const password = { name: "secret", key: "password" };
const keystore = { host: "keystore.forge.svc", port: 6379, password };
const registry: RegistryConfiguration = {
  objectStore: { endpoint: "https://fsn1.your-objectstorage.com", region: "fsn1", pathStyle: true, credentials: "s3" },
  bucket: "registry-a1b2-forge",
  partBytes: 10 * 1024 * 1024,
  redirect: false,
  keystore,
  drainSeconds: 60,
};
const core: CoreConfiguration = {
  publicUrl: "https://hub.example.org",
  database: { host: "forge-db-pooler.forge.svc", port: 5432, database: "registry", user: "app", password },
  databaseConnections: 20,
  keystore,
  signOn: {
    name: "Forge",
    issuer: "https://forge.example.org",
    scopes: ["openid", "profile", "email"],
    userClaim: "preferred_username",
    groupsClaim: "groups",
    groupFilter: "^team$|$(CORE_SECRET)",
  },
  storageQuota: 1024 ** 4,
};

/** What the kubelet makes of `$(NAME)` and `$$`. (k8s.io/kubernetes third_party/forked/golang/expansion) */
function expand(value: string, variables: Record<string, string>): string {
  return value.replace(/\$\$|\$\((\w+)\)/g, (match, name) => (match === "$$" ? "$" : (variables[name] ?? match)));
}

test("the registry keeps its layers in the bucket, by the bucket's path, and what it knows of them in keystore database 2", () => {
  const { storage, redis, auth } = parse(registryFile(registry));
  expect(storage).toMatchObject({
    s3: {
      bucket: "registry-a1b2-forge",
      region: "fsn1",
      regionendpoint: "https://fsn1.your-objectstorage.com",
      secure: true,
    },
    redirect: { disable: true },
    delete: { enabled: true },
  });
  expect(redis).toMatchObject({ addr: "keystore.forge.svc:6379", db: 2 });
  // Tokens are core's affair.
  expect(Object.keys(auth)).toEqual(["htpasswd"]);
});

test("the registry names no endpoint for AWS, where buckets are hosts, and sends clients there when it may", () => {
  const aws = {
    endpoint: "https://s3.eu-central-1.amazonaws.com",
    region: "eu-central-1",
    pathStyle: false,
    credentials: "s3",
  };
  const { storage } = parse(registryFile({ ...registry, objectStore: aws, redirect: true }));
  expect(storage.s3).not.toHaveProperty("regionendpoint");
  expect(storage.redirect).toEqual({ disable: false });
});

test("core's settings are JSON once the kubelet put the client's secrets in, and literal text stays what it is", () => {
  const json = expand(coreEnvironment(core).CONFIG_OVERWRITE_JSON ?? "", {
    OIDC_CLIENT_ID: "id",
    OIDC_CLIENT_SECRET: "s3cret",
    CORE_SECRET: "never shown",
  });
  expect(JSON.parse(json)).toEqual({
    auth_mode: "oidc_auth",
    self_registration: false,
    storage_per_project: 1024 ** 4,
    oidc_name: "Forge",
    oidc_endpoint: "https://forge.example.org",
    oidc_client_id: "id",
    oidc_client_secret: "s3cret",
    oidc_scope: "openid,profile,email",
    oidc_verify_cert: true,
    oidc_auto_onboard: true,
    oidc_user_claim: "preferred_username",
    oidc_groups_claim: "groups",
    oidc_admin_group: "",
    oidc_group_filter: "^team$|$(CORE_SECRET)",
  });
});

test("without sign-on the hub has accounts of its own", () => {
  const { signOn: _, ...local } = core;
  const settings = JSON.parse(coreEnvironment({ ...local, storageQuota: -1 }).CONFIG_OVERWRITE_JSON ?? "");
  expect(settings).toEqual({ auth_mode: "db_auth", self_registration: false, storage_per_project: -1 });
});

test("core and jobs reach the keystore's database 2 with the password of their variable, or with none", () => {
  const url = (variables: Record<string, string>, name: string) =>
    expand(variables[name] ?? "", { KEYSTORE_PASSWORD: "k3y" });
  expect(url(coreEnvironment(core), "_REDIS_URL_CORE")).toBe(
    "redis://:k3y@keystore.forge.svc:6379/2?idle_timeout_seconds=30",
  );
  expect(url(jobserviceEnvironment({ keystore, workers: 5 }), "JOB_SERVICE_POOL_REDIS_URL")).toBe(
    "redis://:k3y@keystore.forge.svc:6379/2",
  );
  const open = { host: "keystore.forge.svc", port: 6379 };
  expect(jobserviceEnvironment({ keystore: open, workers: 5 }).JOB_SERVICE_POOL_REDIS_URL).toBe(
    "redis://keystore.forge.svc:6379/2",
  );
  expect(parse(jobserviceFile({ keystore, workers: 5 })).worker_pool.workers).toBe(5);
});

test("nginx loads the portal's configuration", () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-portal-"));
  try {
    const file = join(folder, "nginx.conf");
    writeFileSync(file, portalFile());
    const { status, stderr } = spawnSync("nginx", ["-t", "-c", file], {
      encoding: "utf8",
      env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    });
    expect(stderr).toContain("test is successful");
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
