import { checkConfigFile } from "@hearth-platform/stack/areas/suites/config-file";
import { allBadFiles } from "../../test/stack/corpus/bad-files.ts";
import { goodFiles } from "../../test/stack/corpus/good-files.ts";
import { heavyFiles } from "../../test/stack/corpus/heavy-files.ts";
import { good } from "../../test/stack/suite-file.ts";

/** What the check of one file took. */
export interface Cost {
  readonly name: string;
  /** Of processor time, its garbage collection with it: what else the machine does is not counted. */
  readonly milliseconds: number;
  /** Added to the peak of the process. */
  readonly megabytes: number;
}

const peak = () => process.resourceUsage().maxRSS / 1024;

function cost(name: string, content: string | Uint8Array, context = {}): Cost {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const before = peak();
  const start = process.cpuUsage();
  checkConfigFile("config.yaml", bytes, context);
  const { user, system } = process.cpuUsage(start);
  return { name, milliseconds: (user + system) / 1000, megabytes: peak() - before };
}

// A process of its own: only so can the memory that it takes be told from that of others. Prints what each file costs, as JSON.
if (import.meta.main) {
  // The first check compiles the schema; that belongs to the start of a command.
  cost("first", good);
  const costs = [
    ...Object.entries(heavyFiles).map(([name, content]) => cost(name, content)),
    ...allBadFiles.map(({ name, content, context }) => cost(name, content, context)),
    ...goodFiles.map(({ name, content }) => cost(name, content)),
  ];
  process.stdout.write(JSON.stringify(costs));
}
