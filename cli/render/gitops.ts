import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { Delivery } from "@hearth-platform/stack/delivery/gitops/application";
import { type DeliveryRecord, deliver, deliveryFiles } from "@hearth-platform/stack/delivery/gitops/delivery";
import type { CheckedStackFile } from "@hearth-platform/stack/locked-stack";
import type { LocatedProblem } from "@hearth-platform/stack/settings/located";
import { type Caller, UsageError } from "../command.ts";
import { wasRendered } from "./folder.ts";

/** Options of a delivery. Options that are not given keep the folder's present values. */
export type DeliveryOptions = Partial<Pick<Delivery, "repository" | "revision" | "namespace">>;

/**
 * The files of a stack for Argo CD, compared with what the folder holds so far.
 * @throws UsageError where the repository is not named or holds a credential, or the folder's record is gone or broken
 */
export function deliveryOf(
  stack: string,
  { source, stack: checked, problems: found }: CheckedStackFile,
  folder: string,
  options: DeliveryOptions,
  caller: Caller,
): { readonly files?: Map<string, string>; readonly problems: LocatedProblem[] } {
  if (!source) return { problems: found };
  const before = recordIn(folder, caller.folder);
  const delivery = whereTo(folder, options, before?.delivery, workTree(folder) ?? caller.project);
  if (!checked) return { problems: found };
  const { files, problems } = deliver(stack, checked, source, delivery, before);
  return { files, problems: [...found, ...problems] };
}

function whereTo(
  folder: string,
  options: DeliveryOptions,
  earlier: Delivery | undefined,
  repositoryFolder: string,
): Delivery {
  const repository = options.repository ?? earlier?.repository;
  if (repository === undefined)
    throw new UsageError(
      "Option '--repository <URL>' is missing: Argo CD needs the address of the folder's repository",
    );
  const { password, protocol, username } = URL.parse(repository) ?? {};
  if (password || (username && protocol?.startsWith("http")))
    throw new UsageError("The address of the repository holds a credential. Give it to Argo CD as a Secret instead");
  const inside = relative(repositoryFolder, folder);
  return {
    repository,
    path: inside === "" || inside.startsWith("..") || isAbsolute(inside) ? basename(folder) : inside,
    revision: options.revision ?? earlier?.revision ?? "HEAD",
    namespace: options.namespace ?? earlier?.namespace ?? "argocd",
  };
}

/** The folder of the git repository that a folder is in or will be in; undefined where it is in none. */
function workTree(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : workTree(above);
}

function recordIn(folder: string, base: string): DeliveryRecord | undefined {
  const file = join(folder, deliveryFiles.record);
  // Without the record a change that loses data would pass for a new stack.
  const lost = "Restore it from version control: without it the change can't be compared";
  const rendered = wasRendered(folder, deliveryFiles.record, base);
  if (!existsSync(file)) {
    if (rendered) throw new UsageError(`${file} is gone. ${lost}`);
    return undefined;
  }
  try {
    const record = JSON.parse(readFileSync(file, "utf8")) as DeliveryRecord;
    const { stack, arguments: args, data, delivery } = record;
    if (typeof stack === "string" && args && data && delivery) return record;
  } catch {
    // Said below.
  }
  throw new UsageError(`${file} can't be read. ${lost}`);
}
