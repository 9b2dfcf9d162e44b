import { databaseSize, limits } from "../catalogue/limits.ts";
import type { Profile } from "../core/platform-args.ts";
import { type Problem, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import { bytes } from "../core/value-rules.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";

/** The load a suite is meant for. Its config.yaml has no field for it. */
export interface SuiteLoad {
  /** Number of users. @default unknown: no advice */
  readonly users?: number;
  /** Number of files. @default unknown: no advice */
  readonly files?: number;
  /** Profile of its stack. @default unknown; rules that depend on it are skipped */
  readonly profile?: Profile;
}

/** The sizing rows of the table "Limits", as advice for the load that was told. */

/** Resources of a web pod, by their path below `resources`. */
export function webSizing(resources: ResourceSpecArgs, { users }: SuiteLoad): Problem[] {
  const tier = limits.cloudsuiteResources.find((row) => users !== undefined && users <= row.upToUsers);
  if (!tier) return [];
  return (["requests", "limits"] as const).flatMap((end) =>
    (["cpu", "memory"] as const).flatMap((kind) => {
      const found = resources[end][kind];
      const value = parseQuantity(found);
      // Values below the smallest tier are reported even if the load is unknown.
      const isLow =
        value !== undefined &&
        value >= quantity(limits.cloudsuiteResources[0][end][kind]) &&
        value < quantity(tier[end][kind]);
      if (!isLow) return [];
      return [
        warning(
          "sizing-users",
          `cloudsuite.${end}.${kind}`,
          `${found} is low for ${users} users.`,
          `The ${tier.tier} size has ${tier[end][kind]}.`,
        ),
      ];
    }),
  );
}

/** Volume of the database, by its path below `storage`. */
export function databaseSizing(size: string, { files }: SuiteLoad): Problem[] {
  const least = databaseSize(files ?? 0);
  if (bytes("", size).length > 0 || quantity(size) >= quantity(least)) return [];
  return [
    warning(
      "sizing-files",
      "dbSize",
      `${size} is low for ${files === undefined ? "a small instance" : `${files} files`}.`,
      `Write ${least} or more; a volume can grow, never shrink.`,
    ),
  ];
}

function quantity(text: string): number {
  return parseQuantity(text) ?? 0;
}
