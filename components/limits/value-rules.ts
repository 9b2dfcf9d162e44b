import { Profile } from "../core/platform-args.ts";
import { error, type Problem, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import type { ValueRule } from "../core/schema.ts";
import { bytes, fixedSet } from "../core/value-rules.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";
import {
  type Circumstances,
  type CountLimit,
  keepsLimit,
  type SetLimit,
  type SizeLimit,
  type SuiteLoad,
  wayOn,
} from "./limit.ts";
import { storageClass, storageClasses } from "./sets.ts";
import { suiteTiers } from "./sizes.ts";

/** Rows of the table as rules of the settings; schemas name them. */

/** A number of pods or instances, as far as it can be judged without profile and storage class. */
export const allowedCount =
  (limit: CountLimit): ValueRule<number> =>
  (path, found, limits) =>
    found === undefined || keepsLimit(limit, found, { limits })
      ? []
      : [
          error(
            "replicas",
            path,
            `The value is not an allowed number of ${limit.counted}.`,
            `Write ${limit.allowed({ limits })}.${wayOn(limit, String(found))}`,
          ),
        ];

/** Fewer pods or instances than production has, of a stack for production. The gate refuses them. */
export function profileProblems(
  limit: CountLimit,
  path: string,
  found: number | undefined,
  of: Pick<Circumstances, "profile" | "limits">,
): Problem[] {
  const wanted = limit.least(of);
  if (of.profile !== Profile.production || found === undefined || found >= wanted) return [];
  const message = `${found} ${limit.risk}, but the profile is production.`;
  return [warning("replicas-profile", path, message, `Write ${wanted}.${wayOn(limit, String(found))}`)];
}

/** One of the names that the stack allows. */
export const allowedName =
  (limit: SetLimit): ValueRule<string> =>
  (path, found, limits) =>
    fixedSet(path, found, limit.allowed({ limits }), (name) => wayOn(limit, name));

/** A class of volumes with one writer, on which databases, keystores and repositories can be: not the specification's network storage. */
export const singleWriterClass: ValueRule<string> = (path, found, limits) =>
  fixedSet(
    path,
    found,
    storageClass.allowed({ limits }).filter((name) => name !== storageClasses.smb),
    (name) => wayOn(storageClass, name),
  );

/** A volume's size, with advice where it is low. @param of by default the least that there is */
export const leastSize =
  ({ least, low, advice }: SizeLimit, of: Circumstances = {}): ValueRule<string> =>
  (path, size) => {
    const problems = bytes(path, size);
    if (size === undefined || problems.length > 0 || quantity(size) >= quantity(least(of))) return problems;
    return [warning(low.code, path, low.message(size, of), advice(of))];
  };

/** Resources of a suite's web pod for a load that was told, by their path below `resources`. */
export function webSizing(resources: ResourceSpecArgs, { users }: SuiteLoad): Problem[] {
  const tier = suiteTiers.find((row) => users !== undefined && users <= row.upToUsers);
  if (!tier) return [];
  return (["requests", "limits"] as const).flatMap((end) =>
    (["cpu", "memory"] as const).flatMap((kind) => {
      const found = resources[end][kind];
      const value = parseQuantity(found);
      // Values below the smallest tier are reported even if the load is unknown.
      const isLow =
        value !== undefined && value >= quantity(suiteTiers[0][end][kind]) && value < quantity(tier[end][kind]);
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

function quantity(text: string): number {
  return parseQuantity(text) ?? 0;
}
