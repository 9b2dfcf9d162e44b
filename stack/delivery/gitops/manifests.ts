import { dataName, type KubernetesObject, type PlannedObject } from "@hearth-platform/hearth/core/plan";
import type { WaveObject } from "./waves.ts";

/** Argo CD's annotations. (argo-cd.readthedocs.io, user-guide: sync-waves, sync-options, resource_hooks) */
const argo = {
  wave: "argocd.argoproj.io/sync-wave",
  options: "argocd.argoproj.io/sync-options",
  hook: "argocd.argoproj.io/hook",
  hookDeletion: "argocd.argoproj.io/hook-delete-policy",
} as const;

/** Name in `allowDataLoss` of an object that holds data. */
export function dataNameOf({ object, dataName: own }: PlannedObject): string {
  return own ?? dataName(object.metadata.name, object.metadata.namespace);
}

/**
 * An object as Argo CD takes it. What holds data is never pruned, nor deleted with the application, unless its loss is allowed. Jobs are hooks
 * within their wave: they can run any number of times, and could not be changed.
 */
export function argoObject({ planned, wave }: WaveObject, allowDataLoss: readonly string[] = []): KubernetesObject {
  const { object, holdsData } = planned;
  const isKept = holdsData && !allowDataLoss.includes(dataNameOf(planned));
  const annotations = {
    ...object.metadata.annotations,
    [argo.wave]: String(wave),
    ...(isKept && { [argo.options]: "Prune=false,Delete=false" }),
    ...(object.kind === "Job" && { [argo.hook]: "Sync", [argo.hookDeletion]: "BeforeHookCreation,HookSucceeded" }),
  };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Groups that Argo CD itself knows the health of, beside Kubernetes' own. (argo-cd resource_customizations) */
const knownHealth = ["cert-manager.io", "external-secrets.io", "gateway.networking.k8s.io"];

const waitFor = "pulumi.com/waitFor";

/**
 * Health by the condition or the field that an object's own annotation names, which the Pulumi program waits for too. Objects without
 * the annotation are healthy, as they are without a script; but a Cluster is so by its condition. Argo CD's own check of a Cluster ends
 * the sync with an error if the operator has written no status yet. The script takes Lua's string library, which Argo CD gives to no script unasked.
 */
const healthScript = `local wanted = (obj.metadata.annotations or {})["${waitFor}"]
if wanted == nil and obj.kind == "Cluster" then wanted = "condition=Ready" end
if wanted == nil then return { status = "Healthy", message = "" } end
local condition = string.match(wanted, "^condition=(.+)$")
if condition ~= nil then
  for _, each in ipairs((obj.status or {}).conditions or {}) do
    if each.type == condition and each.status == "True" then return { status = "Healthy", message = each.message or "" } end
  end
  return { status = "Progressing", message = "Waiting for condition " .. condition }
end
local path, value = string.match(wanted, "^jsonpath={%.(.+)}=(.*)$")
local found = obj
for key in string.gmatch(path, "[^.]+") do
  if type(found) == "table" then found = found[key] end
end
if tostring(found) == value then return { status = "Healthy", message = "" } end
return { status = "Progressing", message = "Waiting for " .. path .. "=" .. value }
`;

/** Settings of Argo CD's ConfigMap by which it sees when objects of the operators are ready; by their keys. */
export function healthSettings(objects: readonly KubernetesObject[]): Record<string, string> {
  const waiting = objects.filter(({ metadata }) => metadata.annotations?.[waitFor] !== undefined);
  const kinds = waiting.flatMap(({ apiVersion, kind }) => {
    const [group = ""] = apiVersion.split("/");
    const isKnown = !group.includes(".") || knownHealth.includes(group);
    return isKnown || group.endsWith(".upbound.io") ? [] : [`${group}_${kind}`];
  });
  const names = [...new Set(kinds)].sort();
  return Object.fromEntries([
    ...names.map((name) => [`resource.customizations.health.${name}`, healthScript]),
    ...names.map((name) => [`resource.customizations.useOpenLibs.${name}`, "true"]),
  ]);
}
