import { createRequire } from "node:module";
import { execa } from "execa";
import { outputJson } from "../answer.ts";
import { checkout, hearthVersion, newCommand, type Session } from "../command.ts";
import { jsonOption } from "../options.ts";

/** What runs here: what somebody who reports an error is asked for. */
export interface Versions {
  readonly hearth: string;
  /** Commit of the checkout, and whether files differ from it; absent where git knows none. */
  readonly commit?: string;
  readonly changed?: boolean;
  readonly node: string;
  /** Pulumi's SDK, which the program uses. */
  readonly pulumiSdk: string;
  /** The `pulumi` on PATH; absent where there is none. */
  readonly pulumi?: string;
}

/** `hearth version`. */
export function versionCommand(session: Session) {
  return newCommand("version")
    .description("Prints the versions of hearth, its commit, Node.js and Pulumi: name them when you report an error.")
    .addOption(jsonOption("{hearth, commit, changed, node, pulumiSdk, pulumi}"))
    .action(async ({ json }) => {
      const versions = await readVersions(checkout);
      if (json) outputJson(session, versions);
      else session.output(versionText(versions));
    });
}

/** @param project folder of the checkout @param environment whose PATH has `git` and `pulumi` */
export async function readVersions(project: string, environment = process.env): Promise<Versions> {
  const answer = async (program: string, ...args: string[]) => {
    const { stdout, failed } = await execa(program, args, {
      cwd: project,
      env: environment,
      extendEnv: false,
      reject: false,
      stdin: "ignore",
    });
    return failed ? undefined : stdout.trim();
  };
  const [commit, changes, pulumi] = await Promise.all([
    answer("git", "rev-parse", "--short=12", "HEAD"),
    answer("git", "status", "--porcelain", "--untracked-files=no"),
    answer("pulumi", "version"),
  ]);
  return {
    hearth: hearthVersion(),
    ...(commit && { commit, changed: changes !== "" }),
    node: process.versions.node,
    pulumiSdk: createRequire(import.meta.url)("@pulumi/pulumi/package.json").version,
    ...(pulumi && { pulumi: pulumi.replace(/^v/, "") }),
  };
}

/** A line each. */
export function versionText({ hearth, commit, changed, node, pulumiSdk, pulumi }: Versions): string {
  const from = commit ? ` (commit ${commit}${changed ? ", with changes" : ""})` : "";
  return [
    `hearth ${hearth}${from}`,
    `Node.js ${node}`,
    `Pulumi's SDK ${pulumiSdk}`,
    pulumi ? `Pulumi ${pulumi}` : "Pulumi: none on PATH",
    "",
  ].join("\n");
}
