import type { Field } from "../../core/field.ts";
import type { Violation } from "../../core/policy.ts";

/** One control of the Pod Security Standards. */
export interface Control {
  /** Fields of a pod that break the control. Total but for unknown values. */
  check(pod: Field): Violation[];
  /** Control of the baseline level that this one of the restricted level contains. @default none */
  readonly replaces?: string;
}
