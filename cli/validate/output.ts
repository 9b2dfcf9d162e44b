import { styleText } from "node:util";
import type { LocatedProblem } from "@hearth-platform/stack/settings/located";
import { formatProblem } from "@hearth-platform/stack/settings/report";
import { isValid, StepOutcome, type Validation } from "./validation.ts";

/** For people: each file with its steps, the problems below. */
export function asText(validations: readonly Validation[]): string {
  return validations.map((validation) => `${fileText(validation)}\n`).join("\n");
}

function fileText(validation: Validation): string {
  const { file, steps, problems } = validation;
  const width = Math.max(...Object.values(StepOutcome).map((outcome) => outcome.length));
  return [
    `${file}: ${isValid(validation) ? "valid" : "not valid"}`,
    ...steps.map(({ title, outcome, detail }, index) => {
      const word = styleText(colors[outcome], outcome.padEnd(width), { stream: process.stdout });
      return `  ${index + 1}  ${word}  ${title}${detail ? ` (${detail})` : ""}`;
    }),
    ...problems.map(formatProblem),
  ].join("\n");
}

const colors = {
  [StepOutcome.passed]: "green",
  [StepOutcome.failed]: "red",
  [StepOutcome.notReached]: "dim",
  [StepOutcome.leftOut]: "dim",
} as const;

/** For machines: `[{file, valid, problems: [{severity, code, path, line, column, message, remedy}]}]`. */
export function asJson(validations: readonly Validation[]): string {
  const files = validations.map((validation) => ({
    file: validation.file,
    valid: isValid(validation),
    problems: validation.problems.map(({ severity, code, path, line, column, message, remedy }) => ({
      severity,
      code,
      path,
      line,
      column,
      message,
      remedy,
    })),
  }));
  return `${JSON.stringify(files, null, 2)}\n`;
}

/** For code review: SARIF 2.1.0, which GitHub, GitLab and editors show beside the lines. */
export function asSarif(validations: readonly Validation[]): string {
  const problems = validations.flatMap((validation) => validation.problems);
  const rules = [...new Set(problems.map(({ code }) => code))].map((id) => ({ id }));
  const run = {
    tool: { driver: { name: "hearth", rules } },
    columnKind: "utf16CodeUnits",
    results: problems.map(result),
  };
  const log = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function result({ severity, code, path, file, line, column, message, remedy }: LocatedProblem) {
  const subject = path === "" ? "" : `${path}: `;
  const physicalLocation = {
    artifactLocation: { uri: encodeURI(file.replaceAll("\\", "/")) },
    region: { startLine: line, startColumn: column },
  };
  return {
    ruleId: code,
    level: severity,
    message: { text: `${subject}${message} ${remedy}` },
    locations: [{ physicalLocation }],
  };
}
