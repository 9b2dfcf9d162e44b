import { Help } from "commander";

/** The facts that `npm start` has at its end. */
export interface Ending {
  /** Outputs of the stack; secrets are masked. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** No changes were needed. */
  readonly unchanged: boolean;
  /** Where the site webhook answers on this machine; absent where the stack has none. */
  readonly webhook?: string;
  /** Where the page answers. */
  readonly page: string;
}

/** The engine's placeholder of a secret. */
const masked = "[secret]";

/** A digest, which nobody needs to read. */
const left = /\.(digest|image|secret)$/;

/** The last lines of `npm start`, at most 100 columns where names allow it: what there is, what answers, what to do next. */
export function ending({ outputs, unchanged, webhook, page }: Ending): string {
  const rows = flatten("", outputs).filter(([name, value]) => value !== masked && !left.test(name));
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const sites = rows.filter(([name]) => name.startsWith(siteUrls));
  const first = sites[0]?.[1];
  return [
    ...(unchanged ? ["No changes were needed.", ""] : []),
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${wrapped(value, width + 4)}`),
    "",
    "Your browser can't open these names, because pods are simulated here. On this machine you can open:",
    "",
    `  ${"the platform as a picture, live".padEnd(width)}  ${page}`,
    ...(webhook ? sites.map(([name, url]) => `  ${name.padEnd(width)}  ${here(webhook, url)}`) : []),
    "",
    "Next:",
    ...(webhook && first
      ? [`  curl -si -X POST ${here(webhook, first)}`, "      makes a site sync; 202 means that the sync was triggered"]
      : []),
    "  ./hearth sandbox pulumi stack output --show-secrets",
    "      shows the passwords",
    "  ./hearth sandbox pulumi preview --diff",
    "      shows the effect of a change of yours",
    "  ./hearth sandbox stop",
    "      stops the sandbox; nothing is lost",
    "",
    `Look at it: ${page}`,
  ].join("\n");
}

/** Columns that a line may have where its words allow it. */
const columns = 100;

/** A text whose further lines stand below its first one. */
function wrapped(text: string, indent: number): string {
  return new Help().boxWrap(text, columns - indent).replaceAll("\n", `\n${" ".repeat(indent)}`);
}

const siteUrls = "siteWebhook.urls.";

/** A public address as this machine has it. */
function here(webhook: string, url: string): string {
  return `${webhook}${new URL(url).pathname}`;
}

/** Outputs with several values have a row for each, e.g. `endpoints.team.web`. */
function flatten(prefix: string, value: unknown): Array<[string, string]> {
  if (typeof value !== "object" || value === null) return [[prefix, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(prefix ? `${prefix}.${key}` : key, inner));
}
