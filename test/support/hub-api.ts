import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { HubApiSchemas } from "../../tools/hub-api.ts";

const file = join(import.meta.dirname, "generated/hub-api.json");
const { operations, definitions }: HubApiSchemas = JSON.parse(readFileSync(file, "utf8"));
const ajv = new Ajv({ strictTypes: false, allowUnionTypes: true });
formats.default(ajv);
const patterns = Object.keys(operations).map((name) => {
  const [method = "", path = ""] = name.split(" ");
  return { name, method, path: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), literal: !path.includes("{") };
});

/** One request to the hub and its answer. */
export interface HubExchange {
  readonly method: string;
  /** Below `/api/v2.0`, without the query. */
  readonly path: string;
  /** JSON of the request; absent: none. */
  readonly body?: unknown;
  readonly status: number;
  /** JSON of the answer; absent: none. */
  readonly answer?: unknown;
}

/**
 * What of an exchange is not as the hub's published API describes it: github.com/goharbor/go-client, api/v2.0/swagger.yaml, of which
 * `npm run generate:upstream` keeps the part that is called. Refusals are not judged: the hub gives more of them than it describes.
 * @returns sentences; empty where all is as described
 */
export function apiProblems({ method, path, body, status, answer }: HubExchange): string[] {
  const found = patterns.filter((each) => each.method === method && each.path.test(path));
  const name = (found.find(({ literal }) => literal) ?? found[0])?.name ?? "";
  const operation = operations[name];
  if (!operation) return [`${method} ${path} is not among the operations of tools/hub-api.ts.`];
  const wanted = operation.answers[status];
  return [
    ...(body !== undefined && !operation.body ? [`${name} takes no body.`] : []),
    ...judge(`${name}, body`, operation.body, body),
    ...(status >= 300 || answer === undefined || wanted ? [] : [`${name} has no answer ${status} with a body.`]),
    ...judge(`${name}, answer ${status}`, wanted, answer),
  ];
}

const compiled = new WeakMap<object, ValidateFunction>();

function judge(what: string, schema: object | undefined, value: unknown): string[] {
  if (!schema || value === undefined) return [];
  // Compiled once: with all its definitions that takes 30 ms.
  const validate = compiled.get(schema) ?? ajv.compile({ ...schema, definitions });
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${what}${instancePath}: ${message} ${JSON.stringify(params)}`;
  });
}
