import Table from "cli-table3";
import { outputJson } from "../answer.ts";
import { newCommand, type Session } from "../command.ts";
import { jsonOption } from "../options.ts";
import { type ListedPolicy, levelText, listPolicies } from "./list.ts";

/** `hearth policies`. */
export function policiesCommand(session: Session) {
  return newCommand("policies")
    .description("Lists the policies, by pack.")
    .addOption(
      jsonOption(
        "[{id, pack, title, rule, severity, levels, remediation, tags, kinds, settings, validated, admissionCounterpart}]",
      ),
    )
    .addHelpText(
      "after",
      "\ndocs/reference/policies.md says what to do about a violation, and explains the configuration.",
    )
    .action(({ json }) => {
      const policies = listPolicies();
      if (json) outputJson(session, policies);
      else session.output(`${table(policies)}\n`);
    });
}

/** Width of each column, in characters. */
const widths = { policy: 26, rule: 58, severity: 10, level: 26, settings: 14, enforced: 24 };

function table(policies: readonly ListedPolicy[]): string {
  const lines = new Table({
    head: ["Policy", "Rule", "Severity", "Level", "Settings", "Enforced by"],
    colWidths: Object.values(widths),
    wordWrap: true,
    style: { head: [], border: [] },
  });
  lines.push(
    ...policies.map((policy) => [
      policy.id,
      policy.rule,
      policy.severity,
      levelText(policy),
      policy.settings.map(({ name }) => name).join("\n"),
      enforcedBy(policy).join("\n"),
    ]),
  );
  return lines.toString();
}

function enforcedBy({ pack, validated, admissionCounterpart }: ListedPolicy): string[] {
  return [pack, ...(validated ? ["validate"] : []), ...(admissionCounterpart === undefined ? [] : ["admission"])];
}
