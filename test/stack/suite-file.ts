import {
  type CheckedConfig,
  type ConfigContext,
  checkConfigFile,
} from "@hearth-platform/stack/areas/suites/config-file";
import type { LocatedProblem } from "@hearth-platform/stack/settings/located";

/** A config.yaml without problems and without warnings, every part enabled. */
export const good = `namespace: team
domain: cloud.example.org
versions:
  cloudsuite: 31.0.8-apache
  db: "16"
  keystore: 8.1.4-alpine
  office: 25.04.7.1.1
  whiteboard: v1.2.1
s3:
  endpoint: https://fsn1.your-objectstorage.com
  region: fsn1
  buckets:
    data: data-team-a1b2
    backups: backups-team-a1b2
storage:
  storageClass: replicated-block
  dbSize: 10Gi
  keystoreSize: 5Gi
resources:
  cloudsuite:
    requests: { cpu: 200m, memory: 512Mi }
    limits: { cpu: 1000m, memory: 2Gi }
  db:
    requests: { cpu: 100m, memory: 256Mi }
    limits: { cpu: 500m, memory: 512Mi }
  keystore:
    requests: { cpu: 50m, memory: 128Mi }
    limits: { cpu: 200m, memory: 256Mi }
replicas:
  cloudsuite: 1
  db: 1
  keystore: 1
office:
  enabled: true
  domain: office.cloud.example.org
  resources:
    requests: { cpu: 100m, memory: 512Mi }
    limits: { cpu: 1000m, memory: 1Gi }
whiteboard:
  enabled: true
  resources:
    requests: { cpu: 50m, memory: 256Mi }
    limits: { cpu: 500m, memory: 512Mi }
`;

/** The good file with the text `found` replaced, which must be there. */
export function edited(found: string | RegExp, replacement: string, text = good): string {
  const result = text.replace(found, replacement);
  if (result === text) throw new Error(`Nothing to replace: ${found}`);
  return result;
}

/** Number of the line of the good file that holds the key at `path`, e.g. `s3.buckets.data`; of an amount, that of its block. */
export function lineOf(path: string): number {
  return place(path).index + 1;
}

/** The good file with `written` as the value at `path`; a block goes with all its lines. */
export function withValue(path: string, written: string): string {
  const { lines, index, length, indent, key, inBraces } = place(path);
  const line = inBraces
    ? lines[index]?.replace(new RegExp(`${key}: [^,} ]+`), () => `${key}: ${written}`)
    : `${indent}${key}: ${written}`;
  return lines.toSpliced(index, length, line ?? "").join("\n");
}

/** The good file without the key at `path`. */
export function withoutKey(path: string): string {
  const { lines, index, length, key, inBraces } = place(path);
  const rest = inBraces ? [lines[index]?.replace(new RegExp(`,? ${key}: [^,} ]+,?`), "") ?? ""] : [];
  return lines.toSpliced(index, length, ...rest).join("\n");
}

function place(path: string) {
  const lines = good.split("\n");
  const keys = path.split(".");
  const indentOf = (depth: number) => "  ".repeat(depth);
  const found = keys.map((key, depth) => ({ start: `${indentOf(depth)}${key}:`, key, depth }));
  let index = -1;
  let depth = 0;
  for (const step of found) {
    const next = lines.findIndex((line, at) => at > index && line.startsWith(step.start));
    if (next < 0) break;
    index = next;
    depth = step.depth;
  }
  const after = lines.slice(index + 1).findIndex((line) => !line.startsWith(indentOf(depth + 1)));
  const inBraces = depth < keys.length - 1;
  return { lines, index, length: inBraces ? 1 : after + 1, indent: indentOf(depth), key: keys.at(-1) ?? "", inBraces };
}

/** Judges a text as `config.yaml`. */
export function check(text: string | Uint8Array, context: ConfigContext = {}): CheckedConfig {
  return checkConfigFile("config.yaml", typeof text === "string" ? Buffer.from(text) : text, context);
}

/** `code path:line` of each problem, warnings with a question mark. */
export function problemsOf(text: string | Uint8Array, context: ConfigContext = {}): string[] {
  return check(text, context).problems.map(brief);
}

/** `code path:line`, of a warning with a question mark. */
export function brief({ severity, code, path, line }: LocatedProblem): string {
  return `${code}${severity === "warning" ? "?" : ""} ${path}:${line}`;
}
