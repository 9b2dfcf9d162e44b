/** Volumes, their claims, quotas and token Secrets: taken up by their controllers. */
import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../grpc.ts";
import { valueAt } from "../objects.ts";
import { type Awaiter, READY } from "./readiness.ts";

/** Bound, or, where the storage class waits for the first pod that uses it, accepted. */
export const persistentVolumeClaim: Awaiter = {
  onRead: false,
  related(live): ReturnType<NonNullable<Awaiter["related"]>> {
    const name = valueAt(live, ["spec", "storageClassName"]);
    if (typeof name !== "string" || name === "") return {};
    return { storageClass: { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name } } };
  },
  judge({ live, related: { storageClass } }) {
    const phase = valueAt(live, ["status", "phase"]);
    const waitsForPod = valueAt(storageClass, ["volumeBindingMode"]) === "WaitForFirstConsumer";
    if (phase === "Bound" || (phase === "Pending" && waitsForPod)) return READY;
    return {
      ready: false,
      message: "Waiting for PersistentVolumeClaim to be bound",
      reasons: [`status.phase currently at: ${phase}`],
    };
  },
};

/** Available or bound. */
export const persistentVolume: Awaiter = {
  onRead: false,
  judge({ live }) {
    const phase = valueAt(live, ["status", "phase"]);
    if (phase === "Available" || phase === "Bound") return READY;
    return {
      ready: false,
      message: "Waiting for PersistentVolume to be available",
      reasons: [`status.phase currently at: ${phase}`],
    };
  },
};

/** Its limits are in force. */
export const resourceQuota: Awaiter = {
  onRead: false,
  judge({ live }) {
    if (isDeepStrictEqual(valueAt(live, ["spec", "hard"]), valueAt(live, ["status", "hard"]))) return READY;
    return { ready: false, message: "Waiting for ResourceQuota to be initialized" };
  },
};

/** A service account's token Secret has its token; all other Secrets are ready at once. */
export const secret: Awaiter = {
  onRead: false,
  judge({ live }) {
    const data = valueAt(live, ["data"]);
    if (
      valueAt(live, ["type"]) !== "kubernetes.io/service-account-token" ||
      (isObject(data) && Object.keys(data).length > 0)
    )
      return READY;
    return { ready: false, message: "Waiting for the token of the service account" };
  },
};
