import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clusterPrograms, factsOf, type Line, programs } from "@hearth-platform/hearth/catalogue/releases";
import { endOf } from "@hearth-platform/hearth/catalogue/support";
import type { Day } from "@hearth-platform/hearth/core/days";

const root = join(import.meta.dirname, "..");
const text = (file: string) => readFileSync(join(root, file), "utf8").trim();

interface Listed {
  readonly title: string;
  readonly source: string;
  readonly read?: Day;
  readonly support: string;
  readonly keeps?: number;
  readonly lines: readonly [Line, ...Line[]];
}

function section(heading: string, used: string, listed: readonly (Listed & { readonly used: string })[]): string {
  const rows = listed.flatMap((program) =>
    program.lines.map((line, index) => {
      const { title, source, support, used: tag } = program;
      const first = index === 0 ? [`[${title}](${source})`, `\`${tag}\``] : ["", ""];
      return [...first, line.line, line.newest, line.released, endOf(program, line) ?? "", index === 0 ? support : ""];
    }),
  );
  const head = ["Program", used, "Release", "Newest", "Since", "Last day of fixes", "Policy"];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [`## ${heading}`, "", line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The days on which the programs were looked up, the newest first, each with its programs. */
function readOn(listed: readonly Listed[]): string {
  const days = [
    ...new Set(listed.flatMap(({ read }) => (read === undefined || read === factsOf ? [] : [read]))),
  ].sort();
  const named = days.reverse().map((day) => {
    const titles = listed.filter(({ read }) => read === day).map(({ title }) => title);
    return `Read on ${day}: ${titles.join(", ")}.`;
  });
  return [...named, `Read on ${factsOf}: all others.`, "An empty day has not been announced."].join(" ");
}

/** What runs hearth itself: Node.js, Pulumi's command, and the packages of Pulumi that the components are installed with. */
function runners(): string {
  const manifest = JSON.parse(text("package.json"));
  const { dependencies } = JSON.parse(text("components/package.json")) as { dependencies: Record<string, string> };
  const [, engine] = /pulumi\/pkg\/v3 v(\S+)/.exec(text("sandbox/programs/pulumi/go.mod")) ?? [];
  const packages = Object.entries(dependencies).filter(([name]) => name.startsWith("@pulumi/"));
  const rows = [
    [
      "Node.js",
      `\`${text(".node-version")}\``,
      `the commands start with Node ${manifest.engines.node.slice(2)} or newer; \`npm install\` brings this one`,
    ],
    [
      "Pulumi's command",
      `\`${manifest.devDependencies.pulumi}\``,
      `\`npm install\` brings it as \`npx pulumi\`; the tests run the engine of ${engine}`,
    ],
    ...packages.map(([name, version]) => [`\`${name}\``, `\`${version}\``, "none: it is an exact dependency"]),
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    "## What hearth runs with",
    "",
    line(["Program", "Version", "Which others"]),
    line(["---", "---", "---"]),
    ...rows.map(line),
  ].join("\n");
}

/** What docs/reference/versions.md says of the programs: tables of what is deployed, of what the cluster brings, and of what runs hearth. */
export function versionTables(): string {
  const deployed = Object.values(programs).map((program) => ({ ...program, used: program.deployed }));
  const brought = Object.values(clusterPrograms).map((program) => ({ ...program, used: program.judged }));
  return [
    readOn([...deployed, ...brought]),
    section("What hearth deploys", "Default and examples", deployed),
    section("Programs of the cluster", "Tested with", brought),
    runners(),
  ].join("\n\n");
}
