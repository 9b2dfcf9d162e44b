import { availableParallelism } from "node:os";
import { join } from "node:path";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { defineConfig } from "vitest/config";
import { besideOthers, elsewhere } from "./test/support/projects.ts";
import { filesWithout, missingPrograms } from "./test/support/system-programs.ts";

// What one process has compiled, the others don't compile again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules", ".cache", "compile");
// Memory for time: the sandboxes' API servers and Pulumi's engine collect their garbage less often.
process.env.GOGC ??= "200";

// Tests whose programs this machine lacks: npm test names them.
const impossible = [...filesWithout(missingPrograms()).keys()];

export default defineConfig({
  test: {
    // Half of the tests' time is waiting for processes and sockets: two files for each core.
    maxWorkers: 2 * availableParallelism(),
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", ...elsewhere, ...besideOthers, ...impossible],
          // Node runs the TypeScript itself, and the files of a worker share what they import: a third of the CPU that a
          // transformed copy of every module for every file takes. So a test leaves no module changed behind, and mocks none.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          isolate: false,
          // A bound for what hangs, not for what is slow on a busy machine: speed is the benchmarks' matter.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      e2e("e2e", {
        include: ["test/e2e/**/*.test.ts", ...elsewhere],
        exclude: [...impossible, ...besideOthers],
      }),
      e2e("e2e-empty", { include: besideOthers, exclude: impossible }),
    ],
  },
});

/** End-to-end tests, each project on a sandbox of its own: its files take turns, so that none sees what another is about to change. */
function e2e(name: string, files: { include: string[]; exclude: string[] }) {
  return {
    test: {
      name,
      ...files,
      globalSetup: ["test/e2e/global-setup.ts"],
      env: { HEARTH_SANDBOX: name, HEARTH_E2E_KUBECONFIG: sandboxPaths(name).kubeconfig },
      // As above; each file keeps a process of its own, for its environment.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      fileParallelism: false,
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  };
}
