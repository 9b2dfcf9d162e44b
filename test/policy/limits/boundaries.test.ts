import { checkArguments } from "@hearth-platform/hearth/core/arguments";
import type { Component } from "@hearth-platform/hearth/core/component";
import { widenedLimits } from "@hearth-platform/hearth/core/limits-schema";
import type { Problem } from "@hearth-platform/hearth/core/problems";
import { forgeComponent } from "@hearth-platform/hearth/forge/component";
import { type Limit, suiteKind } from "@hearth-platform/hearth/limits/limit";
import { limits } from "@hearth-platform/hearth/limits/table";
import { siteWebhookComponent } from "@hearth-platform/hearth/site-webhook/component";
import { databaseComponent } from "@hearth-platform/hearth/stores/database/component";
import { keystoreComponent } from "@hearth-platform/hearth/stores/keystore/component";
import type { Policy } from "@hearth-platform/policy/core/policy";
import { limitsPack } from "@hearth-platform/policy/limits/policies";
import { configProblems } from "@hearth-platform/stack/areas/suites/config-file";
import { describe, expect, it } from "vitest";
import { platform } from "../../support/platform.ts";
import { argsWith, type Boundary, boundariesOf, objectWith } from "../support/boundaries.ts";
import { component, type Fixture } from "../support/fixtures.ts";
import { loadedSuite } from "../support/suites.ts";
import { judged } from "../support/verdicts.ts";

/** Every row of the table "Limits" at its boundary. What the API server says of the same objects is in test/e2e/admission-counterparts.test.ts. */

const components = {
  "hearth/Database": databaseComponent,
  "hearth/Keystore": keystoreComponent,
  "hearth/Forge": forgeComponent,
  "hearth/SiteWebhook": siteWebhookComponent,
} as unknown as Readonly<Record<string, Component>>;

/** The operator refuses some majors, and a forge needs some: not the table's matter. */
const ofOthers = ["database-major-refused", "database-major-old", "forge-database"];

/** What a row is called in the pack. */
function policyOf({ id }: Limit): Policy {
  const found = limitsPack.policies.find((policy) => policy.id === `lim-${id.replace("database", "db")}`);
  if (!found) throw new Error(`The pack has no policy of ${id}.`);
  return found;
}

function settingsSay(kind: string, path: string, boundary: Boundary): readonly Problem[] {
  const { of } = boundary;
  const args = argsWith(kind, path, boundary);
  const checked = components[kind];
  const problems = checked
    ? checkArguments(
        checked.schema,
        { ...args, platform: { ...platform, profile: of.profile, limits: of.limits } } as object,
        (values) => checked.rules(values, of.limits),
      )
    : configProblems(args, of).problems;
  return problems.filter((each) => each.path.startsWith(path) && !ofOthers.includes(each.code));
}

function packSays({ of, ...boundary }: Boundary, kind: string, path: string): Fixture {
  const args = argsWith(kind, path, { of, ...boundary });
  const { users, files, profile, limits } = of;
  const load = { ...(users !== undefined && { users }), ...(files !== undefined && { files }) };
  if (kind !== suiteKind) return component(kind.replace("hearth/", ""), args, { stack: { profile, limits } });
  const { resources, stack } = loadedSuite(load, args);
  return { resources, stack: { ...stack, profile, limits } };
}

for (const limit of Object.values<Limit>(limits))
  describe(limit.title, () => {
    const policy = policyOf(limit);
    const boundaries = boundariesOf(limit);
    const verdict = (fixture: Fixture) => judged(policy, fixture).violations.length === 0;
    const places = Object.entries({
      ...limit.fields,
      ...(limit.measure === "interval" && { "hearth/SiteWebhook": ["sites[0]", "syncInterval"] }),
    }).filter(
      // A forge takes fewer majors than there are.
      ([kind]) => kind.startsWith("hearth/") && !(limit.measure === "major" && kind === "hearth/Forge"),
    );

    it("has both sides", () => {
      expect(new Set(boundaries.map(({ allowed }) => allowed))).toEqual(new Set([true, false]));
    });

    it.each(places)("is judged alike by settings and pack in %s", (kind, keys) => {
      const path = keys.join(".");
      // Nobody says how many files a database of its own is for.
      const known = boundaries.filter(({ of }) => kind === suiteKind || of.files === undefined);
      for (const each of known) {
        expect(settingsSay(kind, path, each).length === 0, `settings: ${each.what}`).toBe(each.allowed);
        expect(verdict(packSays(each, kind, path)), `pack: ${each.what}`).toBe(each.allowed);
      }
    });

    if (limit.measure !== "set")
      it("is judged alike by the pack in an object", () => {
        for (const each of boundaries) {
          const fixture = objectWith(limit, each);
          if (fixture) expect(verdict(fixture), each.what).toBe(each.allowed);
        }
      });
  });

it("every key of hearth:limits widens a row", () => {
  const keys = Object.values<Limit>(limits).flatMap(({ widened }) => widened?.by ?? []);
  expect(keys.sort()).toEqual(Object.keys(widenedLimits.shape).sort());
});
