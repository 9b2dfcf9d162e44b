import { ensureJudges, ensurePrograms, judgeNames } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { Misuse, parseOptions } from "../command.ts";
import { type Command, note } from "./command.ts";

export const build: Command = {
  summary: "Build the sandbox's programs, or those that judge its objects",
  help: `Usage: npm run sandbox -- build [operators]

Builds the sandbox's programs, as the first start does. What is built already stays.

  operators   the programs that judge what is rendered: the tests need them, the sandbox does not`,
  async run(args) {
    const [what, extra] = parseOptions(args, {}).words;
    if (extra !== undefined) throw new Misuse(`"${extra}" is one word too many.`);
    if (what !== undefined && what !== "operators")
      throw new Misuse(`There is no "${what}" to build: write "operators", or nothing for the sandbox's own programs.`);
    const progress = createProgress();
    if (what) await ensureJudges(judgeNames, progress);
    else await ensurePrograms(progress);
    note("All is built.");
    return 0;
  },
};
