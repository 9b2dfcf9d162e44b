import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PolicyProfile } from "@hearth-platform/policy/core/stack-facts";
import { formatReport } from "@hearth-platform/stack/report";
import { type Caller, type Command, Misuse, parseOptions, pathOption, stackOption, wordOption } from "../command.ts";
import { configurationProblems } from "../policies/configuration.ts";
import { packs } from "../policies/packs.ts";
import { outcomeOf } from "./outcome.ts";
import type { Preview, PreviewRequest } from "./preview.ts";
import { passes, textReport } from "./report.ts";
import { markdownSummary } from "./summary.ts";

const help = `Previews a stack with both policy packs and says whether its change may be made: the check of a pull request in one command.

  npm run gate -- --stack STACK

  --stack STACK          the stack, from Pulumi.STACK.yaml
  --sandbox              preview on the running sandbox, which needs no credentials; default: the pulumi on PATH, as you are logged in
  --summary FILE         also write the report as Markdown, for a comment on the pull request
  --policy-config FILE   configuration of the policies: docs/policies.md; default: Policies.STACK.json, where it is there
  --profile PROFILE      hold the stack to the policies of production, development or maintenance; default: the stack's own profile
  --config-file FILE     the stack's settings from this file
  --allow-skipped        pass although a policy could not be judged, since a value is only known after the update
  --help                 this text

It changes nothing. Exit status: 0 it passes, 1 it does not, 2 wrong use.
`;

const options = {
  stack: { type: "string" },
  sandbox: { type: "boolean" },
  summary: { type: "string" },
  "policy-config": { type: "string" },
  profile: { type: "string" },
  "config-file": { type: "string" },
  "allow-skipped": { type: "boolean" },
} as const;

const project = join(import.meta.dirname, "../..");

/** What was asked for. */
interface Asked extends PreviewRequest {
  readonly allowSkipped: boolean;
  /** Where the Markdown goes. @default nowhere */
  readonly summary?: string;
}

/** `npm run gate`. @param preview how a stack is previewed */
export function gateCommand(preview: Preview): Command<Asked> {
  return { name: "gate", help, read, run: (asked, caller) => gate(asked, caller, preview) };
}

function read(args: readonly string[], caller: Caller): Asked {
  const { values, words } = parseOptions(args, options);
  if (words.length > 0) throw new Misuse(`"${words[0]}" is one word too many.`);
  const path = (name: "summary" | "policy-config" | "config-file") =>
    values[name] === undefined ? undefined : pathOption(caller, values[name]);
  const stack = stackOption(values.stack);
  return {
    stack,
    sandbox: values.sandbox ?? false,
    summary: path("summary"),
    policyConfig: path("policy-config") ?? policiesOf(stack),
    configFile: path("config-file"),
    profile: wordOption("--profile", values.profile, Object.values(PolicyProfile)),
    allowSkipped: values["allow-skipped"] ?? false,
  };
}

/** The configuration of a stack's policies beside its settings. */
function policiesOf(stack: string): string | undefined {
  const file = join(project, `Policies.${stack}.json`);
  return existsSync(file) ? file : undefined;
}

async function gate({ summary, allowSkipped, ...request }: Asked, caller: Caller, preview: Preview): Promise<number> {
  const { stack, policyConfig } = request;
  const problems = policyConfig === undefined ? [] : configurationProblems(policyConfig, contentOf(policyConfig));
  if (problems.length > 0) {
    caller.error(`Nothing was previewed. ${formatReport(problems)}\n`);
    return 1;
  }
  caller.error(`Previewing stack ${stack} with the policy packs …\n`);
  const outcome = outcomeOf(await preview(request), packs);
  const passed = passes(outcome, allowSkipped);
  if (summary !== undefined) writeFileSync(summary, markdownSummary(stack, outcome, passed));
  caller.output(textReport(stack, outcome, passed));
  return passed ? 0 : 1;
}

function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Misuse(`${file} can't be read: ${(error as Error).message}.`);
  }
}
