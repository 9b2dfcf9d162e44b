import { defaultNamespace } from "@hearth-platform/hearth/admission/plan";
import { rulesOn, wholeParts } from "@hearth-platform/hearth/core/arguments";
import { error } from "@hearth-platform/hearth/core/problems";
import { StackSettings } from "../../settings/stack-schema.ts";
import type { Claim } from "../claim.ts";

const rule = rulesOn(StackSettings);

/** Problems of the settings of the limits in the cluster. */
export const admissionSettingsRules = [
  rule(["admission", "forge", "cloudsuites"], ({ admission, forge, cloudsuites }) =>
    !admission || forge || cloudsuites?.length ? [] : [nothingToJudge],
  ),
];

const nothingToJudge = error(
  "nothing-to-judge",
  "admission",
  "The stack has nothing that the limits apply to.",
  "Remove it, or add a forge or a suite.",
);

/** The namespace that the limits have for themselves. */
export function admissionClaims(known: unknown): Claim[] {
  const admission = wholeParts(StackSettings, known, ["admission"])?.admission;
  if (!admission) return [];
  return [{ path: "hearth:admission.namespace", kind: "namespace", value: admission.namespace ?? defaultNamespace }];
}
