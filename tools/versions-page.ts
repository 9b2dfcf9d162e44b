import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { factsOf, type Line, prerequisites, programs } from "@hearth-platform/hearth/catalogue/releases";

const page = join(import.meta.dirname, "..", "docs", "reference", "versions.md");

/** Everything below this line of docs/reference/versions.md is generated. */
const start = "<!-- From here on: `npm run generate`. -->\n";

interface Listed {
  readonly title: string;
  readonly source: string;
  readonly support: string;
  readonly lines: readonly Line[];
}

function section(heading: string, used: string, listed: readonly (Listed & { readonly used: string })[]): string {
  const rows = listed.flatMap(({ title, source, support, lines, used: tag }) =>
    lines.map(({ line, released, ends = "", newest }, index) => {
      const first = index === 0 ? [`[${title}](${source})`, `\`${tag}\``] : ["", ""];
      return [...first, line, newest, released, ends, index === 0 ? support : ""];
    }),
  );
  const head = ["Program", used, "Release", "Newest", "Since", "Last day of fixes", "Policy"];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [`## ${heading}`, "", line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The generated part: a table of what is deployed, and one of what the cluster brings. */
function tables(): string {
  const deployed = Object.values(programs).map((program) => ({ ...program, used: program.deployed }));
  const brought = Object.values(prerequisites).map((program) => ({ ...program, used: program.judged }));
  return [
    `As of ${factsOf}. An empty day has not been announced.`,
    section("What hearth deploys", "Default and examples", deployed),
    section("Programs of the cluster", "Tested with", brought),
  ].join("\n\n");
}

/** The page with its generated part as it is to be. */
export function versionsPage(text: string): string {
  const end = text.indexOf(start);
  if (end < 0) throw new Error(`${page} has no line ${start}`);
  return `${text.slice(0, end)}${start}\n${tables()}\n`;
}

if (import.meta.main) writeFileSync(page, versionsPage(readFileSync(page, "utf8")));
