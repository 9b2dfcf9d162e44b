import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state.js";
import { parse } from "yaml";
import { type RegisteredResource, registered } from "./pulumi-mocks.ts";

const project = join(import.meta.dirname, "..", "..");
let runs = 0;

/** What the SDK knows of the engine; its types leave it out. */
interface EngineState {
  getStore(): { readonly settings: { readonly options: { rootDirectory: string } } };
}

/** The configuration of a committed stack as the engine hands it to the program. */
export function engineConfig(stack: string): Record<string, string> {
  const { config } = parse(readFileSync(join(project, `Pulumi.${stack}.yaml`), "utf8"));
  return Object.fromEntries(
    Object.entries<unknown>(config).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** Runs the program of a committed stack under Pulumi's mocks: what it registers, and its outputs. */
export async function runProgram(
  stack: string,
): Promise<{ resources: RegisteredResource[]; outputs: Record<string, unknown> }> {
  let outputs: Record<string, unknown> = {};
  // Another address is another module: it runs again.
  runs += 1;
  const resources = await registered(async () => {
    pulumi.runtime.setAllConfig(engineConfig(stack));
    // The engine says it; the mocks have a name in its place.
    (state as unknown as EngineState).getStore().settings.options.rootDirectory = project;
    outputs = await import(join(project, `index.ts?run=${runs}`));
  });
  return { resources, outputs };
}
