/**
 * Builds the npm package of the policy packs in `policy/dist`. Each pack is a folder as Pulumi wants one: `PulumiPolicy.yaml`,
 * a manifest with its version and dependencies, and its code as one module, so that `pulumi policy publish` takes it alone.
 * `npm run pack` builds and packs it; `npm publish policy/dist` publishes it.
 */
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundlePolicyPack } from "@hearth-platform/bundle/policy-pack";
import { parse, stringify } from "yaml";
import { json, withLinks, writeTo } from "./package.ts";
import { repositoryUrl } from "./repository.ts";

const root = join(import.meta.dirname, "..");
const source = join(root, "policy");

/** Folders of the packs in the package: the one with all policies is the package itself. */
export const packFolders = [".", "limits", "baseline"] as const;

/**
 * Builds the package in a folder, which is made anew.
 * @param repository address that links lead to, and that the registry compares with the one which publishes
 * @throws where a pack can't be built
 */
export async function buildPolicyPackage(target: string, repository = repositoryUrl()): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  const { name, version, description, license, dependencies } = manifestIn(source);
  const needed = installedBeside(dependencies);
  const published = {
    ...(repository && {
      homepage: `${repository}/tree/v${version}/policy`,
      repository: { type: "git", url: `git+${repository}.git`, directory: "policy" },
      bugs: `${repository}/issues`,
    }),
    type: "module",
    // What Pulumi's SDK needs.
    engines: { node: ">=22" },
    main: "index.js",
    dependencies: needed,
  };
  for (const folder of packFolders) {
    const place = join(target, folder);
    const text = await bundlePolicyPack({
      project: root,
      module: join("policy", folder, "index.ts"),
      external: Object.keys(needed),
    });
    writeTo(join(place, "index.js"), withPages(text, version, repository));
    const pack = parse(readFileSync(join(source, folder, "PulumiPolicy.yaml"), "utf8"));
    writeTo(
      join(place, "PulumiPolicy.yaml"),
      stringify({ ...pack, license, ...(repository && { website: repository }) }, { lineWidth: 0 }),
    );
    const own = folder === "." ? { name, description } : { name: pack.name, description: pack.description };
    writeTo(
      join(place, "package.json"),
      json({
        ...own,
        version,
        license,
        keywords: ["pulumi", "policy", "kubernetes", "policy-as-code"],
        ...published,
        ...(folder === "."
          ? { files: packFolders.flatMap(filesOf), publishConfig: { access: "public" } }
          : { private: true }),
      }),
    );
  }
  cpSync(join(root, "LICENSE"), join(target, "LICENSE"));
  writeTo(join(target, "README.md"), withLinks(readFileSync(join(source, "README.md"), "utf8"), version, repository));
}

/** What is not in the bundles: the SDKs, which a process may hold once only, and what is large. */
function installedBeside(dependencies: Readonly<Record<string, string>>): Record<string, string> {
  const { zod } = manifestIn(join(root, "components")).dependencies;
  const own = Object.entries(dependencies).filter(([name]) => !name.startsWith("@hearth-platform/"));
  return Object.fromEntries([...own, ["zod", zod ?? ""]].map(([name = "", version = ""]) => [name, `^${version}`]));
}

/** Each policy names its page. */
function withPages(text: string, version: string, repository: string | undefined): string {
  const page = "docs/reference/policies.md#";
  return repository === undefined ? text : text.replaceAll(page, `${repository}/blob/v${version}/${page}`);
}

function filesOf(folder: string): string[] {
  return folder === "." ? ["PulumiPolicy.yaml", "index.js"] : [folder];
}

function manifestIn(folder: string) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
    "name" | "version" | "description" | "license",
    string
  > & { readonly dependencies: Readonly<Record<string, string>> };
}

if (import.meta.main) await buildPolicyPackage(join(source, "dist"));
