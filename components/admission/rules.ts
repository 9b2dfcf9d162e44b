import { judged } from "../core/arguments.ts";
import { error, type Problem, shown } from "../core/problems.ts";
import { admission } from "./schema.ts";

/** Everything wrong with the arguments of the limits in the cluster. */
export const admissionProblems = judged(admission, [
  ({ namespaces }) => (namespaces?.length === 0 ? [nothingToJudge] : []),
  ({ namespaces = [] }) => {
    const named = namespaces.map((each) => each?.name);
    return named.flatMap((name, index) =>
      named.indexOf(name) === index ? [] : [doubled(`namespaces[${index}].name`, name)],
    );
  },
]);

const nothingToJudge = error(
  "nothing-to-judge",
  "namespaces",
  "There is no namespace whose objects could be judged.",
  "Deploy a forge or a suite with it, or leave it out.",
);

function doubled(path: string, name: string | undefined): Problem {
  return error("shared", path, `${shown(name)} is named twice.`, "Name each namespace once.");
}
