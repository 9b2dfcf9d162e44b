import { beforeAll, describe, expect, it } from "vitest";
import { settingTables } from "../components/setting-tables.ts";
import { inWords } from "../support/object-changes.ts";
import { changesOf, packed, placedRows } from "../support/setting-packs.ts";
import { rowName } from "../support/setting-table.ts";
import { type DevStack, runningPlatform } from "../support/stack.ts";
import { AppliedStack } from "../support/stack-changes.ts";
import { wholePlatform } from "../support/stack-files.ts";

/** The rows of the setting tables on the real engine: as many in one preview as don't get in each other's way. */

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
  it.each(
    packs.refused.map((pack) => [
      pack.rows
        .map(({ row }) => rowName(row))
        .join(", ")
        .slice(0, 200),
      pack,
    ]),
  )("of %s", async (_, { files, rows, refusedBy }) => {
    stack.use(files);
    const { exitCode, all } = await stack.preview();
    expect(exitCode).not.toBe(0);
    const said = all.replace(/\s+/g, " ");
    const texts = rows.map(({ row }) => row.refused ?? "");
    // Of all that is protected the engine names what it comes to first.
    if (refusedBy === "the engine")
      expect(
        texts.some((text) => said.includes(text)),
        said,
      ).toBe(true);
    else for (const text of texts) expect(said).toContain(text);
  });
});
