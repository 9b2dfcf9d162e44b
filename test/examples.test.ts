import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { forgeBucketArgs } from "@hearth-platform/hearth/forge/store-needs";
import { PolicyResource } from "@hearth-platform/policy/core/resource";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { judged, packs } from "./policy/support/verdicts.ts";
import { type RegisteredResource, registered } from "./support/pulumi-mocks.ts";

/** The programs in `examples/`: `npm run types` checks them, and here they run under Pulumi's mocks. */

const folder = join(import.meta.dirname, "../examples");
const programs = readdirSync(folder).filter((name) => existsSync(join(folder, name, "index.ts")));
const page = (name: string) => readFileSync(join(folder, name, "README.md"), "utf8");

async function resourcesOf(name: string): Promise<RegisteredResource[]> {
  return registered(() => import(join(folder, name, "index.ts")));
}

/** Names of the Kubernetes objects and buckets that a program makes, by kind. */
function made(resources: readonly RegisteredResource[], kind: string): string[] {
  return resources
    .filter(({ type }) => type.endsWith(`:${kind}`))
    .map(({ inputs }) => (inputs.metadata as { name: string } | undefined)?.name ?? String(inputs.bucket))
    .sort();
}

describe("an example", () => {
  it("is each of these, and has a page in the list of examples", () => {
    expect(programs).toEqual(["forge-and-hub", "one-suite", "packs-alone", "template", "transforms"]);
    const list = readFileSync(join(folder, "README.md"), "utf8");
    for (const name of programs) expect(list).toContain(`](${name}/README.md)`);
  });

  it.each(programs)("%s runs as Pulumi runs it: its main file is there, and Node runs the TypeScript", (name) => {
    const project = parse(readFileSync(join(folder, name, "Pulumi.yaml"), "utf8"));
    expect(project).toMatchObject({ runtime: { name: "nodejs", options: { typescript: false } }, main: "index.ts" });
    expect(page(name).length).toBeGreaterThan(200);
  });

  it("one-suite makes a suite with stores of its own, and names the Secret that its reader makes", async () => {
    const resources = await resourcesOf("one-suite");
    expect(made(resources, "Bucket")).toEqual(["backups-team-ex1", "data-team-ex1"]);
    expect(made(resources, "Cluster")).toEqual(["cloudsuite-db"]);
    expect(made(resources, "Deployment")).toEqual(["cloudsuite", "keystore-exporter"]);
    expect(JSON.stringify(resources)).toContain('"s3-keys"');
    expect(page("one-suite")).toContain("`s3-keys`");
  });

  it("forge-and-hub makes no store, and the hub's users sign on with the forge", async () => {
    const resources = await resourcesOf("forge-and-hub");
    expect(made(resources, "Bucket")).toEqual([]);
    expect(made(resources, "Cluster")).toEqual([]);
    expect(made(resources, "Deployment")).toEqual(expect.arrayContaining(["forge-webservice", "hub-core"]));
    expect(made(resources, "Job").filter((name) => name.startsWith("forge-application-hub-"))).toHaveLength(1);
    const text = page("forge-and-hub");
    for (const secret of ["forge-database", "hub-database", "redis", "forge-s3-credentials"])
      expect(text).toContain(`\`${secret}\``);
    const uses = forgeBucketArgs("ex1", "platform").map(({ name }) => name.replace("-ex1-platform", ""));
    for (const use of uses) expect(text).toContain(`\`${use}\``);
  });

  it("template asks for what its program requires, and installs the versions that the tests run", async () => {
    const { template } = parse(readFileSync(join(folder, "template", "Pulumi.yaml"), "utf8"));
    const program = readFileSync(join(folder, "template", "index.ts"), "utf8");
    const required = new Set([...program.matchAll(/config\.require\("(\w+)"\)/g)].map(([, key]) => key));
    expect(Object.keys(template.config).sort()).toEqual([...required].sort());
    const manifest = (file: string) => JSON.parse(readFileSync(join(folder, file, "package.json"), "utf8"));
    const { dependencies } = manifest("template");
    const { version } = manifest("../components");
    expect({ ...manifest("..").dependencies, "@hearth-platform/hearth": version }).toMatchObject(dependencies);
  });

  it("packs-alone is reported by the policies that its page lists, and by no other", async () => {
    const resources = (await resourcesOf("packs-alone"))
      .filter(({ type }) => !type.startsWith("pulumi:providers:"))
      .map(({ type, name, inputs }) => ({ type, urn: `urn:pulumi:dev::packs-alone::${type}::${name}`, props: inputs }));
    expect(resources.map((raw) => new PolicyResource(raw).groupKind)).toEqual(["apps/Deployment"]);
    const policies = packs.baseline?.policies ?? [];
    const reported = policies.filter((policy) => judged(policy, { resources } as never).violations.length > 0);
    const listed = [...page("packs-alone").matchAll(/^\| `([\w-]+)` \|/gm)].map(([, id]) => id);
    expect(reported.map(({ id }) => id).sort()).toEqual(listed.sort());
  });
});
