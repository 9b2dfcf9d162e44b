import { begunCreates, mayExist, type RecordedResource } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import { interruption } from "@hearth-platform/stack/state/interrupted";
import { expect, it } from "vitest";

const object = (name: string, namespace = "team"): RecordedResource => ({
  urn: `urn:pulumi:dev::hearth::kubernetes:core/v1:Service::team/${name}`,
  type: "kubernetes:core/v1:Service",
  inputs: { apiVersion: "v1", kind: "Service", metadata: { name, namespace } },
});
/** What may exist after these creates were under way. */
const unrecorded = (recorded: readonly RecordedResource[], ...creating: readonly RecordedResource[]) =>
  begunCreates(
    recorded,
    creating.map((resource) => ({ type: "creating", resource })),
  )
    .filter(mayExist)
    .map(({ resource }) => resource);
const password: RecordedResource = { urn: "urn:pulumi:dev::hearth::random::team/admin", type: "random", inputs: {} };

it("an update after one that was killed names what it may have made, and heal", () => {
  expect(interruption([object("web")], "dev")).toBe(
    [
      "An earlier update was interrupted while it made these objects. They may exist, but the state does not have them:",
      "- Service team/web",
      "Run `./hearth heal --stack dev`: it takes those that exist into the state. Then run `pulumi up`.",
    ].join("\n"),
  );
  const many = Array.from({ length: 12 }, (_, index) => object(`web-${index}`));
  expect(interruption(many, "dev")).toContain("- Service team/web-9\n- and 2 more\n");
  expect(interruption([], "dev")).toBeUndefined();
});

it("what may exist is what was begun and is not in the state: objects and buckets, each once", () => {
  const web = object("web");
  const bucket = {
    urn: "urn:pulumi:dev::hearth::bucket::data",
    type: "aws:s3/bucket:Bucket",
    inputs: { bucket: "data" },
  };
  expect(unrecorded([], web, web, bucket, password)).toEqual([web, bucket]);
  expect(unrecorded([web], web)).toEqual([]);
});

it("a replacement counts where the old object was deleted for it, or stands elsewhere", () => {
  const web = object("web");
  for (const old of [{ ...web, pendingReplacement: true }, { ...web, delete: true }, object("web", "old")])
    expect(unrecorded([old], web)).toEqual([web]);
  // The engine does not replace what is protected.
  expect(unrecorded([{ ...object("web", "old"), protect: true }], web)).toEqual([]);
});
