/** What one area of a stack has for itself, and no other may have. */
export interface Claim {
  /** Where it is said, e.g. `hearth:forge.domain`. */
  readonly path: string;
  readonly kind: "namespace" | "host" | "bucket";
  readonly value: string | undefined;
}
