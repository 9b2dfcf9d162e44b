// Builds the sandbox's programs and prints where they are, as JSON: `node sandbox/programs/main.ts`.
import { createProgress } from "../progress.ts";
import { ensurePrograms } from "./programs.ts";

try {
  console.log(JSON.stringify(await ensurePrograms(createProgress()), null, 2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
