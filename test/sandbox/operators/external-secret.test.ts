import {
  type ExternalSecret,
  externalSecretStatus,
  secretData,
  targetSecret,
} from "@hearth-platform/sandbox/operators/external-secret";
import { FakeStore } from "@hearth-platform/sandbox/operators/fake-store";
import { describe, expect, it } from "vitest";

const fake = new FakeStore("seed", { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" });
const stores = () => [{ key: "mail", value: '{"user":"postmaster"}' }];

const external = (spec: ExternalSecret["spec"]): ExternalSecret => ({
  apiVersion: "external-secrets.io/v1",
  kind: "ExternalSecret",
  metadata: { name: "credentials", namespace: "team", uid: "1", generation: 1 },
  spec,
});
const data = [{ secretKey: "user", remoteRef: { key: "mail", property: "user" } }];
const synced = { status: "True", reason: "SecretSynced", message: "secret synced", target: "credentials" } as const;

describe("an ExternalSecret's data", () => {
  it("is what it names, over what dataFrom brings", () => {
    const spec = {
      dataFrom: [{ extract: { key: "mail" } }],
      data: [{ secretKey: "to", remoteRef: { key: "mail", property: "user" } }],
    };
    expect(secretData(spec, stores, fake)).toEqual({ user: "postmaster", to: "postmaster" });
  });

  it("is of the store that each source names, before the ExternalSecret's own", () => {
    const storeRef = { kind: "ClusterSecretStore", name: "other" };
    const named = (ref: { name?: string } | undefined) => [{ key: "mail", value: `{"user":"${ref?.name}"}` }];
    const spec = {
      secretStoreRef: { name: "own" },
      dataFrom: [{ extract: { key: "mail" }, sourceRef: { storeRef } }],
      data: [
        { secretKey: "to", remoteRef: { key: "mail", property: "user" } },
        { secretKey: "cc", remoteRef: { key: "mail", property: "user" }, sourceRef: { storeRef } },
      ],
    };
    expect(secretData(spec, named, fake)).toEqual({ user: "other", to: "own", cc: "other" });
  });

  it("is replaced by a template's data, or merged with it", () => {
    const template = { data: { line: "user={{ .user }}" } };
    expect(secretData({ data, target: { template } }, stores, fake)).toEqual({ line: "user=postmaster" });
    const merged = { data, target: { template: { ...template, mergePolicy: "Merge" as const } } };
    expect(secretData(merged, stores, fake)).toEqual({ user: "postmaster", line: "user=postmaster" });
  });

  it("is refused, never wrong, where the stand-in can't follow", () => {
    const broken = { data, target: { template: { data: { line: "{{ .nobody }}" } } } };
    expect(() => secretData(broken, stores, fake)).toThrow('at key line: map has no entry for key "nobody"');
    expect(() => secretData({ dataFrom: [{ find: {} }] }, stores, fake)).toThrow("does not know dataFrom.find");
    const generated = { dataFrom: [{ sourceRef: { generatorRef: { kind: "UUID", name: "x" } } }] };
    expect(() => secretData(generated, stores, fake)).toThrow("no generator UUID");
  });
});

describe("an ExternalSecret's Secret", () => {
  it("belongs to it, unless the policy says otherwise", () => {
    const owned = targetSecret(external({ data }), { user: "a" });
    expect(owned.metadata.ownerReferences).toMatchObject([{ name: "credentials", uid: "1", controller: true }]);
    expect(owned).toMatchObject({ type: "Opaque", data: { user: "YQ==" }, metadata: { name: "credentials" } });
    const orphan = targetSecret(external({ data, target: { name: "other", creationPolicy: "Orphan" } }), { user: "a" });
    expect(orphan.metadata.ownerReferences).toBeUndefined();
    expect(orphan.metadata.name).toBe("other");
  });

  it("has its name where the target's is empty", () => {
    expect(targetSecret(external({ data, target: { name: "" } }), {}).metadata.name).toBe("credentials");
  });

  it("takes type and labels of its template", () => {
    const template = { type: "kubernetes.io/basic-auth", metadata: { labels: { "cnpg.io/reload": "true" } } };
    expect(targetSecret(external({ data, target: { template } }), {})).toMatchObject({
      type: "kubernetes.io/basic-auth",
      metadata: { labels: { "cnpg.io/reload": "true", "reconcile.external-secrets.io/managed": "true" } },
    });
  });
});

describe("an ExternalSecret's status", () => {
  it("is Ready, and refreshed anew only when the object changed", () => {
    const first = externalSecretStatus(external({ data }), synced, "2026-01-01T00:00:00Z");
    expect(first).toMatchObject({
      conditions: [
        { type: "Ready", status: "True", reason: "SecretSynced", lastTransitionTime: "2026-01-01T00:00:00Z" },
      ],
      refreshTime: "2026-01-01T00:00:00Z",
      binding: { name: "credentials" },
    });
    const same = { ...external({ data }), status: first };
    expect(externalSecretStatus(same, synced, "2026-01-02T00:00:00Z")).toEqual(first);
    const forced = { ...same, metadata: { ...same.metadata, annotations: { "force-sync": "1" } } };
    expect(externalSecretStatus(forced, synced, "2026-01-02T00:00:00Z").refreshTime).toBe("2026-01-02T00:00:00Z");
  });

  it("is not Ready after a failure, and says since when", () => {
    const failed = {
      status: "False",
      reason: "SecretSyncedError",
      message: "could not get secret data from provider",
    } as const;
    const before = {
      ...external({ data }),
      status: externalSecretStatus(external({ data }), synced, "2026-01-01T00:00:00Z"),
    };
    expect(externalSecretStatus(before, failed, "2026-01-03T00:00:00Z")).toMatchObject({
      conditions: [{ type: "Ready", status: "False", lastTransitionTime: "2026-01-03T00:00:00Z" }],
      refreshTime: "2026-01-01T00:00:00Z",
    });
  });
});
