import { defaultNamespace } from "@hearth-platform/hearth/admission/plan";
import type { Known } from "@hearth-platform/hearth/core/known";
import { error, type Problem, shown } from "@hearth-platform/hearth/core/problems";
import { namespaceName } from "@hearth-platform/hearth/core/value-rules";
import type { Claim } from "./claim.ts";
import { forgeClaims } from "./forge-rules.ts";
import type { StackSettings } from "./stack-schema.ts";

type Settings = Known<StackSettings>;

/** Everything wrong with them, as far as the stack's settings alone say it. */
export function admissionSettingsProblems(settings: Settings): Problem[] {
  if (!settings.admission) return [];
  const { namespace } = settings.admission;
  const [own] = admissionClaims(settings);
  const taken = forgeClaims(settings).find(({ kind, value }) => kind === "namespace" && value === own?.value);
  return [
    ...namespaceName("admission.namespace", namespace),
    ...(taken
      ? [
          error(
            "shared",
            "admission.namespace",
            `${shown(own?.value)} is also the ${taken.path} of the stack.`,
            "Each needs its own.",
          ),
        ]
      : []),
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
