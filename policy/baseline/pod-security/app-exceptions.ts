import { servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { type PodException, podExceptions } from "@hearth-platform/hearth/kubernetes/pod-exceptions";

/** The ways in which the pods of a suite's workload `name` may leave the restricted profile; none unless it is an app that needs one. */
export function appExceptions(name: string | undefined): readonly PodException[] {
  const app = servedApps.find(({ server }) => server.workload === name);
  return (app?.server.exceptions ?? []).map((exception) => podExceptions[exception]);
}
