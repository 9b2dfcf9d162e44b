import { groupOf, type Prerequisite, prerequisiteOf } from "@hearth-platform/hearth/catalogue/prerequisites";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { alternatives } from "@hearth-platform/hearth/core/problems";
import { classEntry, isOwnClass } from "@hearth-platform/hearth/limits/sets";
import type { StorageClass } from "kubernetes-types/storage/v1.d.ts";
import { counted } from "../../settings/report.ts";
import { type Conditioned, conditionOf, placeOf, type QuickFacts } from "./facts.ts";
import { type Finding, findings } from "./finding.ts";
import { mark } from "./lost-state.ts";
import type { ApiKind, ClassNeed, IssuerNeed, NamespaceNeed, Needs, StoreNeed } from "./needs.ts";
import { awaitedFinding } from "./secret-checks.ts";

/** Findings of the quick checks: kinds, storage classes, issuers, secret stores, Secrets of others, namespaces. */
export function quickFindings(needs: Needs, facts: QuickFacts): Finding[] {
  return [
    ...kindFindings(needs.kinds, facts.served),
    ...needs.classes.map((need) => classFinding(need, facts.classes)),
    ...needs.issuers.map((need) => issuerFinding(need, facts)),
    ...needs.stores.map((need) => storeFinding(need, facts)),
    ...needs.awaited.map((need) => awaitedFinding(need, facts)),
    ...needs.made.map((need) => madeNamespace(need, facts)),
    ...needs.used.map((name) => usedNamespace(name, facts)),
  ];
}

/** Whether the cluster is the one that the settings name. */
export function identityFinding(live: string | undefined, named: string | undefined): Finding {
  const { ok, unknown, unsafe } = findings("identity");
  if (live === undefined)
    return unknown("cluster", "You may not read the namespace kube-system, which identifies the cluster.");
  if (named === undefined || named === live) return ok("cluster", `Its identity is ${live}.`);
  return unsafe(
    "cluster",
    `It is not the cluster of hearth:kubernetes.identity. Its identity is ${live}.`,
    "Choose the right kubeconfig and context. If this cluster is the right one, set its identity there, or remove the setting.",
  );
}

/** Whether each kind is served in the version that the objects are written in, by the operator that brings it. */
export function kindFindings(kinds: readonly ApiKind[], served: ReadonlySet<string>): Finding[] {
  const { ok, missing } = findings("kinds");
  const bringers = Map.groupBy(kinds, ({ apiVersion }) => bringerOf(apiVersion).name);
  return [...bringers].map(([name, own]) => {
    const { remedy } = bringerOf(own[0]?.apiVersion ?? "");
    const absent = own.filter(({ apiVersion, kind }) => !served.has(`${apiVersion}/${kind}`));
    if (absent.length === 0) return ok(`kinds of ${name}`, `${counted(own.length, "kind is", "kinds are")} served.`);
    const versions = [...Map.groupBy(absent, ({ apiVersion }) => apiVersion)];
    const texts = versions.map(([version, of]) => `${of.map(({ kind }) => kind).join(", ")} of ${version}`);
    const others = [...served].filter((text) =>
      absent.some(({ apiVersion, kind }) => text.startsWith(`${groupOf(apiVersion)}/`) && text.endsWith(`/${kind}`)),
    );
    const instead = others.length === 0 ? "" : ` It serves ${others.join(", ")}.`;
    return missing(`kinds of ${name}`, `The cluster does not serve ${texts.join("; ")}.${instead}`, remedy);
  });
}

const kubernetes: Bringer = { name: "Kubernetes", remedy: "Upgrade the cluster to Kubernetes 1.30 or newer." };

/** Who brings a kind: an operator, Kubernetes itself, or an operator that only the settings know. */
type Bringer = Pick<Prerequisite, "name" | "remedy">;

function bringerOf(apiVersion: string): Bringer {
  const known = prerequisiteOf(apiVersion);
  if (known) return known;
  const group = groupOf(apiVersion);
  if (!group.includes(".") || group.endsWith(".k8s.io")) return kubernetes;
  return { name: group, remedy: "Install the operator that brings it, in a version that serves the kind." };
}

/** Drivers whose volumes one node alone can mount, whatever a claim says. */
const blockDrivers =
  /^(ebs\.csi\.aws\.com|csi\.hetzner\.cloud|pd\.csi\.storage\.gke\.io|disk\.csi\.azure\.com|cinder\.csi\.openstack\.org|.*rbd\.csi\.ceph\.com|rancher\.io\/local-path)$/;

/** Whether a storage class is there, and made for data that is to last. */
export function classFinding({ name, shared }: ClassNeed, classes: readonly StorageClass[] | "unseen"): Finding {
  const { ok, unknown, warning, problem, missing } = findings("storage-classes");
  const subject = name === "" ? "default storage class" : `storage class ${name}`;
  if (classes === "unseen") return unknown(subject, "You may not list storage classes.");
  const found = classes.find((each) => (name === "" ? isDefault(each) : each.metadata?.name === name));
  if (!found) {
    const names = classes.map(({ metadata }) => metadata?.name ?? "");
    const there = names.length === 0 ? "The cluster has no storage classes." : `The cluster has ${names.join(", ")}.`;
    return missing(subject, `It does not exist, so no volume would be created. ${there}`, otherClass(shared, classes));
  }
  const { provisioner, reclaimPolicy = "Delete", allowVolumeExpansion = false } = found;
  if (shared && blockDrivers.test(provisioner))
    return problem(
      subject,
      `Several pods write its volumes (ReadWriteMany), but ${provisioner} does not support that.`,
      "Use a class of network storage.",
    );
  const facts = [
    ...[provisioner, shared ? "several writers" : "one writer", `reclaim policy ${reclaimPolicy}`],
    ...(isDefault(found) ? ["the default"] : []),
  ].join(", ");
  if (!allowVolumeExpansion)
    return warning(
      subject,
      `Its volumes can't grow (${facts}).`,
      "Set allowVolumeExpansion: true if the driver supports it.",
    );
  if (reclaimPolicy !== "Retain")
    return warning(
      subject,
      `Volumes are deleted with their claims (${facts}).`,
      "Set reclaimPolicy: Retain, so that the data stays if a claim or namespace is deleted.",
    );
  return ok(subject, `It exists: ${facts}; volumes can grow.`);
}

/** What to do without a class: with the lines for one that is there, if one can be used. */
function otherClass(shared: boolean, classes: readonly StorageClass[]): string {
  const usable = classes.filter(({ provisioner }) => !shared || !blockDrivers.test(provisioner));
  const found = usable.find(isDefault) ?? usable[0];
  const name = found?.metadata?.name;
  if (!found || name === undefined) return "Create the class.";
  const facts = { multiWriter: shared, expandable: found.allowVolumeExpansion === true };
  const allowed = isOwnClass(name)
    ? ""
    : `, and allow it: \`hearth:limits: {storageClasses: ${classEntry(name, facts)}}\``;
  return `Create the class, or use one that is there: \`hearth:storageClass: ${name}\`, for a suite's web volume \`storage.storageClass: ${name}\` in its config.yaml${allowed}.`;
}

function isDefault({ metadata }: StorageClass): boolean {
  return metadata?.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";
}

interface Issuer extends Conditioned {
  readonly spec?: { readonly acme?: { readonly solvers?: readonly { readonly dns01?: object }[] } };
}

/** Whether an issuer is there and ready, and can prove the names it is to issue for. */
export function issuerFinding(need: IssuerNeed, { objects }: QuickFacts): Finding {
  const { ok, unknown, problem, missing } = findings("issuers");
  const subject = `${need.kind} ${need.name}`;
  const found = objects.get(placeOf(need)) ?? "unseen";
  if (found === "unseen") return unknown(subject, "You may not read it.");
  if (found === "absent")
    return missing(
      subject,
      "It does not exist, so no certificate would be issued.",
      need.wildcard
        ? "Create it, or set another issuer in hearth:ingress.wildcardClusterIssuer."
        : "Create it, or set another issuer in hearth:ingress.clusterIssuer. `./hearth prerequisites --stack STACK --acme-email MAIL` makes one at Let's Encrypt.",
    );
  const { acme } = (found as Issuer).spec ?? {};
  if (need.wildcard && acme && !acme.solvers?.some(({ dns01 }) => dns01))
    return problem(
      subject,
      `It has no DNS-01 solver, but a certificate for ${need.wildcard} needs one.`,
      "Give it a dns01 solver, or set another issuer in hearth:ingress.wildcardClusterIssuer.",
    );
  const state = readiness(found);
  if (state === undefined) return unknown(subject, "It exists, but does not report whether it is ready.");
  if (state !== "") return problem(subject, `It is not ready: ${state}`, "Look at kubectl describe, and fix it.");
  return ok(subject, need.wildcard ? `It is ready, and can issue for ${need.wildcard}.` : "It is ready.");
}

/** Whether a secret store is there and ready. */
export function storeFinding(need: StoreNeed, { objects }: QuickFacts): Finding {
  const { ok, unknown, problem, missing } = findings("secret-stores");
  const subject = `${need.kind} ${need.namespace ? `${need.namespace}/` : ""}${need.name}`;
  const count = counted(need.keys.length, "key is", "keys are");
  const found = objects.get(placeOf(need)) ?? "unseen";
  if (found === "unseen") return unknown(subject, "You may not read it.");
  if (found === "absent")
    return missing(
      subject,
      `It does not exist, but ${count} read from it.`,
      "Create it, or set another secret store in hearth:secrets.store.",
    );
  const state = readiness(found);
  if (state === undefined)
    return unknown(subject, `It exists, but does not report whether it is ready; ${count} read.`);
  if (state !== "") return problem(subject, `It is not ready: ${state}`, "Look at kubectl describe, and fix it.");
  return ok(subject, `It is ready; ${count} read from it.`);
}

/** Empty: ready; a sentence why not; undefined where the object does not say. */
function readiness(object: KubernetesObject): string | undefined {
  const ready = conditionOf(object, "Ready");
  if (!ready) return undefined;
  return ready.status === "True" ? "" : ready.message || "no reason given.";
}

/** Whether a namespace that the stack makes is free, or made by hearth. */
function madeNamespace({ name, sites }: NamespaceNeed, { objects, made }: QuickFacts): Finding {
  const { ok, unknown, warning, problem, missing, taken } = findings("namespaces");
  const subject = `namespace ${name}`;
  const found = objects.get(placeOf({ kind: "Namespace", name })) ?? "unseen";
  if (found === "unseen") return unknown(subject, "You may not read it.");
  if (found === "absent" && made?.has(`Namespace ${name}`))
    return warning(
      subject,
      "The state has it, and the cluster does not: it was lost, or the cluster is a new one. An update makes nothing again that the state has.",
      "Run `pulumi refresh`, so that the state forgets what is gone (docs/how-to/lost-cluster.md).",
    );
  if (found === "absent") return ok(subject, "It does not exist yet; the update creates it.");
  if (found.metadata.deletionTimestamp !== undefined)
    return missing(subject, "It is being deleted and accepts no new objects.", "Wait until it is deleted.");
  if (found.metadata.labels?.[mark] === "hearth") return ok(subject, "It exists, and hearth made it.");
  const setting = sites ? "hearth:siteWebhook.existingNamespaces" : "hearth:existingNamespaces";
  // Who knows the state knows that the update can't make it.
  const refused = made && !made.has(`Namespace ${name}`) ? taken : problem;
  return refused(
    subject,
    "It exists already, and hearth did not make it, so an update could not create it.",
    `Use the existing one with ${setting}: [${name}], or choose another name.`,
  );
}

/** Whether a namespace is there that the stack puts objects into and does not make. */
function usedNamespace(name: string, { objects }: QuickFacts): Finding {
  const { ok, unknown, missing } = findings("namespaces");
  const subject = `namespace ${name}`;
  const found = objects.get(placeOf({ kind: "Namespace", name })) ?? "unseen";
  if (found === "unseen") return unknown(subject, "You may not read it.");
  if (found !== "absent") return ok(subject, "It exists.");
  const remedy = `Create it, or remove it from ${alternatives(["hearth:existingNamespaces", "hearth:siteWebhook.existingNamespaces", "hearth:siteWebhook.namespaces"])}.`;
  return missing(subject, "It does not exist, and the stack does not create it.", remedy);
}
