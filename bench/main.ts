/** Benchmarks by name: `npm run bench -- webhook`. Each exits 1 when one of its numbers is missed. */
const benchmarks: Readonly<Record<string, () => Promise<{ run(): Promise<boolean> }>>> = {
  validate: () => import("./validate/main.ts"),
  sandbox: () => import("./sandbox/main.ts"),
  policies: () => import("./policies/main.ts"),
  webhook: () => import("./webhook/main.ts"),
};

const [name = ""] = process.argv.slice(2);
const load = benchmarks[name];
if (load) {
  const { run } = await load();
  process.exitCode = (await run()) ? 0 : 1;
} else {
  console.error(`There is no benchmark called "${name}". Say one of: ${Object.keys(benchmarks).join(", ")}.`);
  process.exitCode = 2;
}
