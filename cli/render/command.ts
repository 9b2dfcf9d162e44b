import { resolve } from "node:path";
import { Option } from "@commander-js/extra-typings";
import { renderObjects } from "@hearth-platform/stack/delivery/objects";
import { stackPlans } from "@hearth-platform/stack/parts";
import { formatProblem, formatReport } from "@hearth-platform/stack/settings/report";
import { outputJson, problemRow } from "../answer.ts";
import { type Caller, newCommand, type Session, UsageError } from "../command.ts";
import { jsonOption, outOption, stackOption } from "../options.ts";
import { checkedStack } from "../stack.ts";
import { writeFolder } from "./folder.ts";
import { type DeliveryOptions, deliveryOf } from "./gitops.ts";

/** `hearth render`. */
export function renderCommand(session: Session) {
  return newCommand("render")
    .description(
      "Writes every Kubernetes object of a stack as YAML, one file for each object. Needs no cluster and no credentials.",
    )
    .addOption(stackOption())
    .addOption(
      outOption("a folder, for files NAMESPACE/KIND-NAME.yaml; a folder rendered before is updated").conflicts(
        "gitops",
      ),
    )
    .addOption(
      new Option(
        "--gitops <FOLDER>",
        "write the stack for Argo CD; compared with the folder, the same changes are refused as at a preview",
      ),
    )
    .addOption(
      new Option("--repository <URL>", "with --gitops, the repository of the folder; default: as before").conflicts(
        "out",
      ),
    )
    .addOption(
      new Option(
        "--revision <NAME>",
        "with --gitops, the branch, tag or commit; default: as before, then HEAD",
      ).conflicts("out"),
    )
    .addOption(
      new Option(
        "--argo-namespace <NAME>",
        "with --gitops, the namespace of Argo CD; default: as before, then argocd",
      ).conflicts("out"),
    )
    .addOption(jsonOption("{stack, folder, files, problems}"))
    .addHelpText(
      "after",
      "\nSecret values are masked. Buckets made with the S3 API are not Kubernetes objects and are not written.",
    )
    .action(({ stack, out, gitops, repository, revision, argoNamespace: namespace, json = false }) => {
      const path = gitops ?? out;
      if (path === undefined) throw new UsageError("Option '--out <PATH>' or '--gitops <FOLDER>' is missing");
      const folder = resolve(session.folder, path);
      const delivery = gitops === undefined ? undefined : { repository, revision, namespace };
      session.end(render(stack, folder, delivery, json, session));
    });
}

/** Files to write, if there are no errors. */
function rendered(stack: string, folder: string, delivery: DeliveryOptions | undefined, caller: Caller) {
  const checked = checkedStack({ stack }, caller);
  if (delivery) return deliveryOf(stack, checked, folder, delivery, caller);
  return { files: checked.stack && renderObjects(stackPlans(checked.stack)), problems: checked.problems };
}

function render(
  stack: string,
  folder: string,
  delivery: DeliveryOptions | undefined,
  json: boolean,
  caller: Caller,
): number {
  const checked = rendered(stack, folder, delivery, caller);
  const { files } = checked;
  if (files) writeFolder(folder, files, caller.folder);
  if (json) {
    const written = files && { folder, files: [...files.keys()] };
    outputJson(caller, { stack, ...written, problems: checked.problems.map(problemRow) });
    return files ? 0 : 1;
  }
  if (!files) {
    caller.error(`Nothing was written. ${formatReport(checked.problems)}\n`);
    return 1;
  }
  for (const problem of checked.problems) caller.error(`${formatProblem(problem)}\n`);
  caller.error(`${files.size} ${delivery ? "files" : "objects"} of stack ${stack} are in ${folder}\n`);
  return 0;
}
