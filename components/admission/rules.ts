import { storageClasses } from "../catalogue/limits.ts";
import type { Known } from "../core/known.ts";
import { error, type Problem, shown } from "../core/problems.ts";
import { fixedSet, namespaceName } from "../core/value-rules.ts";
import { AdmissionAction, type AdmissionArgs } from "./args.ts";

/** Everything wrong with the arguments of the limits in the cluster. */
export function admissionProblems({ namespace, action, namespaces }: Known<AdmissionArgs>): Problem[] {
  const judged = (namespaces ?? []).map((each) => each?.name);
  return [
    ...namespaceName("namespace", namespace),
    ...fixedSet("action", action, Object.values(AdmissionAction)),
    ...(namespaces?.length === 0 ? [nothingToJudge] : []),
    ...(namespaces ?? []).flatMap((each, index) => [
      ...namespaceName(`namespaces[${index}].name`, each?.name),
      ...fixedSet(`namespaces[${index}].storageClass`, each?.storageClass, Object.values(storageClasses)),
      ...(judged.indexOf(each?.name) === index ? [] : [doubled(`namespaces[${index}].name`, each?.name)]),
    ]),
  ];
}

const nothingToJudge = error(
  "nothing-to-judge",
  "namespaces",
  "There is no namespace whose objects could be judged.",
  "Deploy a forge or a suite with it, or leave it out.",
);

function doubled(path: string, name: string | undefined): Problem {
  return error("shared", path, `${shown(name)} is named twice.`, "Name each namespace once.");
}
