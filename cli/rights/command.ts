import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { asYaml } from "@hearth-platform/stack/delivery/objects";
import { objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { stackPlans } from "@hearth-platform/stack/parts";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { outputJson, problemRow } from "../answer.ts";
import { type Caller, newCommand, type Session } from "../command.ts";
import { configFileOption, jsonOption, stackOption } from "../options.ts";
import { checkedStack } from "../stack.ts";
import { rolesOf, type Subject } from "./roles.ts";

/** `hearth rights`. */
export function rightsCommand(session: Session) {
  return newCommand("rights")
    .description(
      "Prints the roles that a caller needs to bring up and update a stack, as YAML for kubectl. Needs no cluster and no credentials.",
    )
    .addOption(stackOption())
    .addOption(configFileOption())
    .addOption(
      new Option(
        "--subject <SUBJECT>",
        "also bind them: User/NAME, Group/NAME or ServiceAccount/NAMESPACE/NAME; default: no bindings",
      ).argParser(subjectOf),
    )
    .addOption(jsonOption("{stack, objects, problems}"))
    .addHelpText(
      "after",
      "\nAn administrator of the cluster applies them. Print them again after a change of the settings: they have the kinds and namespaces of the stack as it is.",
    )
    .action(({ stack, configFile, subject, json = false }) =>
      session.end(rights(stack, configFile, subject, json, session)),
    );
}

function rights(
  name: string,
  configFile: string | undefined,
  subject: Subject | undefined,
  json: boolean,
  caller: Caller,
): number {
  const checked = checkedStack({ stack: name, configFile }, caller);
  const roles = checked.stack && rolesOf(`hearth-${name}`, objectsOf(stackPlans(checked.stack)), subject);
  if (json) outputJson(caller, { stack: name, objects: roles, problems: checked.problems.map(problemRow) });
  else if (roles) caller.output(roles.map(asYaml).join("---\n"));
  else caller.error(`Nothing was printed. ${formatReport(checked.problems)}\n`);
  return roles ? 0 : 1;
}

/** @throws InvalidArgumentError, which commander tells, for anything else */
function subjectOf(text: string): Subject {
  const [kind, ...names] = text.split("/");
  const [first = "", second = ""] = names;
  if ((kind === "User" || kind === "Group") && names.length === 1 && first) return { kind, name: first };
  if (kind === "ServiceAccount" && names.length === 2 && first && second)
    return { kind, namespace: first, name: second };
  throw new InvalidArgumentError("It takes User/NAME, Group/NAME or ServiceAccount/NAMESPACE/NAME.");
}
