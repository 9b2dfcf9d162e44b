import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { runForeground } from "@hearth-platform/sandbox/run-foreground";
import { sandboxStatus } from "@hearth-platform/sandbox/status";
import { Misuse, parseOptions } from "../command.ts";
import { type Command, print } from "./command.ts";

export const logs: Command = {
  summary: "Show what a part writes",
  help: `Usage: npm run sandbox -- logs [part] [-f]

Shows the log of a part; without a part, lists the parts and the files of their logs.

  --follow, -f   go on with what is added, until Ctrl-C`,
  async run(args) {
    const { values, words } = parseOptions(args, { follow: { type: "boolean", short: "f", default: false } });
    const [name, extra] = words;
    if (extra !== undefined) throw new Misuse(`"${extra}" is one word too many.`);
    const parts = await sandboxStatus(undefined);
    if (name === undefined) {
      if (values.follow) throw new Misuse("-f needs the name of a part.");
      const width = Math.max(...parts.map((part) => part.name.length));
      print(parts.map((part) => `${part.name.padEnd(width)}  ${part.log}`).join("\n"));
      return 0;
    }
    const part = parts.find((candidate) => candidate.name === name);
    if (!part) {
      throw new Misuse(`There is no part "${name}": take one of ${parts.map((known) => known.name).join(", ")}.`);
    }
    if (!(await stat(part.log).catch(() => undefined)))
      throw new Error(
        `${part.name} has written nothing yet: start the sandbox with "npm run sandbox -- start --no-up".`,
      );
    if (values.follow) return runForeground("tail", ["-n", "+1", "-F", part.log], { env: process.env });
    await pipeline(createReadStream(part.log), process.stdout, { end: false });
    return 0;
  },
};
