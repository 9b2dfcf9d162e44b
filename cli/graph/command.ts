import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { stackGraph } from "@hearth-platform/stack/delivery/graph/graph";
import { graphSvg } from "@hearth-platform/stack/delivery/graph/svg";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { outputJson, problemRow } from "../answer.ts";
import { newCommand, type Session } from "../command.ts";
import { jsonOption, outOption, stackOption } from "../options.ts";
import { checkedStack } from "../stack.ts";

/** `hearth graph`. */
export function graphCommand(session: Session) {
  return newCommand("graph")
    .description(
      "Draws a stack: its components, the stores they use, hosts, versions and backups. Needs no cluster and no credentials.",
    )
    .addOption(stackOption())
    .addOption(outOption("default: standard output").conflicts("json"))
    .addOption(jsonOption("{stack, nodes, edges, problems}"))
    .addHelpText("after", "\nThe picture is an SVG file for pull requests and pages. It adapts to light and dark mode.")
    .action(({ stack, out, json = false }) => session.end(graph(stack, out, json, session)));
}

function graph(name: string, out: string | undefined, json: boolean, session: Session): number {
  const checked = checkedStack({ stack: name }, session);
  const drawn = checked.stack && stackGraph(checked.stack);
  if (json) outputJson(session, { stack: name, ...drawn, problems: checked.problems.map(problemRow) });
  else if (!drawn) session.error(`Nothing was drawn. ${formatReport(checked.problems)}\n`);
  else write(graphSvg(drawn, `Stack ${name}`), name, out, session);
  return drawn ? 0 : 1;
}

function write(picture: string, name: string, out: string | undefined, session: Session): void {
  if (out === undefined) {
    session.output(picture);
    return;
  }
  const file = resolve(session.folder, out);
  writeFileSync(file, picture);
  session.error(`The picture of stack ${name} is in ${file}\n`);
}
