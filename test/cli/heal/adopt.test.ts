import { Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import { describe, expect, it } from "vitest";
import {
  bucket,
  heal,
  inBackend,
  killed,
  password,
  provider,
  resource,
  sent,
  service,
  sign,
  there,
  type World,
  withState,
} from "./world.ts";

inBackend();

/** What a killed update had begun to make. */

describe("hearth heal", () => {
  it("takes in what is there as it was sent, by the stack's own cluster, and has it read", async () => {
    const { status, stderr, imported, asked, providers } = await heal(killed(service), {
      live: there(service.inputs ?? {}),
    });
    expect(status).toBe(0);
    expect(stderr).toContain("adopt   Service team/web: It exists as this stack sent it.");
    expect(providers).toEqual([provider.inputs]);
    expect(imported?.pending_operations).toEqual([]);
    expect(imported?.resources?.at(-1)).toMatchObject({
      ...service,
      id: "team/web",
      outputs: { ...service.inputs, __fieldManager: "pulumi-kubernetes-5ae60ffc", __initialApiVersion: "v1" },
    });
    expect(asked.at(-1)).toBe(`refresh dev ${service.urn} never`);
  });

  it("forgets what was not made, and what is nowhere but in the state", async () => {
    const { status, stderr, imported, asked } = await heal(killed(service, password, bucket));
    expect(status).toBe(0);
    expect(stderr.match(/forget/g)).toHaveLength(3);
    expect(imported).toEqual({ resources: [provider], pending_operations: [] });
    expect(asked.some((words) => words.startsWith("refresh"))).toBe(false);
  });

  it.each<[string, World]>([
    ["somebody else made", { live: there(service.inputs ?? {}, { managedFields: [{ manager: "kubectl-create" }] }) }],
    ["is not as it was sent", { live: there({ ...service.inputs, spec: {} }), applied: there(service.inputs ?? {}) }],
  ])("leaves an object that %s, names it, and ends with 1", async (_, world) => {
    const { status, stderr, imported } = await heal(killed(service), world);
    expect(status).toBe(1);
    expect(stderr).toContain("leave   Service team/web: ");
    expect(stderr).not.toMatch(/remove|rename|delete|pulumi import/);
    expect(imported?.resources).toEqual([provider]);
  });

  it("says how a volume that a person restored becomes the stack's, and leaves it", async () => {
    const claim = resource("kubernetes:core/v1:PersistentVolumeClaim", "team/web", sent("PersistentVolumeClaim", {}));
    const live = there(claim.inputs ?? {}, { managedFields: [{ manager: "kubectl-create" }] });
    const { status, stderr } = await heal(killed(claim), { live });
    expect(status).toBe(1);
    expect(stderr).toContain('If you restored it for this stack, docs/explanation/data.md, "When a volume is gone"');
  });

  it("takes in an empty bucket, and none that holds objects", async () => {
    const empty = await heal(killed(bucket), { bucket: { holds: "nothing" } });
    expect(empty.imported?.resources?.at(-1)).toMatchObject({ urn: bucket.urn, id: "data-team" });
    const used = await heal(killed(bucket), { bucket: { holds: "objects" } });
    expect([used.status, used.imported?.resources]).toEqual([1, [provider]]);
    expect(used.stderr).toContain("already holds objects");
  });

  it("records what an object was sent, and what is there, with its secrets marked", async () => {
    const data = { ...sign, ciphertext: "v1:abc" };
    const secret = resource("kubernetes:core/v1:Secret", "team/web", sent("Secret", { data }));
    const live = there(sent("Secret", { data: { password: "aHVudGVyMg==" } }));
    const { imported } = await heal(killed(secret), { live });
    expect(imported?.resources?.at(-1)?.outputs).toMatchObject({
      metadata: { uid: "u" },
      data: { ...sign, plaintext: '{"password":"aHVudGVyMg=="}' },
      __inputs: { data },
    });
    expect(JSON.stringify(imported?.resources?.at(-1)?.outputs)).not.toContain("managedFields");
  });

  it("completes what an older heal left without what the object was sent", async () => {
    const bare = { ...service, id: "team/web", outputs: { ...service.inputs } };
    const { status, stderr, imported, asked } = await heal(withState([provider, bare]));
    expect(status).toBe(0);
    expect(stderr).toContain("adopt   Service team/web: The state lacks what it was last sent.");
    expect(imported?.resources?.[1]).toEqual({ ...bare, outputs: { ...bare.outputs, __inputs: service.inputs } });
    expect(asked.at(-1)).toBe(`refresh dev ${service.urn} never`);
    const whole = { ...bare, ...imported?.resources?.[1] };
    expect(await heal(withState([provider, whole]))).toMatchObject({ status: 0, imported: undefined });
  });

  it("names an object that differs in what never changes, and adopts the others", async () => {
    const refused = new Refusal(422, { message: 'Job.batch "web" is invalid: spec.template: field is immutable' });
    const other = resource("kubernetes:core/v1:Service", "team/other", sent("Service", { spec: {} }));
    const { status, stderr, imported } = await heal(killed(service, other), {
      live: there(service.inputs ?? {}),
      refused: (object) => ("ports" in ((object as { spec?: object }).spec ?? {}) ? refused : undefined),
    });
    expect(status).toBe(1);
    expect(stderr).toContain("leave   Service team/web: The existing object is not as this stack sent it.");
    expect(stderr).not.toContain("immutable");
    expect(imported?.resources?.map(({ urn }) => urn)).toEqual([provider.urn, other.urn]);
  });

  it("compares secrets, and shows none", async () => {
    const data = { ...sign, plaintext: JSON.stringify({ password: "aHVudGVyMg==" }) };
    const secret = resource("kubernetes:core/v1:Secret", "team/web", sent("Secret", { data }));
    const live = there(sent("Secret", { data: { password: "aHVudGVyMg==" } }));
    const { stdout, stderr, status } = await heal(killed(secret), { live }, "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ stack: "dev", healed: true, locks: [], rewritten: [], forgotten: [], foreign: [] },
      adopted: [{ urn: secret.urn, why: "It exists as this stack sent it." }],
    });
    expect(stdout + stderr).not.toMatch(/aHVudGVyMg|hunter2/);
  });
});
