import type { Plan } from "@hearth-platform/hearth/core/plan";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import type { StackPart } from "../../parts.ts";
import { stackImages } from "../stack-images.ts";

/** Settings by which a stack can't be delivered as manifests alone: whatever only the engine makes. */
export function deliveryObstacles(name: string, parts: readonly StackPart[]): Problem[] {
  const plans = parts.flatMap(({ plans }) => plans());
  return [...secrets(plans), ...buckets(plans), ...builds(parts), ...images(name, parts, plans)];
}

function secrets(plans: readonly Plan[]): Problem[] {
  const generated = plans.flatMap((plan) => plan.secrets).filter(({ data }) => Object.keys(data).length > 0);
  if (generated.length === 0) return [];
  const names = generated.map(({ namespace, name }) => `${namespace}/${name}`);
  const message = `The engine, which is not there, would generate ${counted("Secrets", names)}.`;
  return [error("gitops-secrets", "secrets.store", message, "Name the store that Secrets come from.")];
}

function buckets(plans: readonly Plan[]): Problem[] {
  const names = plans.flatMap((plan) => plan.buckets.map(({ bucket }) => bucket));
  if (names.length === 0) return [];
  const message = `The engine, which is not there, would make ${counted("buckets", names)}.`;
  const remedy = "Write provisioner: cluster, or existingBuckets: true for buckets that are there already.";
  return [error("gitops-buckets", "objectStorage.provisioner", message, remedy)];
}

function builds(parts: readonly StackPart[]): Problem[] {
  if (parts.every(({ kind }) => kind !== "serviceImage")) return [];
  const message = "The engine, which is not there, would build and push the image of the services.";
  const remedy = "Push it with an `up` of a stack that builds it, and name it in siteWebhook.image with its digest.";
  return [error("gitops-build", "siteWebhook.repository", message, remedy)];
}

function images(name: string, parts: readonly StackPart[], plans: readonly Plan[]): Problem[] {
  // That one has its own refusal.
  const built = parts.flatMap(({ kind, args }) => (kind === "serviceImage" ? Object.values(args) : []));
  const open = stackImages(plans).filter(({ image, digest }) => digest === undefined && !built.includes(image));
  if (open.length === 0) return [];
  const names = open.map(({ image }) => image);
  const message = `Nodes would pull ${counted("images", names)} by tags, whose content may change.`;
  const remedy = `Push what is yours, then lock them: ./hearth images lock --stack ${name}.`;
  return [error("gitops-images", "images.lock", message, remedy)];
}

function counted(noun: string, names: readonly string[]): string {
  return `${names.length} ${noun} (${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""})`;
}
