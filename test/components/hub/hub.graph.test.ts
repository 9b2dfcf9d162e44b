import { Hub } from "@hearth-platform/hearth/hub/hub";
import { beforeAll, describe, expect, test } from "vitest";
import {
  mockHash,
  mockPassword,
  type RegisteredResource,
  registered,
  secretValue,
} from "../../support/pulumi-mocks.ts";
import { completeHub, minimalHub } from "./hub.ts";

const typeToken = "hearth:index:Hub";

describe("the component", () => {
  let resources: RegisteredResource[];
  let hub: Hub;

  beforeAll(async () => {
    resources = await registered(() => {
      hub = new Hub("hub", completeHub);
    });
  });

  const find = (type: string, name: string): RegisteredResource => {
    const found = resources.find((resource) => resource.type === type && resource.name === `hub/${name}`);
    if (!found) throw new Error(`${type} ${name} is missing.`);
    return found;
  };

  test("guards its arguments against changes that lose data", () => {
    const guarded = resources.find(({ type }) => type === typeToken);
    expect(guarded?.beforeUpdate).toEqual([`${typeToken}/hub`]);
  });

  test("is the parent of all it makes", () => {
    const parents = new Set(resources.filter(({ type }) => type !== typeToken).map(({ parent }) => parent));
    expect([...parents]).toEqual([`${typeToken}::hub`]);
  });

  test("keeps what encrypts the database's credentials and the administrator's password, and nothing else, when they leave the program", () => {
    const kept = resources.filter(({ protect, retainOnDelete }) => protect && retainOnDelete);
    expect(kept.map(({ name }) => name).sort()).toEqual([
      "hub/hub-admin",
      "hub/hub-admin.password",
      "hub/hub-encryption-key",
      "hub/hub-encryption-key.value",
    ]);
    expect(resources.filter(({ protect, retainOnDelete }) => protect !== retainOnDelete)).toEqual([]);
  });

  test("signs tokens with an RSA key that the state keeps", () => {
    expect(find("tls:index/privateKey:PrivateKey", "hub-token-key.value").inputs).toMatchObject({ algorithm: "RSA" });
  });

  test("writes the registry's user with the hash that the state keeps, so that its salt stays", () => {
    const { data } = find("kubernetes:core/v1:Secret", "hub-registry-user").inputs;
    const text = (key: string) =>
      Buffer.from((secretValue(data) as Record<string, string>)[key] ?? "", "base64").toString();
    expect(text("password")).toBe(mockPassword);
    expect(text("htpasswd")).toBe(`harbor_registry_user:${mockHash}`);
  });

  test("migrates a new version after its backup, and core waits for that", () => {
    const migrations = find("kubernetes:batch/v1:Job", "hub-migrations-2-14-3");
    expect(migrations.dependsOn).toContainEqual(expect.stringMatching(/:Backup::hub\/forge-db-hub-2-14-3$/));
    expect(migrations.replaceOnChanges).toContain("spec.template");
    const core = find("kubernetes:apps/v1:Deployment", "hub-core");
    expect(core.dependsOn).toContain("kubernetes:batch/v1:Job::hub/hub-migrations-2-14-3");
  });

  test("tells how a person and a machine sign in; the administrator's password is secret", async () => {
    expect(hub.endpoints).toEqual({
      web: "https://hub.example.org",
      registry: "hub.example.org",
      administration: "https://hub.example.org/account/sign-in",
    });
    expect(hub.login).toContain("docker login hub.example.org: with your user name and the CLI secret of your profile");
    expect(hub.login).toContain("no token of https://forge.example.org replaces");
    expect(hub.robots).toEqual({ ci: { user: "robot$ci", password: { name: "hub-robot-ci", key: "password" } } });
    expect(hub.adminUser).toBe("admin");
    const password = hub.adminPassword as unknown as { promise(): Promise<string>; isSecret: Promise<boolean> };
    expect(await password.promise()).toBe(mockPassword);
    expect(await password.isSecret).toBe(true);
  });

  test("refuses wrong arguments with all of them in one report", () => {
    const wrong = { ...completeHub, version: "1.10.0", storageQuota: "much" };
    const report = expect.objectContaining({
      errors: [
        expect.objectContaining({ propertyPath: "version" }),
        expect.objectContaining({ propertyPath: "storageQuota" }),
      ],
    });
    expect(() => new Hub("other", wrong)).toThrow(report);
  });
});

test("without sign-on a person has a password, and what a store holds is no output", async () => {
  let hub: Hub | undefined;
  await registered(() => {
    hub = new Hub("hub", {
      ...minimalHub,
      platform: { ...minimalHub.platform, secrets: { store: { name: "vault" } } },
    });
  });
  expect(hub?.login).toContain("with your user name and password");
  expect(hub?.adminPassword).toBeUndefined();
});
