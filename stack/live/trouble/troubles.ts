import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Conditioned, conditionOf } from "../preflight/facts.ts";
import { type Finding, findings } from "../preflight/finding.ts";
import { type Live, newestEvent } from "./live.ts";
import { ended, podFindings } from "./pods.ts";

/**
 * Faults of a running stack and their causes. Pulumi's Kubernetes provider does not name these while it waits for
 * objects above them. A warning may pass by itself; a problem rarely does.
 */
export function troubleFindings(live: Live): Finding[] {
  return [
    ...claimFindings(live),
    ...podFindings(live),
    ...refusedPods(live),
    ...jobFindings(live),
    ...certificateFindings(live),
    ...secretFindings(live),
  ];
}

/** The troubles of what runs, or that there are none; nothing before a first update. */
export function liveFindings(live: Live): Finding[] {
  const troubles = troubleFindings(live);
  const { pods, claims, certificates, externalSecrets } = live;
  const isEmpty = [pods, claims, certificates, externalSecrets].every(({ length }) => length === 0);
  if (troubles.length > 0 || isEmpty) return troubles;
  const counts = `${pods.length} pods, ${claims.length} volume claims, ${certificates.length} certificates`;
  return [findings("running").ok("what runs", `No fault in ${counts} and ${externalSecrets.length} external Secrets.`)];
}

/** Claims without a volume; those that wait for their first pod are as they should be. */
function claimFindings(live: Live): Finding[] {
  const { problem } = findings("volume-claims");
  return live.claims
    .filter(({ status }) => status?.phase === "Pending" || status?.phase === "Lost")
    .flatMap(({ metadata, spec }) => {
      const { reason, message = "nothing reports why" } = newestEvent(live, metadata?.uid) ?? {};
      if (reason === "WaitForFirstConsumer") return [];
      const { storageClassName } = spec ?? {};
      const of = storageClassName ? `storage class ${storageClassName}` : "the cluster's default class";
      return problem(
        `volume claim ${metadata?.namespace}/${metadata?.name}`,
        `It has no volume of ${of}: ${ended(message)}`,
        "Check whether the class and its provisioner work, or set another class.",
      );
    });
}

/** Workloads whose pods the API server refuses, by a quota or an admission policy: there is no pod that could tell. */
function refusedPods(live: Live): Finding[] {
  const { problem } = findings("pods");
  const remedy = "Raise the quota, or change what the refusal names.";
  const deployments = live.deployments.flatMap(({ metadata, status }) => {
    const refusal = status?.conditions?.find(({ type, status: is }) => type === "ReplicaFailure" && is === "True");
    return refusal ? [{ metadata, message: refusal.message }] : [];
  });
  const others = [
    ...live.statefulSets.filter(({ spec, status }) => (status?.readyReplicas ?? 0) < (spec?.replicas ?? 1)),
    ...live.jobs.filter(({ status }) => status?.completionTime === undefined),
  ].flatMap(({ metadata }) => {
    const { reason, message } = newestEvent(live, metadata?.uid) ?? {};
    return reason === "FailedCreate" ? [{ metadata, message }] : [];
  });
  return [...deployments, ...others].map(({ metadata, message = "" }) =>
    problem(`pods of ${metadata?.namespace}/${metadata?.name}`, `They are refused: ${ended(message)}`, remedy),
  );
}

function jobFindings({ jobs }: Live): Finding[] {
  const { problem } = findings("jobs");
  return jobs.flatMap(({ metadata, status }) => {
    const failure = status?.conditions?.find(({ type, status: is }) => type === "Failed" && is === "True");
    if (!failure) return [];
    return problem(
      `Job ${metadata?.namespace}/${metadata?.name}`,
      `It has failed: ${ended(failure.message ?? failure.reason ?? "")}`,
      `Read why with kubectl logs --namespace ${metadata?.namespace} job/${metadata?.name}.`,
    );
  });
}

/** States of an ACME challenge that don't change any more. */
const lost = ["invalid", "errored", "expired"];

/** Certificates that are not issued, with the cause on the request or on the challenge below it. */
function certificateFindings({ certificates, certificateRequests, challenges }: Live): Finding[] {
  const { problem, warning } = findings("certificates");
  const unissued = certificates.filter((each) => conditionOf(each, "Ready")?.status !== "True");
  const refused = unissued.flatMap((certificate) => {
    const requests = certificateRequests.filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ uid }) => uid === certificate.metadata.uid),
    );
    const causes = [certificate, ...requests].flatMap((each) => refusalOf(each) ?? []);
    const remedy = "Check the issuer with kubectl describe; hearth:ingress.clusterIssuer names it.";
    return causes.slice(0, 1).map((cause) => problem(`certificate ${placeOf(certificate)}`, ended(cause), remedy));
  });
  // A challenge is deleted once its name is proven.
  const unproven = challenges
    .filter(({ status }) => status?.reason)
    .map(({ metadata, spec, status }) =>
      (lost.includes(status?.state ?? "") ? problem : warning)(
        `certificate of ${metadata.namespace}/${spec.dnsName}`,
        `The ACME server has not accepted the name: ${ended(status?.reason ?? "")}`,
        "Point the name to the load balancer, or mend the issuer's DNS solver.",
      ),
    );
  return [...refused, ...unproven];
}

/** Why a Certificate or its request will not be fulfilled; undefined while it is under way. */
function refusalOf(object: Conditioned): string | undefined {
  const issuing = conditionOf(object, "Issuing");
  if (issuing?.status === "False" && issuing.reason === "Failed") return issuing.message;
  const ready = conditionOf(object, "Ready");
  if (ready?.status !== "False") return undefined;
  // A request that waits for its issuer says so here; one that waits for its order is under way.
  return ready.reason === "Failed" || ready.message?.startsWith("Referenced") ? ready.message : undefined;
}

/** Secrets that the store could not give. */
function secretFindings(live: Live): Finding[] {
  const { problem } = findings("secrets");
  return live.externalSecrets.flatMap((each) => {
    const ready = conditionOf(each, "Ready");
    if (ready?.status !== "False") return [];
    const { type, message = ready.message } = newestEvent(live, each.metadata.uid) ?? {};
    const cause = (type === "Warning" ? message : ready.message) || "no reason given";
    return problem(
      `Secret ${placeOf(each)}`,
      `The secret store does not provide it: ${ended(cause)}`,
      "Add all its keys to the secret store.",
    );
  });
}

function placeOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
