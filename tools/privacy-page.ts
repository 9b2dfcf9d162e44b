import { outwardCalls, remainingCalls } from "@hearth-platform/hearth/core/privacy";

/** The calls that are off, with what turns each on, as a table of the page. */
export function outwardCallsTable(): string {
  const rows = Object.entries(outwardCalls).map(
    ([name, { program, sends, switches, source }]) =>
      `| \`${name}\` | ${program} | ${sends} | ${switches.map((each) => code(each)).join("; ")} | ${source} |`,
  );
  return [
    "| `hearth:privacy.` | Program | What would be sent | Upstream's switch | Source |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** What goes outside whatever the settings say, as a table of the page. */
export function remainingCallsTable(): string {
  const rows = remainingCalls.map(({ program, goes, because }) => `| ${program} | ${goes} | ${because} |`);
  return ["| Program | What goes outside | Why it stays |", "|---|---|---|", ...rows].join("\n");
}

/** A switch as code, and what is said of it as text. */
function code(text: string): string {
  const [, name = text, rest = ""] = /^(.*?)((?: (?:in|among|since|is) .*)?)$/.exec(text) ?? [];
  return name.startsWith("the app ") ? text.replace(/survey_client/, "`$&`") : `\`${name}\`${rest}`;
}
