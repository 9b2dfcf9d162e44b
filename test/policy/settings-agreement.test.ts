import { Profile } from "@hearth-platform/hearth/core/platform-args";
import {
  concerns,
  EnforcementLevel,
  evaluate,
  evaluateStack,
  isStackPolicy,
  levelOf,
  policySettings,
} from "@hearth-platform/policy/core/policy";
import type { PolicyResource } from "@hearth-platform/policy/core/resource";
import type { StackFacts } from "@hearth-platform/policy/core/stack-facts";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { describe, expect, it } from "vitest";
import { settingTables } from "../components/setting-tables.ts";
import { applied, rowName } from "../support/setting-table.ts";
import { type Changes, checkFiles, type StackFiles, wholePlatform, withSettings } from "../support/stack-files.ts";
import { factsOfStack, resourcesOfPart } from "./baseline/planned-stack.ts";
import { packs } from "./support/verdicts.ts";

/** What `./hearth validate` says of settings that a mandatory policy refuses. A policy that is not here never refuses what it takes. */
const codes: Readonly<Record<string, readonly string[]>> = {
  "lim-db-replicas": ["replicas-profile"],
  "lim-forge-web-replicas": ["replicas-profile"],
  "lim-db-volume": ["sizing-files"],
  "lim-keystore-volume": ["keystore-size"],
  "lim-cloudsuite-resources": ["sizing-users"],
  "lim-office-resources": ["resources-low"],
  "lim-whiteboard-resources": ["resources-low"],
  "lim-sync-interval": ["sync-interval-short"],
  "wl-image-tag": ["image-moves"],
};

/** Settings just below a limit, where no row of a table has them, and the policy that refuses them in production. */
const low: readonly (readonly [policy: string, set: Changes])[] = [
  ["lim-db-replicas", { "database.instances": 1 }],
  ["lim-forge-web-replicas", { "forge.replicas.webservice": 1 }],
  ["lim-db-volume", { "database.storageSize": "9Gi" }],
  ["lim-keystore-volume", { "keystore.storageSize": "4Gi" }],
  ["lim-sync-interval", { "siteWebhook.sites[0].syncInterval": "59s" }],
  ["wl-image-tag", { "hub.jobImage": "registry.example.org/node:lts-alpine" }],
  ["wl-image-tag", { "siteWebhook.image": "registry.example.org/webhook:1", "siteWebhook.repository": undefined }],
];

const policies = Object.values(packs).flatMap((pack) => pack.policies);

/** Resources of a part by its arguments, and each by its content: most rows change one part alone, and a few objects of it. */
const parts = new Map<string, PolicyResource[]>();
const known = new Map<string, PolicyResource>();
const verdicts = new WeakMap<PolicyResource, Map<string, readonly string[]>>();

function resourcesOf(part: StackPart): PolicyResource[] {
  const key = JSON.stringify([part.component.name, part.name, part.args]);
  const resources = parts.get(key) ?? resourcesOfPart(part).map(knownResource);
  parts.set(key, resources);
  return resources;
}

function knownResource(resource: PolicyResource): PolicyResource {
  const { urn, parent, protect, inputs } = resource;
  const key = JSON.stringify([urn, parent, protect, inputs.value]);
  const same = known.get(key) ?? resource;
  known.set(key, same);
  return same;
}

/** The policies that would end a gate over the stack. */
function refusals(stack: Stack, profile: Profile): Set<string> {
  const resources = stackParts(stack).flatMap(resourcesOf);
  const facts = factsOfStack(stack);
  const key = JSON.stringify(facts);
  const ofAll = policies.filter(
    (policy) =>
      isStackPolicy(policy) &&
      levelOf(policy, profile) === EnforcementLevel.mandatory &&
      evaluateStack(policy, resources, policySettings(policy), facts).violations.some(({ advice }) => !advice),
  );
  return new Set([
    ...ofAll.map(({ id }) => id),
    ...resources.flatMap((resource) => {
      const earlier = verdicts.get(resource) ?? new Map<string, readonly string[]>();
      const own = earlier.get(key) ?? refusalsOf(resource, profile, facts);
      verdicts.set(resource, earlier.set(key, own));
      return own;
    }),
  ]);
}

function refusalsOf(resource: PolicyResource, profile: Profile, facts: StackFacts): string[] {
  return policies
    .filter(
      (policy) =>
        !isStackPolicy(policy) &&
        levelOf(policy, profile) === EnforcementLevel.mandatory &&
        concerns(policy, resource) &&
        evaluate(policy, resource, policySettings(policy), facts).violations.some(({ advice }) => !advice),
    )
    .map(({ id }) => id);
}

/** The policies that refuse the files although the check of the settings takes them without a word. */
function untold(files: StackFiles, profile: Profile): string[] {
  const { stack, problems } = checkFiles(files);
  if (!stack) return [];
  const told = problems.map(({ code }) => code);
  return [...refusals(stack, profile)].filter((id) => !codes[id]?.some((code) => told.includes(code)));
}

/** In development a recommendation is advice. */
function isRefused(policy: string, profile: Profile): boolean {
  return profile === Profile.production || policy === "wl-image-tag";
}

describe.each(Object.values(Profile))(
  "what ./hearth validate takes in profile %s without a word, the gate takes",
  (profile) => {
    const whole = withSettings(wholePlatform(), { profile });

    it.each(settingTables)("on every row of the table of $title", (table) => {
      for (const row of table.rows) {
        const files = applied(applied(whole, table, row.from), table, row.set);
        expect(untold(files, profile), rowName(row)).toEqual([]);
      }
    });

    it.each(low)("below %s: %j", (policy, set) => {
      const files = withSettings(whole, set);
      const { stack } = checkFiles(files);
      const found = stack ? [...refusals(stack, profile)] : [];
      expect(found.filter((id) => id === policy)).toEqual(isRefused(policy, profile) ? [policy] : []);
      expect(untold(files, profile)).toEqual([]);
    });
  },
);
