import type { HorizontalPodAutoscaler } from "kubernetes-types/autoscaling/v2.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeReplicas } from "./defaults.ts";
import { forgeMetadata } from "./metadata.ts";

/** Share of the requested CPU above which pods are added, in percent. */
const busyPercent = 75;

function isOn(args: ForgeArgs): boolean {
  return forgeReplicas(args).autoscaleFactor > 1 && !args.maintenance;
}

/** Autoscalers, where the arguments ask for them; under maintenance there are none, they would start pods again. */
export const autoscaling = {
  /** The replica count of a Deployment belongs to its autoscaler. */
  ignored(args: ForgeArgs): Pick<PlannedObject, "ignoreChanges"> {
    return isOn(args) ? { ignoreChanges: ["spec.replicas"] } : {};
  },
  /** The autoscaler of the Deployment `name`, from `replicas` upwards. */
  objects(args: ForgeArgs, name: string, replicas: number): PlannedObject[] {
    if (!isOn(args)) return [];
    const object = {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: forgeMetadata(args, name),
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
        minReplicas: replicas,
        maxReplicas: Math.ceil(replicas * forgeReplicas(args).autoscaleFactor),
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: busyPercent } },
          },
        ],
      },
    } satisfies HorizontalPodAutoscaler;
    return [{ object }];
  },
};
