import { readFileSync } from "node:fs";
import { join } from "node:path";
import { showStagesAgain } from "@hearth-platform/sandbox/cluster-setup";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

const stages = join(import.meta.dirname, "../../sandbox/stages");

/** Seen with kwok 0.8.0 at a load of 25: its log named no controller for Database until a Stage was annotated. */
test("kwok is shown a Stage again, which is changed and keeps what it says", async () => {
  const sent: KubernetesObject[] = [];
  const apply = async <T extends KubernetesObject>(object: T) => {
    sent.push(object);
    return object;
  };
  await showStagesAgain({ apply });
  const [{ apiVersion, kind, metadata, ...rest } = {} as KubernetesObject] = sent;
  const known = parseAllDocuments(readFileSync(join(stages, "node.yaml"), "utf8")).map((each) => each.toJS());
  expect(known).toContainEqual(
    expect.objectContaining({ apiVersion, kind, metadata: expect.objectContaining({ name: metadata.name }) }),
  );
  expect(rest).toEqual({});
  const [time = ""] = Object.values(metadata.annotations ?? {});
  expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(60_000);
});
