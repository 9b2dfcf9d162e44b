import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stackPlans } from "@hearth-platform/stack/parts";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { afterAll, expect, test } from "vitest";
import { hearth } from "../support/caller.ts";

/** What of the tutorial needs no cluster: its commands describe a stack that is valid, from its own files alone. */

const page = readFileSync(join(import.meta.dirname, "../../docs/tutorial/k3s.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "hearth-tutorial-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Arguments of the page's one call of `./hearth COMMAND`. */
function call(command: string): string[] {
  const lines = [...page.matchAll(/^\$ \.\/hearth (.+)$/gm)].map(([, line = ""]) => line.split(" "));
  const found = lines.filter(([name]) => name === command);
  expect(found, command).toHaveLength(1);
  return found[0] ?? [];
}

test("init writes the suite, and the page's stack with it is valid", async () => {
  const written = await hearth(folder, ...call("init"), "--out", join(folder, "suites/demo/config.yaml"));
  expect(written.status, written.stderr).toBe(0);
  const [, stack = ""] = /^```yaml\n(# yaml-language-server[\s\S]*?)^```/m.exec(page) ?? [];
  writeFileSync(join(folder, "Pulumi.k3s.yaml"), stack);
  const { source, problems } = sourceFromFile(folder, "k3s");
  const checked = source ? checkStack(folder, source) : { problems };
  expect(checked.problems).toEqual([]);
  if (!("stack" in checked) || !checked.stack) throw new Error("The page's stack is no stack.");
  const namespaces = stackPlans(checked.stack).flatMap(({ objects }) =>
    objects.map(({ object }) => object.metadata.namespace),
  );
  expect(namespaces).toContain("demo");
});

test("the operators are those whose resources we check against", () => {
  const modules = readFileSync(join(import.meta.dirname, "../../sandbox/programs/crds/go.mod"), "utf8");
  const version = (module: string) => new RegExp(`${module} v(\\S+)`).exec(modules)?.[1];
  expect(page).toContain(`/cert-manager/releases/download/v${version("cert-manager/cert-manager")}/`);
  expect(page).toContain(`/cnpg-${version("cloudnative-pg/cloudnative-pg")}.yaml`);
  expect(page).toContain(`/plugin-barman-cloud/releases/download/v${version("plugin-barman-cloud")}/`);
});
