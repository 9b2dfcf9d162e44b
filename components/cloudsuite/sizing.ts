import { limits } from "../catalogue/limits.ts";
import type { Known } from "../core/known.ts";
import { type Problem, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import { bytes } from "../core/value-rules.ts";
import type { CloudSuiteArgs } from "./args.ts";

/** What a suite is meant to carry; its file can't say it. */
export interface SuiteLoad {
  /** Number of users. @default unknown: no advice */
  readonly users?: number;
  /** Number of files. @default unknown: no advice */
  readonly files?: number;
}

/** The sizing rows of the table "Limits", as advice for the load that was told. */
export function sizingProblems({ resources, storage }: Known<CloudSuiteArgs>, { users, files }: SuiteLoad): Problem[] {
  const problems: Problem[] = [];
  const tier = limits.cloudsuiteResources.find((row) => users !== undefined && users <= row.upToUsers);
  for (const end of ["requests", "limits"] as const)
    for (const kind of ["cpu", "memory"] as const) {
      const found = resources?.cloudsuite?.[end]?.[kind];
      const value = parseQuantity(found ?? "");
      // What is below the smallest tier is reported without a load, too.
      if (
        tier &&
        value !== undefined &&
        value >= quantity(limits.cloudsuiteResources[0][end][kind]) &&
        value < quantity(tier[end][kind])
      )
        problems.push(
          warning(
            "sizing-users",
            `resources.cloudsuite.${end}.${kind}`,
            `${found} is low for ${users} users.`,
            `The ${tier.tier} size has ${tier[end][kind]}.`,
          ),
        );
    }
  const row = limits.databaseSize.find(({ upToFiles }) => (files ?? 0) <= upToFiles) ?? limits.databaseSize[0];
  const size = storage?.dbSize;
  if (size !== undefined && bytes("", size).length === 0 && quantity(size) < quantity(row.size))
    problems.push(
      warning(
        "sizing-files",
        "storage.dbSize",
        `${size} is low for ${files === undefined ? "a small instance" : `${files} files`}.`,
        `Write ${row.size} or more; a volume can grow, never shrink.`,
      ),
    );
  return problems;
}

function quantity(text: string): number {
  return parseQuantity(text) ?? 0;
}
