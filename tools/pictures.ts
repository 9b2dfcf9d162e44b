import { join } from "node:path";
import { stackGraph } from "@hearth-platform/stack/delivery/graph/graph";
import { graphSvg } from "@hearth-platform/stack/delivery/graph/svg";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";

const root = join(import.meta.dirname, "..");

/** The pictures of the docs by their files: the stacks that come with hearth. */
export function pictures(): Map<string, string> {
  return new Map(["dev", "prod"].map((name) => [`docs/pictures/${name}.svg`, picture(name)]));
}

function picture(name: string): string {
  const { source } = sourceFromFile(root, name);
  const { stack } = source ? checkStack(root, source) : {};
  if (!stack) throw new Error(`Stack ${name} has problems: ./hearth validate --stack ${name} tells them.`);
  return graphSvg(stackGraph(stack), `Stack ${name}`);
}
