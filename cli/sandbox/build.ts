import { ensureJudges, ensurePrograms, judgeNames } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import type { Caller } from "../command.ts";

/** Builds the sandbox's programs, or those that judge what is rendered. */
export async function build(what: "operators" | undefined, caller: Caller): Promise<void> {
  const progress = createProgress();
  if (what) await ensureJudges(judgeNames, progress);
  else await ensurePrograms(progress);
  caller.error("All programs are built.\n");
}
