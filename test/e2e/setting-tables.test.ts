import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { settingTables } from "../components/setting-tables.ts";
import { inWords } from "../support/object-changes.ts";
import { changesOf, packed, placedRows } from "../support/setting-packs.ts";
import { rowName } from "../support/setting-table.ts";
import { type DevStack, runningPlatform, sandbox, serveStorageClasses } from "../support/stack.ts";
import { AppliedStack } from "../support/stack-changes.ts";
import { wholePlatform } from "../support/stack-files.ts";

/** The rows of the setting tables on the real engine: as many in one preview as don't get in each other's way. */

/** The kind of static sites that the site webhook's table goes over to. */
const otherSites = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "sites.pages.example.org" },
  spec: {
    group: "pages.example.org",
    scope: "Namespaced",
    names: { plural: "sites", singular: "site", kind: "Site" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

const whole = wholePlatform();
const running = new AppliedStack(whole);
const packs = packed(placedRows(settingTables), whole, running);
let stack: DevStack;

beforeAll(async () => {
  stack = await runningPlatform();
}, 900_000);

it("a second up of the whole platform changes nothing", async () => {
  expect((await stack.changes()).map(({ op, urn }) => `${op} ${urn}`)).toEqual([]);
});

describe("the engine shows what the tables say", () => {
  // The class that rows ask for.
  beforeAll(() => serveStorageClasses("longhorn"));

  it.each(
    packs.shown.map((pack) => [
      pack.rows
        .map(({ row }) => rowName(row))
        .join(", ")
        .slice(0, 200),
      pack,
    ]),
  )("of %s", async (_, { files, words }) => {
    stack.use(files);
    expect(inWords("", changesOf(await stack.changes()))).toEqual(words);
  });
});

describe("the engine refuses what the tables say", () => {
  // A kind that is not served is refused before the engine sees an object.
  const file = join(tmpdir(), `hearth-served-${process.pid}.yaml`);
  beforeAll(async () => {
    writeFileSync(file, stringify(otherSites));
    for (const args of [["apply"], ["wait", "--for=condition=Established"]])
      expect(await sandbox("kubectl", ...args, "--filename", file)).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => {
    await sandbox("kubectl", "delete", "--filename", file);
    rmSync(file);
  });

  it.each(
    packs.refused.map((pack) => [
      pack.rows
        .map(({ row }) => rowName(row))
        .join(", ")
        .slice(0, 200),
      pack,
    ]),
  )("of %s", async (_, { files, rows, refusal }) => {
    stack.use(files);
    const { exitCode, all } = await stack.preview();
    expect(exitCode).not.toBe(0);
    const said = all.replace(/\s+/g, " ");
    const texts = rows.map(({ row }) => row.refused ?? "");
    // Of all that is protected the engine names what it comes to first.
    if (refusal?.by === "the engine")
      expect(
        texts.some((text) => said.includes(text)),
        said,
      ).toBe(true);
    else for (const text of texts) expect(said).toContain(text);
  });
});
