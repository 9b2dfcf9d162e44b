import { judged, repeated, rulesOn } from "../core/arguments.ts";
import { error, shown } from "../core/problems.ts";
import { admission } from "./schema.ts";

const rule = rulesOn(admission);

/** Everything wrong with the arguments of the limits in the cluster. */
export const admissionProblems = judged(admission, [
  rule(["namespaces"], ({ namespaces }) => (namespaces.length === 0 ? [nothingToJudge] : [])),
  rule(["namespaces"], ({ namespaces }) => {
    const names = namespaces.map(({ name }) => name);
    return repeated(names, (name, index) =>
      error("shared", `namespaces[${index}].name`, `${shown(name)} is named twice.`, "Name each namespace once."),
    );
  }),
]);

const nothingToJudge = error(
  "nothing-to-judge",
  "namespaces",
  "The stack has no namespace with objects to check.",
  "Add a forge or a suite, or remove it.",
);
