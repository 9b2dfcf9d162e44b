import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { supportProblems } from "@hearth-platform/hearth/catalogue/support";
import { type Rule, rulesOn, wholeParts } from "@hearth-platform/hearth/core/arguments";
import type { Day } from "@hearth-platform/hearth/core/days";
import { isPoliced, unknownProxy } from "@hearth-platform/hearth/core/object-rules";
import { formatPath } from "@hearth-platform/hearth/core/paths";
import { error, type Problem, shown } from "@hearth-platform/hearth/core/problems";
import { suggest } from "@hearth-platform/hearth/core/suggest";
import { settingsPrefix } from "../settings/setting-names.ts";
import { StackSettings } from "../settings/stack-schema.ts";
import type { Area, NamingSettings, OfSettings } from "./area.ts";
import { type Claim, takenProblems } from "./claims.ts";
import { areas } from "./index.ts";
import { secretRule } from "./secret-rules.ts";

const all: readonly Area[] = Object.values(areas);
const rule = rulesOn(StackSettings);

/** Names that `workloads` may have. */
export function workloadNames(settings: NamingSettings): readonly string[] {
  return [...new Set(all.flatMap(({ workloads }) => workloads?.(settings) ?? []))];
}

/** Conflicts within the settings of a stack. */
export const stackRules: readonly Rule[] = [
  rule(["workloads", "hub", "cloudsuites"], ({ workloads = {}, ...settings }) =>
    Object.keys(workloads).flatMap((name) => workloadName(name, workloadNames(settings))),
  ),
  secretRule,
  rule(["profile", "networkPolicies", "ingress", "forge", "hub", "siteWebhook", "cloudsuites"], reachedProxy),
  ...all.flatMap(({ rules = [] }) =>
    rules.map(({ keys, say }) => rule(keys, (settings, limits) => say(settings as StackSettings, limits))),
  ),
  doubleClaims,
];

/** Requests come from a proxy that network policies know, where any area has them. */
function reachedProxy(
  settings: Pick<
    StackSettings,
    "profile" | "networkPolicies" | "ingress" | "forge" | "hub" | "siteWebhook" | "cloudsuites"
  >,
): Problem[] {
  const { forge, hub, siteWebhook, cloudsuites = [] } = settings;
  const areas = [forge ?? hub, siteWebhook, ...cloudsuites].filter((area) => area !== undefined);
  const policed = areas.some(({ networkPolicies = isPoliced(settings) }) => networkPolicies);
  return policed ? unknownProxy("ingress", settings.ingress) : [];
}

/** What is said of settings that have their types; nothing where one of them has not. */
function saidOf<Said>(of: OfSettings<Said> | undefined, known: unknown): readonly Said[] {
  const settings = of && wholeParts(StackSettings, known, of.keys);
  return of && settings ? of.say(settings as StackSettings, undefined) : [];
}

/** Names that areas claim exclusively, of each area. */
function claimsByArea(known: unknown): (readonly Claim[])[] {
  return all.map(({ claims }) => saidOf(claims, known));
}

/** Names that the areas of a stack claim exclusively, but for those of its suites. @param file that says so */
export function stackClaims(known: unknown, file: string): (Claim & { readonly where: string })[] {
  return claimsByArea(known).flatMap((claims) => claims.map((claim) => ({ ...claim, where: `of ${file}` })));
}

/** Names of an area that an earlier area has already claimed. Sites may share a namespace. */
function doubleClaims(known: unknown): Problem[] {
  const areas = claimsByArea(known);
  return areas.flatMap((claims, index) =>
    takenProblems(
      claims,
      areas.slice(0, index).flatMap((earlier) => earlier.map((claim) => ({ ...claim, where: "of this stack" }))),
    ).map((problem) => ({ ...problem, path: problem.path.slice(settingsPrefix.length) })),
  );
}

/** Names in `existingNamespaces` that the stack would not make. @param suites the namespaces of the stack's suites */
export function existingNamespacesRule(suites: readonly (string | undefined)[]): Rule {
  return (known) => {
    const { existingNamespaces = [] } = wholeParts(StackSettings, known, ["existingNamespaces"]) ?? {};
    const claims = claimsByArea(known).flat();
    const made = [...suites, ...claims.flatMap(({ kind, value }) => (kind === "namespace" ? [value] : []))];
    return existingNamespaces.flatMap((name, index) =>
      made.includes(name)
        ? []
        : [
            error(
              "unused",
              `existingNamespaces[${index}]`,
              "The stack has no namespace of this name.",
              `Remove it, or use one of ${[...new Set(made)].filter(Boolean).join(", ")}.`,
            ),
          ],
    );
  };
}

/** Deployed versions whose fixes have ended or end soon. A version that no setting names is reported at its area. */
export function stackSupport(known: unknown, today: Day | undefined): Problem[] {
  if (today === undefined) return [];
  return all.flatMap(({ versions }) =>
    saidOf(versions, known).flatMap(({ path, program, version }) =>
      supportProblems(path, programs[program], version, today),
    ),
  );
}

function workloadName(name: string, known: readonly string[]): Problem[] {
  if (known.includes(name)) return [];
  const likely = suggest(name, known);
  const remedy = likely ? `Did you mean ${likely}?` : `Known here: ${known.join(", ")}.`;
  return [error("unknown-key", formatPath(["workloads", name]), `Unknown workload ${shown(name)}.`, remedy)];
}
