import { defaultNamespace } from "@hearth-platform/hearth/admission/plan";
import type { Known } from "@hearth-platform/hearth/core/known";
import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { namespaceName } from "@hearth-platform/hearth/core/value-rules";
import type { Claim } from "./claim.ts";
import type { StackSettings } from "./stack-schema.ts";

type Settings = Known<StackSettings>;

/** Everything wrong with them, as far as the stack's settings alone say it. */
export function admissionSettingsProblems(settings: Settings): Problem[] {
  if (!settings.admission) return [];
  const { namespace } = settings.admission;
  return [
    ...namespaceName("admission.namespace", namespace),
    ...(settings.forge || settings.cloudsuites?.length
      ? []
      : [
          error(
            "nothing-to-judge",
            "admission",
            "The stack has nothing whose limits could be broken.",
            "Leave it out, or add a forge or a suite.",
          ),
        ]),
  ];
}

/** The namespace that the limits have for themselves. */
export function admissionClaims({ admission: settings }: Settings): Claim[] {
  if (!settings) return [];
  return [{ path: "hearth:admission.namespace", kind: "namespace", value: settings.namespace ?? defaultNamespace }];
}
