import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../samples.ts";

/** A Pulumi program that registers ConfigMaps and nothing else: what the engine takes for as many objects. */
const program = `
const { Provider, core } = require("@pulumi/kubernetes");
const provider = new Provider("cluster");
for (let number = 0; number < Number(process.env.BENCH_OBJECTS); number++)
  new core.v1.ConfigMap("floor-" + number, { metadata: { name: "floor-" + number, namespace: "default" }, data: { number: String(number) } }, { provider });
`;

/** Writes the program as a project into a folder. */
export function writeFloor(folder: string): void {
  mkdirSync(folder);
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "name: floor\nruntime: { name: nodejs, options: { typescript: false } }\n",
  );
  writeFileSync(join(folder, "package.json"), '{ "name": "floor", "main": "index.js" }');
  writeFileSync(join(folder, "index.js"), program);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}
