import { errorsOf } from "@hearth-platform/hearth/core/problems";
import { stackParts } from "../../parts.ts";
import type { LocatedProblem } from "../../settings/located.ts";
import { locateSettings, type StackSource } from "../../settings/stack-source.ts";
import type { Stack } from "../../stack-settings.ts";
import { asYaml, objectFiles } from "../objects.ts";
import { application, type Delivery, syncPatch } from "./application.ts";
import { argoObject, healthSettings } from "./manifests.ts";
import { deliveryObstacles } from "./obstacles.ts";
import { changeProblems, deliveryRecord, type GitopsRecord } from "./record.ts";
import { wavesOf } from "./waves.ts";

/** Names in the folder of a delivery. */
export const deliveryFiles = {
  /** The objects that Argo CD syncs. */
  manifests: "manifests",
  application: "application.yaml",
  /** Entries for Argo CD's own ConfigMap. */
  health: "argocd-cm.yaml",
  /** The patch with which kubectl starts a sync. */
  sync: "sync.yaml",
  record: "record.json",
} as const;

/** Content of `record.json`. */
export interface DeliveryRecord extends GitopsRecord {
  readonly delivery: Delivery;
}

/**
 * A stack as a folder for Argo CD: content by relative path, where nothing stands in its way and the change loses nothing.
 * @param before the record of the folder so far; absent for a new one
 */
export function deliver(
  name: string,
  stack: Stack,
  source: StackSource,
  delivery: Delivery,
  before: GitopsRecord | undefined,
): { readonly files?: Map<string, string>; readonly problems: LocatedProblem[] } {
  const parts = stackParts(stack);
  const obstacles = locateSettings(deliveryObstacles(name, parts), source);
  const objects = wavesOf(parts);
  const planned = objects.map((each) => each.planned);
  const { allowDataLoss } = stack.settings;
  const record = deliveryRecord(name, parts, planned);
  const changes = changeProblems(before, record, parts, allowDataLoss);
  const problems = [...obstacles, ...changes.map((problem) => ({ ...problem, file: source.file }))];
  if (errorsOf(problems).length > 0) return { problems };

  const manifests = objectFiles(objects.map((each) => argoObject(each, allowDataLoss)));
  const path = `${delivery.path}/${deliveryFiles.manifests}`;
  const { namespace } = delivery;
  const data = healthSettings(planned.map(({ object }) => object));
  const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "argocd-cm", namespace }, data };
  const files = new Map([
    [deliveryFiles.application, asYaml(application(name, { ...delivery, path }, planned))],
    [deliveryFiles.health, asYaml(settings)],
    [deliveryFiles.sync, asYaml(syncPatch())],
    [deliveryFiles.record, `${JSON.stringify({ ...record, delivery } satisfies DeliveryRecord, null, 2)}\n`],
    ...[...manifests].map(([file, text]) => [`${deliveryFiles.manifests}/${file}`, text] as const),
  ]);
  return { files, problems };
}
