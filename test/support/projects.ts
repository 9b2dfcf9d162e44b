/**
 * End-to-end tests that `npm test` runs beside the others: all that need an empty sandbox, and of those that start one of
 * their own so many that both take as long.
 */
export const besideOthers = [
  ...[
    "bare-cluster",
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
  ...["crash-matrix", "destroy", "lost-state"].map((name) => `test/safety/${name}.test.ts`),
];

/** End-to-end tests that stand elsewhere than the others. */
export const elsewhere = ["data-changes", "drill", "least-privilege", "lost-cluster", "recovery-kit", "secrets"].map(
  (name) => `test/safety/${name}.test.ts`,
);

/** A vitest project. */
export type Project = "unit" | "e2e" | "e2e-empty";

/** The project that a test file belongs to. */
export function projectOf(file: string): Project {
  if (besideOthers.includes(file)) return "e2e-empty";
  return file.startsWith("test/e2e/") || elsewhere.includes(file) ? "e2e" : "unit";
}
