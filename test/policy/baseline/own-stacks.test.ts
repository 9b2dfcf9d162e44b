import { describe, expect, test } from "vitest";
import { baselinePack } from "../../../policy/baseline/policies.ts";
import { concerns, isStackPolicy, judge, judgeStack, settingsOf } from "../../../policy/core/policy.ts";
import type { Stack, Suite } from "../../../settings/stack-settings.ts";
import { committedStack, factsOfStack, resourcesOf } from "./planned-stack.ts";

const dev = committedStack("dev");
const prod = committedStack("prod");

const withSettings = (stack: Stack, more: Partial<Stack["settings"]>): Stack => ({
  ...stack,
  settings: { ...stack.settings, ...more },
});
const forge = (more: object) => ({ forge: { ...prod.settings.forge, ...more } });
const withSuites = (stack: Stack, change: (suite: Suite) => Suite): Stack => ({
  ...stack,
  suites: stack.suites.map(change),
});
const withConfig = (stack: Stack, more: Partial<Suite["config"]>) =>
  withSuites(stack, (suite) => ({ ...suite, config: { ...suite.config, ...more } }));
const replicas = { ...prod.suites[0]?.config.replicas, cloudsuite: 1 } as Suite["config"]["replicas"];
const storage = { ...prod.suites[0]?.config.storage, storageClass: "replicated-block" } as Suite["config"]["storage"];
const recover = { targetTime: "2026-11-20 08:30:00" };

/** The committed stacks, and every option of theirs that changes objects a policy looks at. */
const stacks: Readonly<Record<string, Stack>> = {
  dev,
  prod,
  "dev in profile production": withSettings(dev, { profile: "production" }),
  "prod in profile development": withSettings(prod, { profile: "development" }),
  "without office and whiteboard": withConfig(prod, { office: { enabled: false }, whiteboard: { enabled: false } }),
  "with OnlyOffice": withSuites(prod, (suite) => ({
    ...suite,
    settings: { ...suite.settings, officeEngine: "onlyoffice" },
  })),
  "one web pod on block storage": withConfig(prod, { replicas, storage }),
  "suites under maintenance": withSuites(prod, (suite) => ({
    ...suite,
    settings: { ...suite.settings, maintenance: true },
  })),
  "forge under maintenance": withSettings(prod, forge({ maintenance: true })),
  "forge with autoscaling": withSettings(prod, forge({ replicas: { autoscaleFactor: 3 } })),
  "network policies": withSettings(prod, forge({ networkPolicies: true })),
  "neither runner nor pages nor SSH": withSettings(
    prod,
    forge({ networkPolicies: true, runner: undefined, pages: undefined, ssh: undefined }),
  ),
  "databases recovered": withSuites(
    withSettings(prod, { database: { ...prod.settings.database, recover } }),
    (suite) => ({ ...suite, settings: { ...suite.settings, recover } }),
  ),
  "buckets by a resource manager": withSettings(prod, {
    objectStorage: { ...prod.settings.objectStorage, provisioner: "cluster" },
  }),
  "data that may be lost": withSettings(prod, { allowDataLoss: ["platform/forge-db", "cloud"] }),
  "secrets generated": withSettings(prod, { secrets: { store: { name: "hearth" }, generate: true } }),
  "without forge": withSettings(prod, { forge: undefined, hub: { ...prod.settings.hub, signOn: undefined } }),
  "without hub": withSettings(prod, { hub: undefined }),
};

describe.each(Object.entries(stacks))("%s", (_, stack) => {
  test("keeps every policy, and leaves none unjudged", () => {
    const resources = resourcesOf(stack);
    const facts = factsOfStack(stack);
    const found = baselinePack.policies.flatMap((policy) => {
      const settings = settingsOf(policy);
      const judgements = isStackPolicy(policy)
        ? [judgeStack(policy, resources, settings, facts)]
        : resources
            .filter((each) => concerns(policy, each))
            .map((each) => ({ of: each.urn, ...judge(policy, each, settings, facts) }));
      return judgements
        .filter(({ violations, skipped }) => violations.length > 0 || skipped !== undefined)
        .map((judgement) => ({ policy: policy.id, ...judgement }));
    });
    expect(found).toEqual([]);
  });
});
