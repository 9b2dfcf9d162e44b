import { admission } from "@hearth-platform/hearth/admission/schema";
import { cloudSuite } from "@hearth-platform/hearth/cloudsuite/schema";
import { defineComponent } from "@hearth-platform/hearth/core/component";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import { block, defaultsTo, details, filled, flag, list, optional, text } from "@hearth-platform/hearth/core/schema";
import { forgeDefaults } from "@hearth-platform/hearth/forge/defaults";
import { forge } from "@hearth-platform/hearth/forge/schema";
import { hubDefaults } from "@hearth-platform/hearth/hub/defaults";
import { hub } from "@hearth-platform/hearth/hub/schema";
import { siteWebhookDefaults } from "@hearth-platform/hearth/site-webhook/defaults";
import { siteWebhook } from "@hearth-platform/hearth/site-webhook/schema";
import { databaseDefaults } from "@hearth-platform/hearth/stores/database/defaults";
import { database } from "@hearth-platform/hearth/stores/database/schema";
import { keystore } from "@hearth-platform/hearth/stores/keystore/schema";
import { objectStorage } from "@hearth-platform/hearth/stores/object-storage/schema";
import { stores } from "@hearth-platform/hearth/stores/shared/schema";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { unwrapped, words } from "../../../tools/argument-types.ts";

/** How the arguments of each component are resolved. */
const resolvers: Readonly<Record<string, [schema: z.ZodObject, defaults?: (args: never) => object]>> = {
  admission: [admission],
  cloudSuite: [cloudSuite],
  database: [database, databaseDefaults],
  forge: [forge, forgeDefaults],
  hub: [hub, hubDefaults],
  keystore: [keystore],
  objectStorage: [objectStorage],
  siteWebhook: [siteWebhook, siteWebhookDefaults],
  stores: [stores],
};
const profiles = Object.values(Profile);

/** Arguments of any kind that have their types; what may be left out is left out, given or undefined. */
function argumentsOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return fc.option(argumentsOf(schema.def.innerType as z.ZodType), { nil: undefined });
  if (schema instanceof z.ZodObject) {
    const parts = Object.entries(schema.shape as z.ZodRawShape).map(
      ([key, part]) => [key, argumentsOf(part as z.ZodType)] as const,
    );
    const requiredKeys = Object.keys(schema.shape).filter((key) => !schema.shape[key]?.safeParse(undefined).success);
    return fc.record(Object.fromEntries(parts), { requiredKeys });
  }
  if (schema instanceof z.ZodArray) return fc.array(argumentsOf(schema.element as z.ZodType), { maxLength: 2 });
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(fc.constantFrom("a", "b"), argumentsOf(schema.valueType as z.ZodType));
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodString) return fc.constantFrom("https://a.example.org", "https://b.example.org");
  const { minValue, maxValue } = schema as z.ZodNumber;
  return fc.integer({ min: Math.max(1, minValue ?? 1), max: Math.min(100, maxValue ?? 100) });
}

/** What every part of `given` is in `resolved`, with its path. */
function compared(given: unknown, resolved: unknown, path = ""): [path: string, given: unknown, resolved: unknown][] {
  if (typeof given !== "object" || given === null) return given === undefined ? [] : [[path, given, resolved]];
  return Object.entries(given).flatMap(([key, value]) =>
    compared(value, (resolved as Record<string, unknown>)[key], `${path}.${key}`),
  );
}

function frozen(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
}

describe.each(Object.entries(resolvers))("resolved arguments of %s", (_, [schema, defaults]) => {
  const resolved = (given: unknown, profile: Profile) => {
    const args = resolve(schema, given as never, profile);
    return defaults ? defaults(args as never) : args;
  };
  const holds = (property: (given: unknown, profile: Profile) => void) =>
    fc.assert(fc.property(argumentsOf(schema), fc.constantFrom(...profiles), property), { numRuns: 60 });

  test("are the same when they are resolved again", () =>
    holds((given, profile) => {
      const once = resolved(given, profile);
      expect(resolved(once, profile)).toEqual(once);
    }));

  test("still have the types of the schema", () =>
    holds((given, profile) => {
      expect(schema.safeParse(resolved(given, profile)).error?.issues).toBeUndefined();
    }));

  test("have every value that was given, which itself is left as it was", () =>
    holds((given, profile) => {
      frozen(given);
      for (const [path, value, found] of compared(given, resolved(given, profile)))
        expect([path, found]).toEqual([path, value]);
    }));
});

describe("the default that the docs have of an argument", () => {
  const blocks = new Set<z.ZodObject>();
  const collect = (schema: z.ZodType): void => {
    const { inner } = unwrapped(schema);
    if (inner instanceof z.ZodArray) collect(inner.element as z.ZodType);
    if (inner instanceof z.ZodRecord) collect(inner.valueType as z.ZodType);
    if (!(inner instanceof z.ZodObject) || blocks.has(inner)) return;
    blocks.add(inner);
    for (const part of Object.values(inner.shape)) collect(part as z.ZodType);
  };
  for (const [schema] of Object.values(resolvers)) collect(schema);
  const plain = [...blocks].flatMap((block) =>
    Object.entries(block.shape as z.ZodRawShape).flatMap(([key, part]) => {
      const has = part instanceof z.ZodDefault || details.get(part as z.ZodType)?.perProfile !== undefined;
      return has ? [[`${details.get(block)?.name}.${key}`, part as z.ZodType] as const] : [];
    }),
  );

  test.each(plain)("is what it is resolved to: %s", (_, schema) => {
    const [production, development] = [Profile.production, Profile.development].map((profile) =>
      words(resolve(schema, undefined, profile)),
    );
    const perProfile = `${production} in production, ${development} in development`;
    expect([production, perProfile]).toContain(unwrapped(schema).otherwise);
  });
});

describe("a block with defaults", () => {
  const port = block("PortArgs", "A port.", {
    name: text("Its name."),
    open: defaultsTo(flag("Whether it is open."), true),
  });
  const server = block("ServerArgs", "A server.", {
    ports: filled(list(port, "Its ports."), "none"),
    spare: optional(port, "none"),
    log: filled(block("LogArgs", "Its log.", { kept: defaultsTo(flag("Whether it is kept."), false) }), "not kept"),
  });

  test("is made where the schema says so, and otherwise stays absent", () => {
    expect(resolve(server, {})).toEqual({ ports: [], log: { kept: false } });
  });

  test("is filled in within lists, beside what is given", () => {
    const given = { ports: [{ name: "a" }, { name: "b", open: false }], spare: { name: "c" } };
    expect(resolve(server, given)).toMatchObject({
      ports: [
        { name: "a", open: true },
        { name: "b", open: false },
      ],
      spare: { name: "c", open: true },
    });
  });

  test("is left alone where it is an Output, and given back itself where it lacks nothing", () => {
    const output = pulumi.output({ name: "a" });
    const whole = { ports: [], spare: output as never, log: { kept: true } };
    expect(resolve(server, whole)).toBe(whole);
  });

  test("asks for the profile where a default depends on it", () => {
    expect(() => resolve(database.shape.instances, undefined)).toThrow("depends on the profile");
  });
});

test("a component's stages and outputs read resolved arguments; its stages see what was given, too", () => {
  const read: unknown[] = [];
  const component = defineComponent({
    name: "Server",
    schema: block("ServerArgs", "A server.", {
      host: text("Its host."),
      address: optional(text("Its address."), "the host"),
      open: defaultsTo(flag("Whether it is open."), true),
    }),
    rules: () => [],
    defaults: (args) => ({ ...args, address: args.address ?? args.host }),
    stages: (args, given) => {
      read.push(args, given);
      return [];
    },
    outputs: (args) => args,
  });
  const given = { host: "a" };
  const resolved = { host: "a", address: "a", open: true };
  component.stages(given);
  expect(read).toEqual([resolved, given]);
  expect(component.outputs(given, () => undefined)).toEqual(resolved);
});
