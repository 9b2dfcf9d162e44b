import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { imagesToLock } from "@hearth-platform/stack/locked-stack";
import { type Changes, checkFiles, committedStack, type StackFiles, withSettings, writeStack } from "./stack-files.ts";

const lock = "images.lock.json";
const digest = `sha256:${"a".repeat(64)}`;

/** What makes a committed stack one that needs no engine. */
const delivered: Changes = {
  "secrets.generate": undefined,
  "objectStorage.provisioner": "cluster",
  "siteWebhook.repository": undefined,
  "siteWebhook.image": `registry.example.org/hearth/site-webhook:1@${digest}`,
};

/** Writes a committed stack as `test`, for GitOps, with its lock and with these settings. @param of default: `prod` */
export function writeDeliverable(
  project: string,
  changes: Changes = {},
  of: StackFiles = committedStack("prod"),
): void {
  const files = withSettings(of, { ...delivered, ...changes });
  const { stack } = checkFiles(files);
  if (!stack) throw new Error("the stack has problems");
  const locked = imagesToLock(stack).map((image) => [image, digest]);
  writeFileSync(join(project, lock), JSON.stringify(Object.fromEntries(locked)));
  writeStack(withSettings(files, { "images.lock": lock }), project, "Pulumi.test.yaml");
}
