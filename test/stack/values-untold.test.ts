import { checkConfigFile } from "@hearth-platform/stack/areas/suites/config-file";
import { ConfigFile } from "@hearth-platform/stack/areas/suites/config-schema";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { z } from "zod";

type Path = readonly (string | number)[];
/** A place of a schema, and whether a text has its type. */
interface Place {
  readonly path: Path;
  readonly isText: boolean;
}

/** Every place of a schema, blocks and lists too: a value may stand wherever a person errs. */
function placesOf(schema: z.ZodType, path: Path = []): Place[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return placesOf(schema.def.innerType as z.ZodType, path);
  const own = path.length === 0 ? [] : [{ path, isText: schema instanceof z.ZodString }];
  if (schema instanceof z.ZodObject)
    return [
      ...own,
      ...Object.entries(schema.shape).flatMap(([key, part]) => placesOf(part as z.ZodType, [...path, key])),
    ];
  if (schema instanceof z.ZodArray) return [...own, ...placesOf(schema.element as z.ZodType, [...path, 0])];
  if (schema instanceof z.ZodRecord) return [...own, ...placesOf(schema.valueType as z.ZodType, [...path, "key"])];
  return own;
}

/** A tree with nothing but a value at paths, each below a key of its own. */
const alone = (paths: readonly Path[], value: unknown) =>
  Object.assign({}, ...paths.map((path) => only(path, value))) as Record<string, unknown>;

/** A tree with nothing but a value at a path. */
function only([key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const below = only(rest, value);
  return typeof key === "number" ? [below] : { [key]: below };
}

const settings = (paths: readonly Path[], value: unknown) =>
  checkStack("/nowhere", { file: "Pulumi.test.yaml", values: alone(paths, value) }).problems;
const config = (paths: readonly Path[], value: unknown) =>
  checkConfigFile("team.yaml", Buffer.from(stringify(alone(paths, value)))).problems;

/** All places in as few rounds as there can be, each with at most one place below a key of the file. */
function roundsOf(places: readonly Place[]): Path[][] {
  const areas = [...Map.groupBy(places, ({ path }) => path[0]).values()];
  const most = Math.max(...areas.map(({ length }) => length));
  return Array.from({ length: most }, (_, round) => areas.flatMap((area) => (area[round] ? [area[round].path] : [])));
}

const canary = "c4n4ry";
/** What a person might put in a wrong place, each with the canary. */
const secrets: Readonly<Record<string, unknown>> = {
  "a password": `${canary}!`,
  "a word": canary,
  "a password with signs": `pa:ss@${canary}/?#`,
  "a token": `glpat-${canary}aaaaaaaaaaaaaa`,
  "an address with a password": `https://user:${canary}@host.example.org/path`,
  "an address with a token": `https://${canary}@host.example.org`,
  "a query": `https://host.example.org/?token=${canary}`,
  "a host with a port of words": `${canary}:${canary}`,
  "upper case": `${canary.toUpperCase()}-${canary}`,
  "a long text": canary.repeat(60),
  "a number": 4_742_474_247,
  "a list": [canary],
  "a block": { first: canary },
  "more than a line": `-----BEGIN\n${canary}`,
};

const files = {
  "the stack's settings": { places: placesOf(StackSettings), judge: settings },
  "config.yaml": { places: placesOf(ConfigFile), judge: config },
};

describe.each(Object.entries(files))("%s", (_, { places, judge }) => {
  it.each(Object.entries(secrets))("tell no value in any message: %s", (_, value) => {
    expect(places.length).toBeGreaterThan(20);
    const rounds = roundsOf(places);
    expect(rounds.flat()).toHaveLength(places.length);
    const reports = rounds.map((paths) => formatReport(judge(paths, value)));
    expect(reports.filter((report) => /c4n4ry|4742474247/i.test(report))).toEqual([]);
  });

  it.each([
    "https://user:c4n4ry@host.example.org/path",
    "postgres://user:c4n4ry@host.example.org/app",
    "https://c4n4ry@host.example.org/a.git",
  ])("have no text that takes an address with credentials: %s", (value) => {
    const texts = places.filter(({ isText }) => isText);
    const taking = texts.filter(({ path }) => {
      const at = judge([path], value).filter((problem) => problem.severity === "error");
      return !at.some((problem) => samePlace(problem.path, path));
    });
    expect(taking.map(({ path }) => path.join("."))).toEqual([]);
  });
});

function samePlace(told: string, path: Path): boolean {
  const plain = path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1);
  return told.replace(/^hearth:/, "") === plain;
}
