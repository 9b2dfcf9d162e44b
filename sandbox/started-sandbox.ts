import type { SandboxPaths } from "./paths.ts";
import type { Programs } from "./programs/programs.ts";
import type { SandboxRecord } from "./record.ts";

/** A sandbox that was started: all that is needed to use it. */
export interface Sandbox {
  readonly paths: SandboxPaths;
  readonly programs: Programs;
  readonly record: SandboxRecord;
}
