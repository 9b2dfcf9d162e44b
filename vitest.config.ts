import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { filesWithout, missingPrograms } from "./test/support/system-programs.ts";

// What one process has compiled, the others don't compile again.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules", ".cache", "compile");

// Tests whose programs this machine lacks: npm test names them.
const impossible = [...filesWithout(missingPrograms()).keys()];

export default defineConfig({
  test: {
    // Half of the tests' time is waiting for processes and sockets: no core need be left for the reporter.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", ...impossible],
          // Node runs the TypeScript itself, and the files of a worker share what they import: a third of the CPU that a
          // transformed copy of every module for every file takes. So a test leaves no module changed behind, and mocks none.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          isolate: false,
          // A bound for what hangs, not for what is slow on a busy machine: speed is the benchmarks' matter.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          exclude: impossible,
          globalSetup: ["test/e2e/global-setup.ts"],
          // One sandbox on two cores: files take turns.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
