import { madeNames, type RecordedResource } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import {
  hooksOfLeftOut,
  leftOut,
  leftOutRefusal,
  recordedTwice,
  twiceRefusal,
} from "@hearth-platform/stack/state/left-out";
import { describe, expect, it } from "vitest";
import { checkFiles, smallStack, withSettings } from "../../support/stack-files.ts";

const urn = (name: string) => `urn:pulumi:dev::hearth::any::${name}`;
const component = (name: string, more: Partial<RecordedResource> = {}): RecordedResource => ({
  ...{ urn: urn(name), type: "hearth:index:CloudSuite", inputs: { namespace: name }, ...more },
});
const child = (parent: string, inputs: RecordedResource["inputs"], name: string): RecordedResource => ({
  ...{ urn: urn(`${parent}/${name}`), type: "any", parent: urn(parent), inputs, protect: true },
});
const object = (parent: string, kind: string, name: string, namespace = "team") =>
  child(
    parent,
    { apiVersion: kind === "Cluster" ? "postgresql.cnpg.io/v1" : "v1", kind, metadata: { name, namespace } },
    name,
  );

/** As a suite is after a recovery: with its old database beside the new one. */
const recorded: RecordedResource[] = [
  component("team"),
  child("team", { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } }, "team"),
  object("team", "Secret", "cloudsuite-admin"),
  child("team", {}, "cloudsuite-admin.password"),
  component("team-db"),
  object("team-db", "Cluster", "cloudsuite-db"),
  object("team-db", "Cluster", "cloudsuite-db-r1"),
  component("team-storage"),
  child("team-storage", { bucket: "data-team-dev1" }, "data-team-dev1"),
];

function partsWith(cloudsuites: unknown): StackPart[] {
  const { stack } = checkFiles(withSettings(smallStack(), { cloudsuites }));
  if (!stack) throw new Error("The stack is not valid.");
  return stackParts(stack);
}
const without = partsWith(undefined);
const team = { name: "team", config: "suites/team/config.yaml" };

describe("what the settings leave out", () => {
  it("is told in one message with every name to unlock, both databases after a recovery", () => {
    const refusal = leftOutRefusal(leftOut(recorded, without), ["club"]);
    expect(refusal).toContain(
      "hearth:allowDataLoss: [club, data-team-dev1, team, team/cloudsuite-admin, team/cloudsuite-db, team/cloudsuite-db-r1]",
    );
    expect(refusal).toContain("- team/cloudsuite-db-r1, of team-db");
  });

  it("is nothing where all of it is still made, may be lost, or was never made", () => {
    const names = (resources: RecordedResource[], parts: StackPart[]) =>
      leftOut(resources, parts).map(({ data }) => data);
    expect(names(recorded, partsWith([team]))).toEqual(["team/cloudsuite-db-r1"]);
    expect(
      names(
        recorded.map((each) => ({ ...each, protect: false })),
        without,
      ),
    ).toEqual([]);
    expect(names([component("team")], without)).toEqual([]);
    expect(leftOutRefusal([])).toBeUndefined();
  });

  it("names a bucket as other buckets are named, whichever of the cluster's kinds makes it", () => {
    const made = ["Bucket", "ObjectBucket"].map((kind) => object("team-storage", kind, `data-${kind}`));
    const names = leftOut([component("team-storage"), ...made], without).map(({ data }) => data);
    expect(names).toEqual(["data-Bucket", "data-ObjectBucket"]);
  });

  it("is a suite of another name too, since Pulumi knows it by that", () => {
    expect(leftOut(recorded, partsWith([{ ...team, name: "crew" }])).map(({ data }) => data)).toContain("team");
  });

  it("is not what another component has too, as after a rename by mistake: its entry goes, and nothing is unlocked", () => {
    const mistaken = [
      component("crew-db"),
      object("crew-db", "Cluster", "cloudsuite-db"),
      component("crew-storage"),
      child("crew-storage", { bucket: "data-team-dev1" }, "data-team-dev1"),
    ];
    const both = [...recorded, ...mistaken];
    const twice = recordedTwice(both, partsWith([team]));
    expect(twice).toEqual([urn("crew-db/cloudsuite-db"), urn("crew-storage/data-team-dev1")]);
    expect(twiceRefusal(twice)).toContain(`pulumi state delete '${urn("crew-db/cloudsuite-db")}' --force`);
    expect(twiceRefusal(twice)).not.toContain("allowDataLoss");
    // Under either name alone it is data like any other.
    expect(recordedTwice(both, without)).toEqual([]);
    expect(recordedTwice(mistaken, partsWith([team]))).toEqual([]);
    expect(twiceRefusal([])).toBeUndefined();
  });

  it("is not a bucket that was taken out of the state to be kept", () => {
    const data = (resources: RecordedResource[]) => leftOut(resources, without).map((each) => each.data);
    expect(data(recorded)).toContain("data-team-dev1");
    const bucket = recorded.filter(({ inputs }) => inputs?.bucket !== undefined);
    expect(data(recorded.filter((each) => !bucket.includes(each)))).toEqual(
      data(recorded).filter((each) => each !== "data-team-dev1"),
    );
  });

  it("is named by its component's namespace where a password has no Secret yet", () => {
    const half = [component("team"), child("team", {}, "cloudsuite-admin.password")];
    expect(leftOut(half, without).map(({ data }) => data)).toEqual(["team/cloudsuite-admin"]);
  });

  it("lets a component go that holds nothing, though it has a hook", () => {
    const half = [component("team", { resourceHooks: { BeforeDelete: ["holds data"] } })];
    expect(hooksOfLeftOut(half, without)).toEqual(["holds data"]);
    expect(hooksOfLeftOut(half, partsWith([team]))).toEqual([]);
  });
});

describe("what the state has made", () => {
  it("is told by names, with the namespaces of what holds data", () => {
    const claim = object("team", "PersistentVolumeClaim", "cloudsuite");
    expect([...madeNames([component("team"), claim, ...recorded.slice(-1)])]).toEqual([
      "team/cloudsuite",
      "PersistentVolumeClaim team/cloudsuite",
      "team",
      "data-team-dev1",
    ]);
  });
});
