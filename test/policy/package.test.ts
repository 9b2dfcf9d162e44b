import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strictest } from "@hearth-platform/policy/core/stack-facts";
import { platformPack } from "@hearth-platform/policy/policies";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { buildPolicyPackage, packFolders } from "../../tools/policy-package.ts";
import { linkPackages, packedPackage, unpackPackage } from "../support/packed-package.ts";
import { PackProcess } from "./support/pack-process.ts";
import { packs } from "./support/verdicts.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "hearth-policy-package-"));
const modules = join(folder, "node_modules");
const installed = join(modules, "@hearth-platform/policy");
const repository = "https://git.example.org/acme/hearth";

/** The packed package where its dependencies are the repository's, and nothing else of hearth. */
beforeAll(async () => {
  const built = join(folder, "built");
  await buildPolicyPackage(built, repository);
  await unpackPackage(await packedPackage(built, folder), installed);
  linkPackages(modules, [...Object.keys(manifestIn(".").dependencies), "google-protobuf"]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (pack: string, file: string) => readFileSync(join(installed, pack, file), "utf8");
const manifestIn = (pack: string) => JSON.parse(read(pack, "package.json"));

describe.each(packFolders)("the packed pack in %s", (pack) => {
  const { name, policies } = pack === "." ? platformPack : (packs[pack] ?? platformPack);

  it("is a project as Pulumi wants one, which says where it comes from", () => {
    const project = parse(read(pack, "PulumiPolicy.yaml"));
    expect(project).toMatchObject({ name, runtime: "nodejs", license: "Apache-2.0", website: repository });
    const { version } = JSON.parse(readFileSync(join(root, "policy/package.json"), "utf8"));
    expect(manifestIn(pack)).toMatchObject({ version, main: "index.js", bugs: `${repository}/issues` });
  });

  it("is run by Pulumi's launcher, has every policy with its page, and the schema of its configuration", async () => {
    await using process = await PackProcess.start(join(installed, pack), strictest);
    const info = await process.info();
    expect(info.name).toBe(name);
    expect(info.version).toBe(manifestIn(pack).version);
    expect(info.policiesList.map((each) => each.name).sort()).toEqual(policies.map(({ id }) => id).sort());
    expect(info.policiesList.filter(({ configschema }) => !configschema)).toEqual([]);
    const page = new RegExp(`^${repository}/blob/v[\\d.]+/docs/reference/policies\\.md#`);
    expect(info.policiesList.filter(({ url }) => !page.test(url))).toEqual([]);
  }, 60_000);
});

it("each pack alone is what `pulumi policy publish` sends: npm packs its project, its code and its dependencies", async () => {
  for (const pack of ["limits", "baseline"]) {
    const place = join(installed, pack);
    const { stdout } = await execa("npm", ["pack", "--dry-run", "--offline", "--json"], { cwd: place });
    const files = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path);
    expect(files.sort()).toEqual(["PulumiPolicy.yaml", "index.js", "package.json"]);
    expect(Object.keys(manifestIn(pack).dependencies)).toContain("@pulumi/policy");
  }
});

it("links of its README lead to the repository", () => {
  const links = [...read(".", "README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
  expect(links).not.toEqual([]);
  expect(links.filter((to) => !to?.startsWith(`${repository}/blob/v`))).toEqual([]);
});
