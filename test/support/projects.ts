/** End-to-end tests that look at a sandbox in which nothing was brought up, or start one of their own: `npm test` runs them beside the others. */
export const ownSandboxes = [
  ...[
    "database-controllers",
    "doctor",
    "first-update",
    "gate",
    "gitops",
    "lifecycle",
    "named-troubles",
    "policies",
    "sandbox",
    "site-webhook",
  ].map((name) => `test/e2e/${name}.test.ts`),
  ...["crash-matrix", "data-changes"].map((name) => `test/safety/${name}.test.ts`),
];

/** Tests of the running platform that stand elsewhere than the other end-to-end tests. */
export const ofRunningPlatform = ["least-privilege", "secrets"].map((name) => `test/safety/${name}.test.ts`);

/** A vitest project. */
export type Project = "unit" | "e2e" | "e2e-empty";

/** The project that a test file belongs to. */
export function projectOf(file: string): Project {
  if (ownSandboxes.includes(file)) return "e2e-empty";
  return file.startsWith("test/e2e/") || ofRunningPlatform.includes(file) ? "e2e" : "unit";
}
