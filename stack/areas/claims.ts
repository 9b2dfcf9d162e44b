import { error, type Problem } from "@hearth-platform/hearth/core/problems";

/** A name that one area of a stack uses and no other may use. */
export interface Claim {
  /** Where it is said, e.g. `hearth:forge.domain`. */
  readonly path: string;
  readonly kind: "namespace" | "host" | "bucket" | "keystore with push";
  readonly value: string | undefined;
  /** Of a host: all hosts below it are its own, too. */
  readonly below?: boolean;
}

/**
 * The claims that an earlier one has made already.
 * @param earlier each with where it stands, in words, e.g. `of this stack`
 */
export function takenProblems(
  claims: readonly Claim[],
  earlier: readonly (Claim & { readonly where: string })[],
): Problem[] {
  return claims.flatMap(({ path, kind, value }) => {
    if (value === undefined) return [];
    const same = earlier.find((claim) => claim.kind === kind && claim.value === value);
    const around = earlier.find((claim) => claim.kind === kind && claim.below && value.endsWith(`.${claim.value}`));
    const first = same ?? around;
    if (!first) return [];
    const relation = same ? "is also" : "is within";
    return [error("shared", path, `The ${kind} ${relation} the ${first.path} ${first.where}.`, "Each needs its own.")];
  });
}
