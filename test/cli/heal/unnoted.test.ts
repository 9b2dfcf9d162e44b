import { existsSync } from "node:fs";
import type { Export } from "@hearth-platform/cli/heal/deployment";
import type { HistoryEntry } from "@hearth-platform/cli/heal/unnoted";
import { describe, expect, it } from "vitest";
import {
  bucket,
  byPulumi,
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
  whole,
} from "./world.ts";

inBackend();

describe("hearth heal after an update that failed, of which the state has no word", () => {
  const failed: HistoryEntry[] = [
    {
      kind: "refresh",
      result: "succeeded",
      startTime: "2026-11-20T08:10:00.000Z",
      endTime: "2026-11-20T08:10:05.000Z",
    },
    { kind: "update", result: "failed", startTime: "2026-11-20T08:05:00.000Z", endTime: "2026-11-20T08:06:00.000Z" },
    { kind: "update", result: "failed", startTime: "2026-11-20T08:00:00.000Z", endTime: "2026-11-20T08:01:00.000Z" },
    { kind: "update", result: "succeeded", startTime: "2026-11-20T07:00:00.000Z", endTime: "2026-11-20T07:01:00.000Z" },
    { kind: "update", result: "failed", startTime: "2026-11-20T06:00:00.000Z", endTime: "2026-11-20T06:01:00.000Z" },
  ];
  const failedState: Export = { version: 3, deployment: { resources: [provider] } };
  const madeAt = (creationTimestamp: string) => there(service.inputs ?? {}, { ...byPulumi, creationTimestamp });
  const proposed = [service];

  it("takes in what the next update would create, and one that failed has made", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const { status, stderr, imported, asked } = await heal(failedState, { live, proposed, history: failed });
    expect([status, stderr]).toEqual([0, expect.stringContaining("adopt   Service team/web: It exists")]);
    expect(imported?.resources?.at(-1)).toMatchObject({ ...service, id: "team/web" });
    expect(asked.at(-1)).toBe(`refresh dev ${service.urn} never`);
  });

  it("takes in what an update made that was killed later, and that the history does not have", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const other = resource("kubernetes:core/v1:Service", "team/other", sent("Service"));
    const since = (history: HistoryEntry[], state: Export) => heal(state, { live, proposed, history });
    expect(await since(failed.slice(3), killed(other))).toMatchObject({
      status: 0,
      stderr: expect.stringContaining("adopt   Service team/web: It exists"),
    });
    const first = killed(other);
    const stack = { urn: "urn:pulumi:dev::hearth::pulumi:pulumi:Stack::hearth-dev", type: "pulumi:pulumi:Stack" };
    for (const [created, status] of [
      ["2026-11-20T07:59:00Z", 0],
      ["2026-11-20T08:02:00Z", 1],
    ] as const) {
      const resources = [{ ...stack, created }, ...(first.deployment?.resources ?? [])];
      expect(await since([], { ...first, deployment: { ...first.deployment, resources } })).toMatchObject({ status });
    }
  });

  it.each(["07:00:30", "06:00:30"])("names what was made at %s, before such an update, and leaves it", async (time) => {
    const live = madeAt(`2026-11-20T${time}Z`);
    const { status, stderr, imported } = await heal(failedState, { live, proposed, history: failed });
    expect([status, imported]).toEqual([1, undefined]);
    expect(stderr).toContain("leave   Service team/web: It is older than the updates of this stack that failed.");
  });

  it("reckons with another clock of the API server", async () => {
    const hour = 3_600_000;
    const live = madeAt("2026-11-20T09:00:30Z");
    const world = { live, proposed, history: failed, date: new Date(Date.now() + hour) };
    expect(await heal(failedState, world)).toMatchObject({ status: 0 });
  });

  it("names what is there otherwise than this stack would send it, or of which part is not known", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const other = { ...live, spec: { ports: [{ port: 81 }] } };
    const changed = await heal(failedState, { live: other, applied: live, proposed, history: failed });
    expect(changed.stderr).toContain(
      "leave   Service team/web: The existing object is not as this stack sent it: spec.ports[0].port.",
    );
    const unknown = { ...service, inputs: sent("Service", { spec: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }) };
    const { status, stderr, imported } = await heal(failedState, { live, proposed: [unknown], history: failed });
    expect([status, imported]).toEqual([1, undefined]);
    expect(stderr).toContain("leave   Service team/web: Part of what the stack would send is only known");
  });

  it("takes in a Secret with its values, and shows none", async () => {
    const data = { ...sign, plaintext: JSON.stringify({ password: "aHVudGVyMg==" }) };
    const secret = resource("kubernetes:core/v1:Secret", "team/web", sent("Secret", { data }));
    const live = there(sent("Secret", { data: { password: "aHVudGVyMg==" } }), {
      ...byPulumi,
      creationTimestamp: "2026-11-20T08:00:30Z",
    });
    const { status, stdout, stderr, imported, plans, modes } = await heal(
      failedState,
      { live, proposed: [secret], history: failed },
      "--json",
    );
    expect(status).toBe(0);
    expect(imported?.resources?.at(-1)?.inputs?.data).toEqual(data);
    expect(plans).toHaveLength(1);
    expect(modes).toEqual([0o700]);
    expect(existsSync(String(plans[0]))).toBe(false);
    expect(stdout + stderr).not.toMatch(/aHVudGVyMg|hunter2/);
  });

  it("takes in an empty bucket of that time, and no older one, or of which that can't be asked", async () => {
    const world = (made?: string) => ({
      ...{ proposed: [bucket], history: failed },
      bucket: { holds: "nothing", made: made === undefined ? undefined : new Date(made) } as const,
    });
    expect(await heal(failedState, world("2026-11-20T08:05:30Z"))).toMatchObject({ status: 0 });
    for (const made of ["2026-11-20T06:30:00Z", undefined])
      expect(await heal(failedState, world(made))).toMatchObject({ status: 1, imported: undefined });
  });

  it("is silent about what is not there, and previews nothing where no update failed", async () => {
    const none = await heal(failedState, { proposed: [service, bucket, password], history: failed });
    expect([none.status, none.stderr]).toEqual([0, expect.stringContaining("Nothing to heal")]);
    const well = await heal(failedState, { proposed, history: failed.slice(3) });
    expect([well.status, well.asked.filter((words) => words.startsWith("preview"))]).toEqual([0, []]);
  });

  it("leaves what a provider would have sent that is not made, or that the state has already", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const unmade = { version: 3, deployment: { resources: [] } };
    expect(await heal(unmade, { live, proposed, history: failed })).toMatchObject({ status: 0, imported: undefined });
    const known = { ...failedState, deployment: { resources: [provider, whole({ ...service, id: "team/web" })] } };
    expect(await heal(known, { live, proposed, history: failed })).toMatchObject({ status: 0, imported: undefined });
  });

  it("takes in what the state says was under way, where the preview fails, and says why it can't tell the rest", async () => {
    const live = madeAt("2026-11-20T08:00:30Z");
    const { status, stderr, imported } = await heal(killed(service), { live, proposed: undefined, history: failed });
    expect(status).toBe(1);
    expect(stderr).toContain("because a preview fails:\nsettings are wrong\n");
    expect(imported?.resources?.at(-1)).toMatchObject({ urn: service.urn, id: "team/web" });
  });
});
