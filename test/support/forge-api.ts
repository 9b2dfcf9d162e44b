import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ForgeOperation } from "../../tools/forge-api.ts";

const file = join(import.meta.dirname, "generated/forge-api.json");
const { operations }: { operations: Readonly<Record<string, ForgeOperation>> } = JSON.parse(readFileSync(file, "utf8"));

/** What is asked of the forge: an operation by its name in GitLab's own client, and the fields of its body. */
export interface ForgeCall {
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * What of a call is not as GitLab's own client has it: gitlab.com/gitlab-org/api/client-go, of which `npm run generate:upstream` keeps the part that is
 * called. The API hands the fields on to the application as they are.
 * @returns sentences; empty where all is as published
 */
export function forgeApiProblems({ operation: name, body }: ForgeCall): string[] {
  const operation = operations[name];
  if (!operation) return [`${name} is not among the functions of tools/forge-api.ts.`];
  return Object.entries(body).flatMap(([field, value]) => {
    const type = operation.fields[field];
    if (type === undefined) return [`${name} takes no ${field}.`];
    return takes(type, value) ? [] : [`${name} takes ${type} as ${field}, not ${JSON.stringify(value)}.`];
  });
}

/**
 * What of an answer is not as GitLab's own client has it; a field may be missing, as in older releases.
 * @returns sentences; empty where all is as published
 */
export function forgeAnswerProblems(name: string, answer: Readonly<Record<string, unknown>>): string[] {
  const fields = operations[name]?.answer;
  if (!fields) return [`${name} is not among the questions of tools/forge-api.ts.`];
  return Object.entries(answer).flatMap(([field, value]) => {
    const type = fields[field];
    if (type === undefined) return [`${name} answers with no ${field}.`];
    return takes(type, value) ? [] : [`${name} answers with ${type} as ${field}, not ${JSON.stringify(value)}.`];
  });
}

/** Name of the operation that a request asks for; undefined where there is none. `path` is below `/api/v4`. */
export function forgeOperation(method: string, path: string): string | undefined {
  return Object.entries(operations).find(([, operation]) => {
    const pattern = operation.path.replaceAll("%s", "[^/]+").replaceAll("%d", "\\d+");
    return operation.method === method && new RegExp(`^${pattern}$`).test(path);
  })?.[0];
}

function takes(type: string, value: unknown): boolean {
  if (type === "any") return true;
  if (type.endsWith("[]")) return Array.isArray(value) && value.every((item) => takes(type.slice(0, -2), item));
  if (type === "integer") return Number.isInteger(value);
  if (["string", "boolean", "number"].includes(type)) return typeof value === type;
  return type.split("|").includes(String(value));
}
