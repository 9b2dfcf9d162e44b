/** Deployments, StatefulSets and DaemonSets: rolled out. */
import { valueAt } from "../objects.ts";
import { type Awaiter, conditionOf, count, explain, isObserved, READY, replicas, selectedLabels } from "./readiness.ts";

const UNOBSERVED = { ready: false, message: "Waiting for the controller to observe the latest generation" };

/**
 * All replicas are of the newest template and ready, the Deployment is available and, after an update, the new
 * ReplicaSet is.
 */
export const deployment: Awaiter = {
  podLabels: selectedLabels,
  judge({ live }) {
    if (!isObserved(live)) return UNOBSERVED;
    const wanted = replicas(live);
    const [updated, ready] = [count(live, "status", "updatedReplicas"), count(live, "status", "readyReplicas")];
    const available = conditionOf(live, "Available");
    const progressing = conditionOf(live, "Progressing");
    const isFirst = valueAt(live, ["metadata", "annotations", "deployment.kubernetes.io/revision"]) === "1";
    const isAvailable = available?.status === "True";
    const isNewSetAvailable = progressing?.status === "True" && progressing.reason === "NewReplicaSetAvailable";
    const isRolledOut = updated >= wanted && ready >= wanted && count(live, "status", "unavailableReplicas") === 0;
    if (isRolledOut && isAvailable && (isFirst || isNewSetAvailable)) return READY;
    const reasons = [available, progressing]
      .filter((condition) => condition?.status === "False")
      .map((condition) => condition && explain(condition));
    return {
      ready: false,
      message: `Waiting for app ReplicaSet to be available (${Math.min(updated, ready)}/${wanted} Pods available)`,
      reasons: [
        ...reasons.filter((reason) => reason !== undefined),
        isAvailable
          ? "Attempted to roll forward to new ReplicaSet, but minimum number of Pods did not become live"
          : "Minimum number of live Pods was not attained",
      ],
    };
  },
};

/** All replicas are ready and, unless pods are replaced by hand (`OnDelete`), of the newest revision. */
export const statefulSet: Awaiter = {
  podLabels: selectedLabels,
  judge({ live }) {
    if (!isObserved(live)) return UNOBSERVED;
    const wanted = replicas(live);
    const status = (field: string) => count(live, "status", field);
    const revisions = [valueAt(live, ["status", "currentRevision"]), valueAt(live, ["status", "updateRevision"])];
    const isByHand =
      valueAt(live, ["spec", "updateStrategy", "type"]) === "OnDelete" && (live.metadata.generation ?? 1) > 1;
    const areReady = status("replicas") === wanted && status("readyReplicas") === wanted;
    const isCurrent =
      isByHand || (Boolean(revisions[0]) && revisions[0] === revisions[1] && status("currentReplicas") === wanted);
    if (areReady && isCurrent) return READY;
    const ready = Math.min(status("readyReplicas"), isCurrent ? wanted : status("updatedReplicas"));
    return {
      ready: false,
      message: areReady
        ? "Waiting for StatefulSet to update .status.currentRevision"
        : `Waiting for StatefulSet to roll out (${ready}/${wanted} Pods ready)`,
      reasons: [
        ...(areReady ? [] : [`${ready} out of ${wanted} replicas succeeded readiness checks`]),
        ...(isCurrent
          ? []
          : [
              `StatefulSet controller failed to advance from revision "${revisions[0] ?? ""}" to revision "${revisions[1] ?? ""}"`,
            ]),
      ],
    };
  },
};

/** Every node that should run a pod runs one of the newest template, available. */
export const daemonSet: Awaiter = {
  podLabels: selectedLabels,
  judge({ live }) {
    if (!isObserved(live)) return UNOBSERVED;
    const wanted = count(live, "status", "desiredNumberScheduled");
    const fields = ["currentNumberScheduled", "updatedNumberScheduled", "numberAvailable", "numberReady"];
    const lacking = fields.find((field) => count(live, "status", field) < wanted);
    if (!lacking) return READY;
    const message = `${lacking}: ${count(live, "status", lacking)}/${wanted}`;
    return { ready: false, message: `Waiting for DaemonSet (${message})`, reasons: [message] };
  },
};
