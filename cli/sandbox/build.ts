import { ensureAllPrograms, ensurePrograms } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import type { Caller } from "../command.ts";

/** Builds the sandbox's programs; with `operators` those too that judge what is rendered. */
export async function build(what: "operators" | undefined, caller: Caller): Promise<void> {
  const progress = createProgress();
  if (what) await ensureAllPrograms(progress);
  else await ensurePrograms(progress);
  caller.error("All programs are built.\n");
}
