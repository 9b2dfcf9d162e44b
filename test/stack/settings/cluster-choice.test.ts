import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { kubeconfigFiles } from "@hearth-platform/stack/settings/cluster-choice";
import { expect, test } from "vitest";

/** Which kubeconfigs are read, as kubectl reads them. */

const ofVariable = (...files: string[]) => ({ KUBECONFIG: files.join(delimiter) });
const usual = join(homedir(), ".kube", "config");

test.each<[string, Parameters<typeof kubeconfigFiles>[0], NodeJS.ProcessEnv, string[]]>([
  ["the file that is named, whatever the variable says", { kubeconfig: "own" }, ofVariable("a", "b"), ["own"]],
  ["all files of the variable, in their order", {}, ofVariable("a", "b"), ["a", "b"]],
  ["no empty entry of it, as one at its end leaves", {}, ofVariable("a", "", "b", ""), ["a", "b"]],
  ["the user's own file where the variable is empty", {}, ofVariable(""), [usual]],
  ["the user's own file without the variable", { context: "prod" }, {}, [usual]],
])("%s", (_, choice, environment, files) => {
  expect(kubeconfigFiles(choice, environment)).toEqual(files);
});
