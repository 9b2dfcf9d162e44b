import Table from "cli-table3";
import { type Caller, type Command, Misuse, parseOptions } from "../command.ts";
import { type ListedPolicy, levelText, listPolicies } from "./list.ts";

const help = `Lists the policies that a preview with the policy packs holds a stack to.

  npm run policies

  --json   prints nothing but JSON: [{id, pack, title, rule, severity, levels, remediation, tags, kinds, settings, validated, admissionCounterpart}]
  --help   this text

docs/policies.md says what to do about each, and how a policy is configured. Exit status: 0 listed, 2 wrong use.
`;

/** What was asked for. */
interface Asked {
  readonly json: boolean;
}

/** `npm run policies`. */
export const policiesCommand: Command<Asked> = {
  name: "policies",
  help,
  read(args) {
    const { values, words } = parseOptions(args, { json: { type: "boolean" } });
    if (words.length > 0) throw new Misuse(`"${words[0]}" is one word too many.`);
    return { json: values.json ?? false };
  },
  run({ json }: Asked, caller: Caller): number {
    const policies = listPolicies();
    caller.output(json ? `${JSON.stringify(policies, null, 2)}\n` : `${table(policies)}\n`);
    return 0;
  },
};

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
