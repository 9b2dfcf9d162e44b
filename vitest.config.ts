import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Each test file has a process of its own, and most would compile the same large packages anew: a third of their time.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules", ".cache", "compile");

export default defineConfig({
  test: {
    // Half of the tests' time is waiting for processes and sockets: no core need be left for the reporter.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          // A bound for what hangs, not for what is slow on a busy machine: speed is the benchmarks' matter.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
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
