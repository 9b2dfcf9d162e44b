import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PolicyProfile } from "@hearth-platform/policy/core/stack-facts";
import { platformPack } from "@hearth-platform/policy/policies";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { outputJson, problemRow } from "../answer.ts";
import { type Caller, newCommand, type Session, UsageError } from "../command.ts";
import { configFileOption, jsonOption, profileOption, sandboxOption, stackOption } from "../options.ts";
import { configurationProblems } from "../policies/configuration.ts";
import { outcomeOf } from "./outcome.ts";
import { settingPlaces } from "./places.ts";
import { type Preview, type PreviewRequest, preview as previewWithPulumi } from "./preview.ts";
import { gateReport, passes } from "./report.ts";
import { markdownSummary } from "./summary.ts";

/** The stack to check, and the places to report to. */
interface Options extends PreviewRequest {
  readonly allowSkipped: boolean;
  /** Where the Markdown goes. @default nowhere */
  readonly summary?: string;
  readonly json: boolean;
}

/** `hearth gate`. @param preview how a stack is previewed */
export function gateCommand(session: Session, preview: Preview = previewWithPulumi) {
  return newCommand("gate")
    .description(
      "Previews a stack with all policies and says whether the change is allowed: the check of a pull request in one command. It changes nothing.",
    )
    .addOption(stackOption())
    .addOption(sandboxOption("it needs no credentials; default: the pulumi on PATH, with your login"))
    .option("--summary <FILE>", "also write the report as Markdown, for a comment on the pull request")
    .option("--policy-config <FILE>", "configuration of the policies; default: Policies.STACK.json if it exists")
    .addOption(profileOption(Object.values(PolicyProfile), "default: the stack's own"))
    .addOption(configFileOption())
    .option("--allow-skipped", "pass even if a policy could not evaluate a value that is only known after the update")
    .addOption(jsonOption("{stack, passed, changes, unchanged, violations, advice, skipped, evaluations, errors}"))
    .addHelpText("after", "\ndocs/reference/policies.md explains the configuration of policies.")
    .action(async ({ sandbox = false, allowSkipped = false, json = false, ...options }) => {
      const path = (file: string | undefined) => file && resolve(session.folder, file);
      const request = {
        ...{ project: session.project, stack: options.stack, profile: options.profile, sandbox, allowSkipped, json },
        summary: path(options.summary),
        policyConfig: path(options.policyConfig) ?? policiesOf(session.project, options.stack),
        configFile: path(options.configFile),
      };
      session.end(await gate(request, session, preview));
    });
}

/** The configuration of a stack's policies beside its settings. */
function policiesOf(project: string, stack: string): string | undefined {
  const file = join(project, `Policies.${stack}.json`);
  return existsSync(file) ? file : undefined;
}

async function gate({ summary, allowSkipped, json, ...request }: Options, caller: Caller, preview: Preview) {
  const { stack, policyConfig } = request;
  const problems = policyConfig === undefined ? [] : configurationProblems(policyConfig, contentOf(policyConfig));
  if (problems.length > 0) {
    if (json) outputJson(caller, { stack, passed: false, problems: problems.map(problemRow) });
    caller.error(`Nothing was previewed. ${formatReport(problems)}\n`);
    return 1;
  }
  caller.error(`Previewing stack ${stack} with the policies …\n`);
  const outcome = outcomeOf(
    await preview(request),
    platformPack,
    settingPlaces(request.project, request.configFile ?? `Pulumi.${stack}.yaml`),
  );
  const passed = passes(outcome, allowSkipped);
  if (summary !== undefined) writeFileSync(summary, markdownSummary(stack, outcome, passed));
  if (json) outputJson(caller, { stack, passed, ...outcome });
  else caller.output(gateReport(stack, outcome, passed));
  return passed ? 0 : 1;
}

function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new UsageError(
      `${file} ${missing ? "does not exist" : `can't be read: ${(error as Error).message}`}. Correct --policy-config, or leave it out for the defaults`,
    );
  }
}
