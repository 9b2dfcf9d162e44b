import type { Plan } from "@hearth-platform/hearth/core/plan";
import { stackParts } from "@hearth-platform/stack/parts";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import { expect, it } from "vitest";
import { checkFiles, wholePlatform, withSettings } from "../../support/stack-files.ts";

/** The pods of the drills of a stack with everything, by the namespace of their database. */
function drillPods() {
  const { stack } = checkFiles(withSettings(wholePlatform(), { drill: {} }));
  if (!stack) throw new Error("The stack has problems.");
  const plans: Plan[] = stackParts(stack)
    .filter(({ component }) => component.name === "Drill")
    .flatMap((part) => part.own());
  const jobs = plans.flatMap(({ objects }) => objects).filter(({ object }) => object.kind === "CronJob");
  return new Map(
    jobs.map(({ object }) => [object.metadata.namespace, (object as CronJob).spec?.jobTemplate.spec?.template.spec]),
  );
}

const claims = (volumes: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[] = []) =>
  volumes.flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : []));

it("the drill of the forge's database looks at the repositories, on the node that has their volume", () => {
  const pod = drillPods().get("platform");
  expect(claims(pod?.volumes)).toEqual(["data-forge-gitstore-0"]);
  expect(pod?.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toHaveLength(1);
});

it("the drill of a suite's database asks for no volume of the forge, which is in another namespace", () => {
  const pod = drillPods().get("team");
  expect(claims(pod?.volumes)).toEqual([]);
  expect(pod?.affinity).toBeUndefined();
});
