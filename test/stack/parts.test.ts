import * as components from "@hearth-platform/hearth";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { areas } from "@hearth-platform/stack/areas/index";
import { wavesOf } from "@hearth-platform/stack/delivery/gitops/waves";
import { type PartKind, stackParts } from "@hearth-platform/stack/parts";
import { getPulumiComponents } from "@pulumi/pulumi/provider/experimental/provider.js";
import { describe, expect, it } from "vitest";
import { committedStack } from "../policy/baseline/planned-stack.ts";
import { runProgram } from "../support/program.ts";

const kinds = Object.keys(areas) as PartKind[];

describe("the list of areas", () => {
  it("has every component of the package, but for the stores that others make", () => {
    const listed = Object.values(areas).map(({ component }) => component.name as string);
    const packaged = getPulumiComponents(components).map(({ name }) => name);
    expect([...listed, "Database", "Keystore", "ObjectStorage"].sort()).toEqual(packaged.sort());
  });

  it("names only areas that it has as those which come before another", () => {
    expect(kinds).toEqual(expect.arrayContaining(Object.values(areas).flatMap(({ after }) => [...after])));
  });

  it("is created in an order in which each comes after those it names", () => {
    const parts = stackParts(committedStack("prod"));
    for (const [index, { name, after }] of parts.entries())
      for (const each of parts.slice(index)) expect(after, name).not.toContain(each.kind);
  });

  it("is deployed whole by stack prod", () => {
    const deployed = stackParts(committedStack("prod")).map(({ kind }) => kind);
    expect(kinds.filter((kind) => !deployed.includes(kind))).toEqual([]);
  });
});

it("the program of stack prod makes every part of the list, each after those it waits for", async () => {
  const { resources } = await runProgram("prod");
  const made = resources.filter(({ type, parent }) => type.startsWith("hearth:") && parent.startsWith("pulumi:"));
  const listed = stackParts(committedStack("prod")).map(
    ({ kind, name }) => `hearth:index:${areas[kind].component.name}::${name}`,
  );
  expect(made.map(({ type, name }) => `${type}::${name}`).sort()).toEqual(listed.sort());
  // A part waits for what is in another: named after it, and after the stores in it.
  const waits = (waiting: string, name: string) =>
    made.find((each) => each.name === waiting)?.dependsOn.some((id) => id.includes(`::${name}/`));
  expect(waits("platform", "admission")).toBe(true);
  expect(waits("cloud", "admission")).toBe(true);
  expect(waits("forge", "platform-db")).toBe(true);
  expect(waits("hub", "platform-db")).toBe(true);
  expect(waits("hub", "forge")).toBe(true);
  expect(waits("forge", "hub")).toBe(false);
  const refusals = resources.flatMap(({ beforeDelete }) => beforeDelete);
  expect(refusals.length).toBeGreaterThan(5);
  for (const refusal of refusals) expect(refusal).toMatch(/first set `hearth:allowDataLoss: \[/);
});

describe("a suite that signs on with the forge", () => {
  const [first, second] = ["cloud", "club"];
  const prod = committedStack("prod");
  /** Two suites, of which the second may sign on. */
  const withSignOn = (signOn?: { with: "forge" }) => ({
    ...prod,
    suites: prod.suites.flatMap(({ settings: { signOn: _, ...settings }, ...suite }) => [
      { ...suite, settings },
      { ...suite, settings: { ...settings, name: second, signOn }, config: { ...suite.config, namespace: second } },
    ]),
  });
  const stack = withSignOn({ with: "forge" });
  /** The areas, with a second suite that comes after another one, as one would that signs on with the forge. */
  const secondAfter = (other: string) => ({
    ...areas,
    suites: {
      ...areas.suites,
      parts: (...args: Parameters<typeof areas.suites.parts>) =>
        areas.suites.parts(...args).map((part) => ({ ...part, after: part.name === second ? [other] : [] })),
    },
  });
  const wavesIn = (of: typeof stack) => {
    const parts = stackParts(of);
    const all = wavesOf(parts).filter(({ planned: { object } }) => object.kind !== "HorizontalPodAutoscaler");
    return (name: string) => {
      const own =
        parts
          .find((part) => part.name === name)
          ?.plans()
          .flatMap(({ objects }) => objects) ?? [];
      return all.filter(({ planned }) => own.includes(planned)).map(({ wave }) => wave);
    };
  };

  it("is in later waves than the forge, and no other suite is", () => {
    const [moved, usual] = [wavesIn(stack), wavesIn(withSignOn())];
    expect(Math.min(...moved(second))).toBeGreaterThan(Math.max(...moved("forge")));
    expect(Math.min(...usual(second))).toBeLessThan(Math.max(...usual("forge")));
    expect(moved(first)).toEqual(usual(first));
  });

  it("has the forge's client, and the groups that the forge's token names", () => {
    const parts = stackParts(stack);
    const argsOf = (name: string) => parts.find((part) => part.name === name)?.args as CloudSuiteArgs & ForgeArgs;
    expect(argsOf(second)?.signOn).toEqual({
      identifier: "forge",
      issuer: `https://${argsOf("forge").domain}`,
      groupsClaim: "groups_direct",
      application: { namespace: argsOf("forge").namespace, secret: "forge-application-suite-club" },
    });
    expect(argsOf("forge").applications).toContainEqual({
      name: "suite-club",
      redirectUri: `https://${argsOf(second).domain}/apps/user_oidc/code`,
    });
    expect(argsOf(first).signOn).toBeUndefined();
  });

  it("is created after it, wherever the list has them", () => {
    const { suites, ...others } = secondAfter("siteWebhook");
    const names = stackParts(stack, { suites, ...others }).map(({ name }) => name);
    expect(names.indexOf(second)).toBeGreaterThan(names.indexOf("site-webhook"));
    expect(names.indexOf(first)).toBeLessThan(names.indexOf("site-webhook"));
  });

  it("waits for nothing in a stack without one", () => {
    const { forge: _, hub: __, ...settings } = stack.settings;
    const without = { ...stack, settings };
    expect(wavesOf(stackParts(without, secondAfter("forge")))).toEqual(wavesOf(stackParts(without)));
  });

  it("is refused where the forge waits for it", () => {
    const list = { ...secondAfter("forge"), forge: { ...areas.forge, after: ["stores", "suites"] } };
    expect(() => stackParts(stack, list)).toThrow("Areas wait for one another: forge, suites, forge.");
  });
});
