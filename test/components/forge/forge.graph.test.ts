import { Forge } from "@hearth-platform/hearth/forge/forge";
import { beforeAll, describe, expect, test } from "vitest";
import { mockPassword, type RegisteredResource, registered } from "../../support/pulumi-mocks.ts";
import { completeForge } from "./forge.ts";

const typeToken = "hearth:index:Forge";

describe("the component", () => {
  let resources: RegisteredResource[];
  let forge: Forge;

  beforeAll(async () => {
    resources = await registered(() => {
      forge = new Forge("forge", completeForge);
    });
  });

  const find = (type: string, name: string): RegisteredResource => {
    const found = resources.find((resource) => resource.type === type && resource.name === name);
    if (!found) throw new Error(`${type} ${name} is missing.`);
    return found;
  };

  test("guards its arguments against changes that lose data", () => {
    expect(find(typeToken, "forge").beforeUpdate).toEqual([`${typeToken}/forge`]);
  });

  test("keeps the repositories and the keys of the database when they leave the program", () => {
    const kept = { protect: true, retainOnDelete: true };
    expect(find("kubernetes:core/v1:PersistentVolumeClaim", "forge/data-forge-gitstore-0")).toMatchObject(kept);
    expect(
      find("tls:index/privateKey:PrivateKey", "forge/forge-rails-secrets.openid_connect_signing_key"),
    ).toMatchObject(kept);
    for (const key of ["db_key_base", "otp_key_base", "secret_key_base"])
      expect(find("random:index/randomPassword:RandomPassword", `forge/forge-rails-secrets.${key}`)).toMatchObject(
        kept,
      );
  });

  test("has host keys of three kinds, of which the same are mounted for ever", () => {
    const kinds = resources
      .filter(({ type, name }) => type === "tls:index/privateKey:PrivateKey" && name.includes("host-keys"))
      .map(({ inputs }) => inputs.algorithm);
    expect(kinds.sort()).toEqual(["ECDSA", "ED25519", "RSA"]);
  });

  test("gives its addresses and how applications sign on; the administrator's password is secret", async () => {
    expect(forge.endpoints).toEqual({
      web: "https://forge.example.org",
      ssh: "ssh://git@ssh.example.org:2222",
      pages: "https://*.pages.example.org",
    });
    expect(forge.applications.hub).toEqual({
      issuer: "https://forge.example.org",
      clientId: { name: "forge-application-hub", key: "client-id" },
      clientSecret: { name: "forge-application-hub", key: "client-secret" },
    });
    const password = forge.adminPassword as unknown as { promise(): Promise<string>; isSecret: Promise<boolean> };
    expect(await password.promise()).toBe(mockPassword);
    expect(await password.isSecret).toBe(true);
  });

  test("refuses wrong arguments with all of them in one report", () => {
    expect(() => new Forge("other", { ...completeForge, databaseVersion: "14", version: "19.0.0" })).toThrow(
      /can't be deployed/,
    );
  });
});
