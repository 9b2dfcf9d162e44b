import { createProgress } from "@hearth-platform/sandbox/progress";
import { stopSandbox } from "@hearth-platform/sandbox/sandbox";
import { readOptions } from "../command.ts";
import type { Command } from "./command.ts";

export const stop: Command = {
  summary: "Stop everything; what is in the sandbox stays",
  help: `Usage: npm run sandbox -- stop

Stops every part of the sandbox. What is in it stays: the next start brings it back.`,
  async run(args) {
    readOptions(args, {});
    await stopSandbox(undefined, createProgress());
    return 0;
  },
};
