import type { HorizontalPodAutoscaler } from "kubernetes-types/autoscaling/v2.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeMetadata } from "./metadata.ts";

/** Share of the requested CPU above which pods are added, in percent. */
const busyPercent = 75;

/** Pods of a part that writes: none under maintenance. */
export function writingPods({ replicas, maintenance }: ResolvedForge, part: "webservice" | "jobs"): number {
  return maintenance ? 0 : replicas[part];
}

function isOn(args: ResolvedForge): boolean {
  return args.replicas.autoscaleFactor > 1 && !args.maintenance;
}

/** Autoscalers, where the arguments ask for them; under maintenance there are none, they would start pods again. */
export const autoscaling = {
  /** The replica count of a Deployment belongs to its autoscaler. */
  ignored(args: ResolvedForge): Pick<PlannedObject, "ignoreChanges"> {
    return isOn(args) ? { ignoreChanges: ["spec.replicas"] } : {};
  },
  /** The autoscaler of the Deployment `name`, from `replicas` upwards. */
  objects(args: ResolvedForge, name: string, replicas: number): PlannedObject[] {
    if (!isOn(args)) return [];
    const object = {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: forgeMetadata(args, name),
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name },
        minReplicas: replicas,
        maxReplicas: Math.ceil(replicas * args.replicas.autoscaleFactor),
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
