import type * as components from "@hearth-platform/hearth";
import { type Rule, valueProblems, withFit } from "@hearth-platform/hearth/core/arguments";
import type { Component } from "@hearth-platform/hearth/core/component";
import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import type { ComponentResource } from "@pulumi/pulumi";
import type { z } from "zod";
import type { StackSettings } from "../settings/stack-schema.ts";
import type { Stack } from "../stack-settings.ts";
import type { Claim } from "./claims.ts";
import type { Shared } from "./shared.ts";

/**
 * A part of a stack that its settings turn on, as one value. The schema of the settings, what a stack deploys, its rules and
 * the names that are known in it follow from the list of areas (`index.ts`).
 */
export interface Area<Shape extends z.ZodRawShape = z.ZodRawShape, Name extends ComponentName = ComponentName> {
  /** Its keys in the settings of a stack. */
  readonly settings: Shape;
  readonly component: Component<ArgsOf<Name>, object, Name>;
  /** Areas whose components come before all of its own, where the stack has them. */
  readonly after: readonly string[];
  /** Its components in a stack, in the words of their arguments: nothing is decided here. */
  parts(stack: Stack, shared: Shared): readonly AreaPart<ArgsOf<Name>>[];
  /** What does not fit together in the settings. */
  readonly rules?: readonly OfSettings<Problem>[];
  /** Names that it claims exclusively; those of a suite stand in its own file. */
  readonly claims?: OfSettings<Claim>;
  /** Versions that it deploys. */
  readonly versions?: OfSettings<DeployedVersion>;
  /** Names that `workloads` may have. */
  readonly workloads?: (settings: NamingSettings) => readonly string[];
  readonly secrets?: (settings: NamingSettings) => AreaSecrets;
  /** Names of its objects that hold data. */
  readonly data?: readonly string[];
  /** Whether its components record in which cluster their data is. @default false */
  readonly recordsCluster?: boolean;
}

/** Settings that names of Secrets and workloads follow from. */
export type NamingSettings = Pick<StackSettings, "hub" | "cloudsuites">;

/** A component of an area. */
export interface AreaPart<Args> {
  /** Its name in Pulumi's state. */
  readonly name: string;
  readonly args: Args;
  /** Name of its object store's provider. */
  readonly objectStore?: string;
  /** Further areas that come before this one, where the stack has them. @default none */
  readonly after?: readonly string[];
}

/** The one component of an area. @param args absent where the stack has none */
export function only<Args>(name: string, args: Args | undefined): AreaPart<Args>[] {
  return args === undefined ? [] : [{ name, args }];
}

/** What is said of some settings, once all of them have their types. */
export interface OfSettings<Said> {
  readonly keys: readonly (keyof StackSettings)[];
  say(settings: StackSettings, limits: LimitsArgs | undefined): readonly Said[];
}

/** @param limits what the stack allows beside the specification */
export function ofSettings<const Key extends keyof StackSettings, Said>(
  keys: readonly Key[],
  say: (settings: Pick<StackSettings, Key>, limits: LimitsArgs | undefined) => readonly Said[],
): OfSettings<Said> {
  return { keys, say };
}

/** A version of a program of `catalogue/releases.ts`. */
export interface DeployedVersion {
  /** Where it is set, or would be. */
  readonly path: string;
  readonly program: "gitlab" | "harbor" | "postgresql" | "valkey" | "distroless" | "notifyPush" | "imaginary";
  /** Undefined where it is not known. */
  readonly version: string | undefined;
}

/** Names of an area's Secrets. */
export interface AreaSecrets {
  /** Those that it makes or syncs. */
  readonly own: readonly string[];
  /** Those made once and never anew: what they encrypt could not be read, or nobody would read the new value. @default none */
  readonly constant?: readonly string[];
  /** Passwords that a program reads at its installation, and never again. @default none */
  readonly firstPasswords?: readonly string[];
}

/** The Secret with an object store's keys, which are made by its provider: they can only come from outside. */
export function storeKeysProblems(secret: string, secrets: StackSettings["secrets"]): Problem[] {
  if (secrets?.store || secrets?.existing?.[secret] !== undefined) return [];
  return [
    error(
      "secret-source",
      "secrets",
      `The Secret ${secret} with the object store's keys can't be generated.`,
      `Name the store that holds it (secrets.store), or an existing Secret (secrets.existing.${secret}).`,
    ),
  ];
}

/** Where a component's arguments stand in a stack. */
export interface ArgumentPlaces {
  /** Key of the settings: the place of arguments that have no other. */
  readonly key: string;
  readonly schema: z.ZodObject;
  /** Rules between several of the component's arguments. */
  readonly rules: readonly Rule[];
  /** Starts of the paths of arguments that stand elsewhere in a stack, and what takes their place. */
  readonly places: readonly (readonly [argument: string, place: string])[];
}

/**
 * What is wrong with a component's arguments that is not wrong with a setting by itself, at its place in the stack.
 * @param args as far as the settings say them
 * @param limits what the stack allows beside the specification
 * @param made those that stand in no setting but are made of some
 */
export function argumentProblems(
  { key, schema, rules, places }: ArgumentPlaces,
  args: object,
  limits: LimitsArgs | undefined,
  made: object = {},
): Problem[] {
  const placed = (path: string) => {
    const found = places.find(([argument]) => path.startsWith(argument));
    return found ? `${found[1]}${path.slice(found[0].length)}` : `${key}.${path}`;
  };
  return withFit(valueProblems(schema, made, limits), rules, args, limits).map((problem) => ({
    ...problem,
    path: placed(problem.path),
  }));
}

/** Classes of the component package that a program creates. */
export type ComponentName = {
  [Name in keyof typeof components]: (typeof components)[Name] extends new (
    ...args: never
  ) => ComponentResource
    ? Name
    : never;
}[keyof typeof components];

export type ArgsOf<Name extends ComponentName> = ConstructorParameters<(typeof components)[Name]>[1];
