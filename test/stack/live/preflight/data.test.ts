import { join } from "node:path";
import { today } from "@hearth-platform/hearth/core/days";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { bucketKey, type Contents, dataFindings, placesToSee } from "@hearth-platform/stack/live/preflight/data-checks";
import { dataNeedsOf } from "@hearth-platform/stack/live/preflight/data-needs";
import { type Looked, placeOf, type QuickFacts } from "@hearth-platform/stack/live/preflight/facts";
import { objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { refusalOf } from "@hearth-platform/stack/live/preflight/preflight";
import { checkLockedStack } from "@hearth-platform/stack/locked-stack";
import { stackPlans } from "@hearth-platform/stack/parts";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { describe, expect, it } from "vitest";

/** What an update would begin anew, beside what is left of an earlier one. */

const project = join(import.meta.dirname, "../../../..");

function committed(name: string): Stack {
  const { source } = sourceFromFile(project, name);
  const { stack } = source ? checkLockedStack(project, source, { today: today() }) : {};
  if (!stack) throw new Error(`Stack ${name} is not valid.`);
  return stack;
}

const prod = committed("prod");
const withSettings = (more: Partial<Stack["settings"]>): Stack => ({
  ...prod,
  settings: { ...prod.settings, ...more },
});
const needsOf = (stack: Stack) => dataNeedsOf(stack, objectsOf(stackPlans(stack)));

const there = { apiVersion: "v1", kind: "X", metadata: { name: "x" } } as KubernetesObject;
const database = "Cluster/platform/forge-db";
const repositories = "PersistentVolumeClaim/platform/data-forge-gitstore-0";
const keystore = "PersistentVolumeClaim/platform/data-keystore-0";

/** What is found where the objects named are not there, and the buckets named are in use. */
function judged(
  stack: Stack,
  {
    gone = {},
    used = {},
    reserved,
  }: {
    gone?: Readonly<Record<string, Looked>>;
    used?: Readonly<Record<string, Contents>>;
    reserved?: ReadonlyMap<string, string>;
  },
) {
  const needs = needsOf(stack);
  const facts: QuickFacts = {
    ...{ identity: undefined, served: new Set(), classes: [] },
    objects: new Map<string, Looked>(needs.map((need) => [placeOf(need), gone[placeOf(need)] ?? there])),
    ...(reserved && { reserved }),
  };
  const places = placesToSee(needs, facts);
  const seen = new Map(places.map((place) => [bucketKey(place), used[`${place.bucket}/${place.folder}`] ?? "empty"]));
  return { places, found: dataFindings(needs, facts, seen) };
}
const wrong = (...args: Parameters<typeof judged>) =>
  judged(...args)
    .found.filter(({ status }) => status !== "ok")
    .map(({ status, subject }) => `${status} ${subject}`);

const buckets = needsOf(prod).find((need) => placeOf(need) === database);
const archive = `${buckets?.archive?.bucket}/forge-db`;
const uploads = `${buckets?.beside.find(({ bucket }) => bucket.startsWith("uploads-"))?.bucket}/`;
const images = `${buckets?.beside.find(({ bucket }) => bucket.startsWith("registry-"))?.bucket}/`;

describe("a stack whose databases and volumes are there", () => {
  it("has no bucket asked, and is fine", () => {
    const { places, found } = judged(prod, { used: { [archive]: "used", [uploads]: "used" } });
    expect(places).toEqual([]);
    expect(found.map(({ status }) => status)).toEqual(found.map(() => "ok"));
    expect(found.length).toBeGreaterThanOrEqual(4);
  });
});

describe("a stack that is new", () => {
  const gone = Object.fromEntries(needsOf(prod).map((need) => [placeOf(need), "absent" as const]));
  it("is fine where its buckets are empty", () => {
    expect(wrong(prod, { gone })).toEqual([]);
  });
  it("has the archives and the buckets of data asked, not those of backups and caches", () => {
    const { places } = judged(prod, { gone });
    expect(places.filter(({ folder }) => folder).map(({ folder }) => folder)).toContain("forge-db");
    const whole = places.filter(({ folder }) => !folder).map(({ bucket }) => bucket);
    expect(whole).not.toContainEqual(expect.stringMatching(/backups|tmp|cache/));
    expect(whole.length).toBeGreaterThan(8);
  });
  it("is told what can't be seen with the keys at hand, and not refused", () => {
    expect(wrong(prod, { gone, used: { [archive]: "unseen" } })).toEqual(["unknown database platform/forge-db"]);
  });
});

describe("a database that is gone", () => {
  const gone = { [database]: "absent" } as const;
  it("is not begun anew beside its archive, with both ways on", () => {
    const { found } = judged(prod, { gone, used: { [archive]: "used", [uploads]: "used" } });
    const refusal = refusalOf(found) ?? "";
    expect(refusal).toMatch(/^Nothing was created\. The update would begin anew beside data that is in use:\n/);
    expect(refusal).toContain(
      "database platform/forge-db: The cluster has no such Cluster, and the bucket db-backups-",
    );
    expect(refusal).toContain("set recover with keepSource: false");
    expect(refusal).toContain("name another bucket for its backups");
  });
  it("is not begun anew beside objects that only it knows, unless its loss is allowed", () => {
    const used = { [uploads]: "used" } as const;
    expect(refusalOf(judged(prod, { gone, used }).found)).toContain("hearth:allowDataLoss: [platform/forge-db]");
    const allowed = withSettings({ allowDataLoss: ["platform/forge-db"] });
    expect(wrong(allowed, { gone, used })).toEqual([]);
    expect(wrong(allowed, { gone, used: { [archive]: "used" } })).toEqual(["unsafe database platform/forge-db"]);
  });
  it("may be recovered beside its archive and its objects", () => {
    const recovered = withSettings({
      database: { ...prod.settings.database, recover: { suffix: "r1", keepSource: false } },
    });
    const all = { "Cluster/platform/forge-db-r1": "absent", [keystore]: "absent", [repositories]: "absent" } as const;
    expect(wrong(recovered, { gone: all, used: { [archive]: "used", [uploads]: "used" } })).toEqual([]);
    const again = { [archive.replace(/forge-db$/, "forge-db-r1")]: "used" } as const;
    expect(refusalOf(judged(recovered, { gone: all, used: again }).found)).toContain("another suffix");
  });
  it("is told beside one bucket or several that hold its objects", () => {
    const beside = (buckets?.beside ?? []).slice(0, 2).map(({ bucket }) => bucket);
    const said = (...names: string[]) =>
      refusalOf(judged(prod, { gone, used: Object.fromEntries(names.map((name) => [`${name}/`, "used"])) }).found);
    expect(said(beside[0] ?? "")).toContain(`${beside[0]} holds objects that belong to it`);
    expect(said(...beside)).toContain(`${beside.join(", ")} hold objects that belong to it`);
  });
  it("gets no volume that is reserved for a claim of its name", () => {
    const reserved = new Map([["platform/forge-db", "pvc-1"]]);
    expect(wrong(prod, { gone, used: { [archive]: "used" }, reserved })).toEqual(["unsafe database platform/forge-db"]);
  });
  it("that may not be read is told", () => {
    expect(wrong(prod, { gone: { [database]: "unseen" } })).toEqual(["unknown database platform/forge-db"]);
  });
});

describe("a volume that is gone", () => {
  it("is not begun anew beside objects of its database, unless its loss is allowed", () => {
    const used = { [uploads]: "used" } as const;
    expect(wrong(prod, { gone: { [repositories]: "absent" }, used })).toEqual([
      "unsafe git store platform/data-forge-gitstore-0",
    ]);
    expect(wrong(prod, { gone: { [keystore]: "absent" }, used })).toEqual(["unsafe keystore platform/data-keystore-0"]);
    const allowed = withSettings({ allowDataLoss: ["platform/data-forge-gitstore-0"] });
    expect(wrong(allowed, { gone: { [repositories]: "absent" }, used })).toEqual([]);
  });
  it("gets the volume that is reserved for it, and until then is told how", () => {
    const lost = { gone: { [repositories]: "absent" }, used: { [uploads]: "used" } } as const;
    expect(refusalOf(judged(prod, lost).found)).toContain(
      'reserve that for the claim, run `pulumi refresh`, then `pulumi up` (docs/explanation/data.md, "When a volume is gone")',
    );
    const reserved = new Map([["platform/data-forge-gitstore-0", "pvc-1"]]);
    expect(wrong(prod, { ...lost, reserved })).toEqual([]);
    expect(wrong(prod, { ...lost, reserved: new Map([["team/data-forge-gitstore-0", "pvc-1"]]) })).toHaveLength(1);
  });
  it("of a forge that joins a hub is new, whatever the hub has", () => {
    expect(wrong(prod, { gone: { [repositories]: "absent" }, used: { [images]: "used" } })).toEqual([]);
  });
  it("is not told of beside a database that is gone too", () => {
    const gone = { [database]: "absent", [repositories]: "absent", [keystore]: "absent" } as const;
    expect(wrong(prod, { gone, used: { [uploads]: "used" } })).toEqual(["unsafe database platform/forge-db"]);
  });
});
