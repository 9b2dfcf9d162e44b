/** `pulumi.com/waitFor`: what an object's author says it means to be ready. */
import { JSONPath } from "jsonpath-plus";
import type { KubernetesObject } from "../../../kubernetes/objects.ts";
import { valueAt } from "../objects.ts";
import { conditionOf, type Judgement, READY } from "./readiness.ts";

type Test = (live: KubernetesObject) => Judgement;

/**
 * Reads the annotation: `condition=Type`, `condition=Type=Status`, `jsonpath={.path}`, `jsonpath={.path}=value`, or a
 * JSON array of those, all of which must hold. Throws with the part that is wrong.
 */
export function parseWaitFor(text: string): Test {
  const tests = expressions(text).map((expression) => {
    if (expression.startsWith("jsonpath=")) return pathTest(expression.slice("jsonpath=".length));
    if (expression.startsWith("condition=")) return conditionTest(expression.slice("condition=".length));
    throw new Error(`expected a "jsonpath=" or "condition=" prefix, got "${expression}"`);
  });
  if (tests.length === 0) throw new Error("at least one condition must be specified");
  return (live) => tests.map((test) => test(live)).find(({ ready }) => !ready) ?? READY;
}

function expressions(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((element) => typeof element === "string")) return parsed;
  } catch {
    // A single expression is no JSON.
  }
  return [text];
}

function conditionTest(expression: string): Test {
  const [type = "", ...rest] = expression.split("=");
  const wanted = rest.length > 0 ? rest.join("=") : "True";
  return (live) => {
    const condition = conditionOf(live, type);
    if (!condition)
      return { ready: false, message: `Waiting for condition ${type}=${wanted} (it has no such condition)` };
    const observed = condition.observedGeneration ?? valueAt(live, ["status", "observedGeneration"]);
    const isStale = typeof observed === "number" && observed < (live.metadata.generation ?? 0);
    if (!isStale && condition.status.toLowerCase() === wanted.toLowerCase()) return READY;
    const found = isStale ? `of an older generation` : `found ${condition.status}`;
    const reasons = condition.message ? [`[${condition.reason ?? type}] ${condition.message}`] : [];
    return { ready: false, message: `Waiting for condition ${type}=${wanted} (${found})`, reasons };
  };
}

function pathTest(expression: string): Test {
  const [, path, equals, value] = /^\{\s*(.*?)\s*\}(=(.*))?$/s.exec(expression) ?? [];
  if (path === undefined) throw new Error(`${expression} should be wrapped in brackets: {.path}=value or {.path}`);
  if (equals && !value) throw new Error(`{${path}}= requires a value`);
  const query = path.startsWith("$") ? path : `$${path}`;
  return (live) => {
    const observed = valueAt(live, ["status", "observedGeneration"]);
    const isStale = typeof observed === "number" && observed < (live.metadata.generation ?? 0);
    const [found] = isStale ? [] : (JSONPath({ path: query, json: live, wrap: true }) as unknown[]);
    if (found !== undefined && (!value || String(found) === value)) return READY;
    const seen =
      found === undefined ? "it selects nothing" : `found "${typeof found === "object" ? "an object" : found}"`;
    return { ready: false, message: `Waiting for {${path}}${equals ?? ""} (${seen})` };
  };
}
