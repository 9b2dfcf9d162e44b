import { suiteObjectStoreConnection } from "@hearth-platform/hearth/cloudsuite/stores";
import type { CopiesArgs } from "@hearth-platform/hearth/copies/args";
import { copiesComponent } from "@hearth-platform/hearth/copies/component";
import { copiesNames, copiesNamespace, sourceCredentials } from "@hearth-platform/hearth/copies/copies-names";
import { nothingToCopy } from "@hearth-platform/hearth/copies/rules";
import { copies as copiesArgs } from "@hearth-platform/hearth/copies/schema";
import { type Problem, warning } from "@hearth-platform/hearth/core/problems";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import { as, block, defaultsTo, optional, without } from "@hearth-platform/hearth/core/schema";
import { ForgeRepositoryBackup } from "@hearth-platform/hearth/forge/args";
import { forgeBackup } from "@hearth-platform/hearth/forge/schema";
import type { ObjectStoreConnection } from "@hearth-platform/hearth/stores/connections-args";
import { regionProblems } from "@hearth-platform/hearth/stores/object-storage/rules";
import type { StackSettings } from "../../settings/stack-schema.ts";
import type { Stack } from "../../stack-settings.ts";
import { type Area, ofSettings, only, storeKeysProblems } from "../area.ts";
import type { Shared } from "../shared.ts";
import { suiteArguments } from "../suites/area.ts";

const settings = {
  copies: optional(
    block("Copies", "A second copy of each bucket in another object store, made every night.", {
      ...without(copiesArgs, "namespace", "sources", "platform"),
      namespace: defaultsTo(
        as(
          copiesArgs.shape.namespace.unwrap(),
          "Namespace of the Jobs that copy. No other area of the stack may use it.",
        ),
        copiesNamespace,
      ),
    }),
    "none",
  ),
};

/** Name of the buckets that forge and hub share, as a source. */
const sharedSource = "platform";

/** Second copies of the buckets of forge, hub and suites. */
export const copiesArea: Area<typeof settings, "Copies"> = {
  settings,
  component: copiesComponent,
  after: ["stores", "suites"],
  parts: (stack, shared) => only("copies", copiesArguments(stack, shared)),
  rules: [
    ofSettings(["copies", "forge", "hub", "cloudsuites"], ({ copies, ...areas }) =>
      copies && sourceNames(areas).length === 0 ? [nothingToCopy("copies")] : [],
    ),
    ofSettings(["copies"], ({ copies }) => regionProblems("copies.to.region", copies?.to.endpoint, copies?.to.region)),
    ofSettings(["copies", "objectStorage"], sameStore),
    ofSettings(["copies", "forge"], shrinkingBackups),
    ofSettings(["copies", "secrets", "forge", "hub", "cloudsuites"], ({ copies, secrets, ...areas }) =>
      copies ? secretNames(areas).flatMap((name) => storeKeysProblems(name, secrets)) : [],
    ),
  ],
  claims: ofSettings(["copies"], ({ copies }) =>
    copies
      ? [
          { path: "hearth:copies.namespace", kind: "namespace", value: copies.namespace ?? copiesNamespace },
          { path: "hearth:copies.to.bucket", kind: "bucket", value: copies.to.bucket },
        ]
      : [],
  ),
  workloads: () => [copiesNames.copy, copiesNames.metrics],
  secrets: ({ cloudsuites }) => ({ own: secretNames({ cloudsuites, hub: {} }) }),
};

function copiesArguments({ settings, suites }: Stack, { platform, stores }: Shared): CopiesArgs | undefined {
  if (!settings.copies) return undefined;
  const source = (
    name: string,
    { endpoint, region, pathStyle }: ObjectStoreConnection,
    buckets: readonly string[],
  ) => ({
    name,
    endpoint,
    region,
    pathStyle,
    buckets: [...buckets],
  });
  return {
    ...settings.copies,
    sources: [
      ...(stores ? [source(sharedSource, stores.connections.objectStore, stores.lastingBuckets)] : []),
      ...suites.map((suite) => {
        const args = suiteArguments(suite, settings, platform);
        return source(suite.settings.name, suiteObjectStoreConnection(args), Object.values(args.s3.buckets));
      }),
    ],
    platform,
  };
}

type Sources = Partial<Pick<StackSettings, "forge" | "hub" | "cloudsuites">>;

function sourceNames({ forge, hub, cloudsuites = [] }: Sources): string[] {
  return [...(forge || hub ? [sharedSource] : []), ...cloudsuites.map(({ name }) => name)];
}

function secretNames(areas: Sources): string[] {
  return [copiesNames.credentials, ...sourceNames(areas).map(sourceCredentials)];
}

/** The oldest copies of repositories go each night: that many of the bucket's objects. */
function shrinkingBackups({ copies, forge }: Pick<StackSettings, "copies" | "forge">): Problem[] {
  if (!copies || !forge) return [];
  const { keep, repositories } = resolve(forgeBackup, forge.backup ?? {});
  const most = resolve(copiesArgs.shape.maxDeletedPercent, copies.maxDeletedPercent);
  if (repositories === ForgeRepositoryBackup.archive || 100 / keep < most) return [];
  return [
    warning(
      "copy-backups",
      "copies.maxDeletedPercent",
      `With ${keep} backups of the forge's repositories, one part in ${keep} of their bucket is deleted each night. A copy that would lose more than ${most} % does not begin.`,
      `Set it above ${Math.floor(100 / keep)}, or raise forge.backup.keep.`,
    ),
  ];
}

/** One store loses both: by a stolen key, an unpaid bill, a fire. */
function sameStore({ copies, objectStorage }: Pick<StackSettings, "copies" | "objectStorage">): Problem[] {
  if (!copies || copies.to.endpoint !== objectStorage?.endpoint) return [];
  return [
    warning(
      "copy-target",
      "copies.to.endpoint",
      "The copies are in the object store that they are copies of. What happens to one may happen to the other.",
      "Take another provider, or at least another region and account.",
    ),
  ];
}
