/**
 * The components as a Pulumi plugin, for programs in other languages: the folder `plugin` of the npm package starts it. Its
 * schema was made with the package, so neither sources nor a compiler are needed.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as components from "../index.ts";

type ComponentClass = new (
  name: string,
  args: object,
  options: pulumi.ComponentResourceOptions,
) => pulumi.ComponentResource;

const classes = new Map<string, unknown>(Object.entries(components));
const schema = readFileSync(join(import.meta.dirname, "..", "..", "plugin", "schema.json"), "utf8");
const { version, resources } = JSON.parse(schema) as {
  version: string;
  resources: Record<string, { properties?: object }>;
};

/** Serves the components to the engine, until it ends the process. */
export function servePlugin(): Promise<void> {
  return pulumi.provider.main(
    {
      version,
      getSchema: async () => schema,
      async construct(name, type, inputs, options) {
        const known = resources[type];
        if (!known)
          throw new Error(`hearth ${version} has no component ${type}. It has ${Object.keys(resources).join(", ")}.`);
        const Component = classes.get(type.split(":").at(-1) ?? "") as ComponentClass;
        const made = new Component(name, inputs, options);
        const outputs = Object.keys(known.properties ?? {}).map((key) => [key, made[key as keyof typeof made]]);
        return { urn: made.urn, state: Object.fromEntries(outputs) };
      },
    },
    process.argv.slice(2),
  );
}
