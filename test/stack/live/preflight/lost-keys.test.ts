import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { bucketKey, type Contents } from "@hearth-platform/stack/live/preflight/data-checks";
import { dataNeedsOf } from "@hearth-platform/stack/live/preflight/data-needs";
import { type Looked, placeOf, type QuickFacts } from "@hearth-platform/stack/live/preflight/facts";
import { keyFindings, keyNeedsOf, lostKeys } from "@hearth-platform/stack/live/preflight/lost-keys";
import { objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { refusalOf } from "@hearth-platform/stack/live/preflight/preflight";
import { stackParts, stackPlans } from "@hearth-platform/stack/parts";
import { expect, test } from "vitest";
import { type Changes, checkFiles, wholePlatform, withSettings } from "../../../support/stack-files.ts";

/** Keys that encrypt data, and that neither the cluster nor the state has: on a new cluster, or with an older state. */

interface World {
  readonly settings?: Changes;
  /** Places of objects that the cluster lacks. */
  readonly gone?: readonly string[];
  /** Start of the names of buckets that are in use. */
  readonly used?: string;
  /** Names of Secrets that the cluster has in the namespace of the platform. */
  readonly live?: readonly string[] | "unseen";
  /** Whether the state has a value; without a state, absent. */
  readonly generated?: (value: string) => boolean;
}

const there = { apiVersion: "v1", kind: "X", metadata: { name: "x" } } as KubernetesObject;
const namespace = "platform";
const recover: Changes = { "database.recover": { suffix: "r1", keepSource: false } };
const recovered = `Cluster/${namespace}/forge-db-r1`;

function judged({ settings = {}, gone = [], used, live = [], generated = () => false }: World) {
  const { stack } = checkFiles(withSettings(wholePlatform(), settings));
  if (!stack) throw new Error("The stack is not valid.");
  const data = dataNeedsOf(stack, objectsOf(stackPlans(stack)));
  const needs = keyNeedsOf(stack, stackParts(stack), data);
  const places = data.map(placeOf);
  const facts: QuickFacts = {
    ...{ identity: undefined, served: new Set(), classes: [] },
    objects: new Map<string, Looked>(places.map((place) => [place, gone.includes(place) ? "absent" : there])),
    secrets: new Map([[namespace, live === "unseen" ? live : new Set(live)]]),
    generated: new Set(needs.flatMap(({ values }) => values).filter(generated)),
  };
  const lost = lostKeys(needs, facts);
  const seen = new Map(
    lost
      .flatMap(({ beside }) => beside)
      .map((place): [string, Contents] => [bucketKey(place), used && place.bucket.startsWith(used) ? "used" : "empty"]),
  );
  return { found: keyFindings(lost, facts, seen), needs };
}
const refused = (world: World) => judged(world).found.map(({ subject }) => subject);

const hubKey = "Secret platform/hub-encryption-key";
const forgeKeys = "Secret platform/forge-rails-secrets";

test("with a database to be recovered, a stack without the keys is refused, and told of a way that loses nothing", () => {
  const { found } = judged({ settings: recover, gone: [recovered] });
  expect(found.map(({ subject }) => subject)).toEqual([forgeKeys, hubKey]);
  const refusal = refusalOf(found) ?? "";
  expect(refusal).toMatch(/^Nothing was created\. The update would begin anew beside data that is in use:/);
  expect(refusal).toContain("forge-db-r1 is recovered from its backups: an update would make another key");
  expect(refusal).toContain("Put the key back (docs/how-to/lost-cluster.md");
});

test("one key alone that is missing is named, also where only a value of it is", () => {
  const lacks = (name: string) => (value: string) => !value.endsWith(name);
  const world = { settings: recover, gone: [recovered] };
  expect(refused({ ...world, generated: lacks("hub-encryption-key.value") })).toEqual([hubKey]);
  expect(refused({ ...world, generated: lacks("forge-rails-secrets.db_key_base") })).toEqual([forgeKeys]);
});

test("with its values in the state, or the Secret in the cluster, a key is made again as it was", () => {
  const world = { settings: recover, gone: [recovered] };
  expect(refused({ ...world, generated: () => true })).toEqual([]);
  expect(refused({ ...world, live: ["forge-rails-secrets", "hub-encryption-key"] })).toEqual([]);
  expect(refused({ ...world, live: "unseen" })).toEqual([forgeKeys, hubKey]);
});

test("objects in a bucket tell that there was a key, also where the database is there", () => {
  expect(refused({ used: "registry-" })).toEqual([hubKey]);
  expect(refused({ used: "uploads-" })).toEqual([forgeKeys]);
});

test("a first update, and one that adds a hub to a recovered platform, may make keys", () => {
  expect(refused({ gone: [`Cluster/${namespace}/forge-db`] })).toEqual([]);
  expect(refused({ settings: recover })).toEqual([]);
});

test("a key of the stack's owner, and one whose loss is allowed, are not asked for", () => {
  const existing = {
    "secrets.existing": { "hub-encryption-key": "hub-encryption-key", "forge-s3-credentials": "keys" },
  };
  const world = { gone: [recovered] };
  expect(refused({ ...world, settings: { ...recover, ...existing } })).toEqual([forgeKeys]);
  const allowDataLoss = ["platform/forge-rails-secrets"];
  expect(refused({ ...world, settings: { ...recover, allowDataLoss } })).toEqual([hubKey]);
});
