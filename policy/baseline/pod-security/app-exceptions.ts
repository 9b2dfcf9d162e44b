import { suiteApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { type PodException, podExceptions } from "@hearth-platform/hearth/kubernetes/pod-exceptions";

/** The ways in which the pods of a suite's workload `name` may leave the restricted profile; none unless it is an app that needs one. */
export function appExceptions(name: string | undefined): readonly PodException[] {
  const app = suiteApps.find(({ workload }) => workload === name);
  return (app?.exceptions ?? []).map((exception) => podExceptions[exception]);
}
