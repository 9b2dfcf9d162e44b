import { protectedNames } from "@hearth-platform/hearth/core/data-safety/hooks";
import type { RecordedResource } from "@hearth-platform/hearth/core/data-safety/recorded-state";
import type { Plan } from "@hearth-platform/hearth/core/plan";
import { madeRevision } from "@hearth-platform/hearth/core/secrets";
import { stackParts, stackPlans } from "@hearth-platform/stack/parts";
import { changesRefusal, recordedComponents } from "@hearth-platform/stack/state/changes";
import { leftOut, leftOutRefusal } from "@hearth-platform/stack/state/left-out";
import { describe, expect, test } from "vitest";
import { withoutCode } from "../support/pages.ts";
import { missingTests, type NamedTest, readPage } from "../support/shown-by.ts";
import {
  checkFiles,
  type StackFiles,
  smallStack,
  wholePlatform,
  withConfig,
  withSettings,
} from "../support/stack-files.ts";
import { copySentences, versionSentences } from "./copy-sentences.ts";
import { dataSentences } from "./data-sentences.ts";

/** The pages on data and the program hold together: each sentence is shown by a test, and the tables and messages are the program's own. */

const page = readPage("data.md");

/** Sentences of a page: those of paragraphs and steps, and each row of a table. */
function sentencesOf(text: string): string[] {
  const blocks = withoutCode(text).split(/\n\s*\n|\n(?=\s*(?:- |\d+\. |\||#))/);
  const plain = blocks.map((block) => block.replaceAll(/\s+/g, " ").trim());
  return plain
    .filter((block, index) => block !== "" && !/^(?:#|\|-)/.test(block) && !plain[index + 1]?.startsWith("|-"))
    .flatMap((block) => {
      if (block.startsWith("|")) return [block.slice(2)];
      return block.replace(/^(?:- |\d+\. )/, "").split(/(?<=[.!?:]\)?(?:\*\*)?) (?=[A-Z*`_[])/);
    });
}

describe.each([
  { name: "data.md", sentences: dataSentences, least: 200 },
  { name: "../how-to/copies.md", sentences: copySentences, least: 50 },
  { name: "../how-to/former-versions.md", sentences: versionSentences, least: 30 },
])("each sentence of $name", ({ name, sentences, least }) => {
  const all = [...new Set(sentencesOf(readPage(name)))];

  test("is shown by a test, or promises nothing", () => {
    expect(all.length).toBeGreaterThanOrEqual(least);
    const rows = (sentence: string) => sentences.filter(([words]) => sentence.startsWith(words));
    expect(all.filter((sentence) => rows(sentence).length !== 1)).toEqual([]);
  });

  test("is there: none that is gone has a row", () => {
    expect(sentences.filter(([words]) => !all.some((sentence) => sentence.startsWith(words)))).toEqual([]);
  });

  test("names tests that are there", () => {
    const named = sentences.flatMap(([, shown]) => (typeof shown === "string" ? [] : shown));
    expect(named.length).toBeGreaterThan(all.length / 2);
    const tests = named.map((each) => /^(?<file>\S+): (?<words>.*)$/.exec(each)?.groups as unknown as NamedTest);
    expect(missingTests(tests)).toEqual([]);
  });
});

function stackOf(files: StackFiles) {
  const { stack, problems } = checkFiles(files);
  if (!stack) throw new Error(JSON.stringify(problems));
  return stack;
}
const plansOf = (files: StackFiles) => stackPlans(stackOf(files));
const partsOf = (files: StackFiles) => stackParts(stackOf(files));
const teamFile = "suites/team/config.yaml";

/** The text of the block that begins with these words. */
function blockWith(words: string): string {
  const blocks = [...page.matchAll(/^( *)```\w*\n([\s\S]*?)^\1```$/gm)].map(([, , text = ""]) => text);
  return blocks.find((text) => text.trim().startsWith(words))?.trim() ?? "";
}

describe("the page's table of what is protected", () => {
  const rows = page
    .slice(page.indexOf("## What is protected"), page.indexOf("- **Protected**"))
    .split("\n")
    .flatMap((line) => {
      const [kind = "", , names = ""] = line.slice(2, -2).split(" | ");
      const known = /^(?:Cluster|Secret|PersistentVolumeClaim|Namespace|Bucket)/.exec(kind)?.[0];
      return known ? [{ kind: known, names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name) }] : [];
    });

  test("has every object that holds data, and no other", () => {
    const plans = plansOf(wholePlatform());
    const held = plans.flatMap(({ objects, secrets }) => [
      ...objects.filter(({ holdsData }) => holdsData).map(({ object: { kind, metadata } }) => [kind, metadata.name]),
      ...secrets.filter(({ neverChanges }) => neverChanges).map(({ name }) => ["Secret", name]),
    ]);
    const named = held.filter(([kind]) => kind !== "Namespace").map((each) => each.join(" "));
    const listed = rows.flatMap(({ kind, names }) => names.map((name) => `${kind} ${name}`));
    expect([...new Set(named)].sort()).toEqual(listed.sort());
    expect(new Set([...held.map(([kind]) => kind), "Bucket"])).toEqual(new Set(rows.map(({ kind }) => kind)));
  });
});

test("former versions are kept of every bucket but those of backups, caches and scratch space", () => {
  const buckets = plansOf(wholePlatform()).flatMap((plan) => plan.buckets);
  const kept = buckets.filter(({ versioning }) => versioning);
  expect(kept.filter(({ expireVersionsAfterDays }) => expireVersionsAfterDays !== 30)).toEqual([]);
  expect(kept.length).toBeGreaterThan(10);
  expect(
    buckets
      .filter(({ versioning }) => !versioning)
      .map(({ bucket }) => bucket)
      .sort(),
  ).toEqual([
    "backups-club-dev1",
    "backups-d3v1-platform",
    "backups-team-dev1",
    "db-backups-d3v1-platform",
    "dependency-proxy-d3v1-platform",
    "runner-cache-d3v1-platform",
    "tmp-d3v1-platform",
  ]);
});

describe("the message on the page about", () => {
  test("a refused change is the program's", () => {
    const before = recordedComponents(partsOf(withConfig(smallStack(), teamFile, { "storage.dbSize": "10Gi" })));
    const smaller = partsOf(withConfig(smallStack(), teamFile, { "storage.dbSize": "5Gi" }));
    const lines = changesRefusal(JSON.parse(JSON.stringify([...before])).reduce(mapped, new Map()), smaller);
    // The page breaks the long line before its last sentence.
    expect(lines).toBe(blockWith("Nothing was changed.").replaceAll("\n  ", " "));
  });

  test("objects that the settings leave out is the program's", () => {
    const urn = (name: string) => `urn:pulumi:dev::hearth::any::${name}`;
    const component = (name: string): RecordedResource => ({ urn: urn(name), type: "hearth:index:CloudSuite" });
    const held = (
      parent: string,
      apiVersion: string,
      kind: string,
      metadata: { name: string; namespace?: string },
    ) => ({
      ...{ urn: urn(`${parent}/${metadata.name}`), type: "any", parent: urn(parent), protect: true },
      inputs: { apiVersion, kind, metadata },
    });
    const recorded = [
      component("team"),
      held("team", "v1", "Namespace", { name: "team" }),
      component("team-db"),
      held("team-db", "postgresql.cnpg.io/v1", "Cluster", { name: "cloudsuite-db", namespace: "team" }),
    ];
    const without = partsOf(withSettings(smallStack(), { cloudsuites: undefined }));
    expect(leftOutRefusal(leftOut(recorded, without))).toBe(blockWith("Nothing was created."));
  });
});

function mapped(all: Map<string, object>, [name, args]: [string, object]): Map<string, object> {
  return all.set(name, args);
}

const dataOf = (plans: readonly Plan[]) =>
  plans.flatMap(({ objects, buckets }) => [...objects.filter(({ holdsData }) => holdsData), ...buckets]);

test("a suite goes back to an older tag with the line that unlocks it, and no volume or bucket is another", () => {
  const now = recordedComponents(partsOf(smallStack()));
  const older = withConfig(smallStack(), teamFile, { "versions.cloudsuite": "34.0.2-apache" });
  const refusal = changesRefusal(now, partsOf(older)) ?? "";
  const allowDataLoss = /hearth:allowDataLoss: \[(.*?)\]/.exec(refusal)?.[1]?.split(", ");
  const unlocked = withSettings(older, { allowDataLoss });
  expect(changesRefusal(now, partsOf(unlocked))).toBeUndefined();
  expect(dataOf(plansOf(unlocked))).toEqual(dataOf(plansOf(smallStack())));
});

test("a recovery is tried again at another time from the same backups, once its result may be lost", () => {
  const at = (targetTime: string, allowDataLoss?: readonly string[]) =>
    withSettings(smallStack(), { "cloudsuites[0].recover": { targetTime }, allowDataLoss });
  const [first, second] = ["2026-11-20 08:30:00", "2026-11-20 07:30:00"];
  const result = ["team/cloudsuite-db-20261120-083000"];
  const now = recordedComponents(partsOf(at(first)));
  expect(changesRefusal(now, partsOf(at(second)))).toContain(`hearth:allowDataLoss: [${result}]`);
  expect(changesRefusal(now, partsOf(at(second, result)))).toBeUndefined();
  const recovered = (files: StackFiles) =>
    plansOf(files).flatMap(({ objects }) =>
      objects.flatMap(({ object }) =>
        object.kind === "Cluster" && object.metadata.name.startsWith("cloudsuite-db-2")
          ? [
              [
                object.metadata.name,
                (object as unknown as { spec: { externalClusters: unknown } }).spec.externalClusters,
              ],
            ]
          : [],
      ),
    );
  const [[, backups] = []] = recovered(at(first));
  expect(JSON.stringify(backups)).toContain("cloudsuite-db");
  expect(recovered(at(second))).toEqual([["cloudsuite-db-20261120-073000", backups]]);
});

describe("of secrets that stood in an old state", () => {
  const names = ["forge-webservice-proxy-secret", "forge-pages-secret"];
  const raised = (...of: string[]) =>
    plansOf(withSettings(wholePlatform(), { "secrets.revisions": Object.fromEntries(of.map((name) => [name, 1])) }));
  const secret = (plans: readonly Plan[], name: string) => {
    const found = plans.flatMap(({ secrets }) => secrets).filter((each) => each.name === name);
    expect(found, name).toHaveLength(1);
    return found.map(madeRevision);
  };
  const readers = (plans: readonly Plan[]) =>
    plans.flatMap(({ objects }) =>
      objects
        .filter(({ object: { kind } }) => ["Deployment", "StatefulSet"].includes(kind))
        .map(({ object }) => [`${object.metadata.namespace}/${object.metadata.name}`, JSON.stringify(object)] as const),
    );

  test("raised revisions of both make new values and roll the pods that read them", () => {
    const [before, after] = [plansOf(wholePlatform()), raised(...names)];
    for (const name of names) expect([secret(before, name), secret(after, name)]).toEqual([[0], [1]]);
    const old = new Map(readers(before));
    const rolled = readers(after).filter(([name, text]) => old.get(name) !== text);
    const reading = readers(before).filter(([, text]) => names.some((name) => text.includes(name)));
    expect(rolled.map(([name]) => name)).toEqual(reading.map(([name]) => name));
    expect(rolled.length).toBeGreaterThan(1);
  });

  test("no revision makes the keys of Rails anew", () => {
    const keys = plansOf(wholePlatform())
      .flatMap(({ secrets }) => secrets)
      .find(({ name }) => name === "forge-rails-secrets");
    const listed = [...page.matchAll(/^\| `(\w+_key_base)` \|/gm)].map(([, key]) => key);
    expect(Object.keys(keys?.data ?? {})).toEqual(expect.arrayContaining(listed));
    expect(listed).toHaveLength(4);
    expect(secret(raised("forge-rails-secrets"), "forge-rails-secrets")).toEqual([0]);
  });
});

test("the example that destroys a stack for good names everything that is protected of stack dev's suite", () => {
  const listed = [...blockWith("hearth:allowDataLoss:\n").matchAll(/^ *- (\S+)/gm)].map(([, name = ""]) => name);
  const plans = plansOf(smallStack());
  const names = [
    ...plans.flatMap((plan) => protectedNames(plan)),
    ...plans.flatMap(({ buckets }) => buckets.map(({ bucket }) => bucket)),
  ];
  expect(listed.sort()).toEqual(names.filter((name) => /^team(?:\/|$)|-team-/.test(name)).sort());
});
