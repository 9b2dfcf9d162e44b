import { InvalidArgumentError, Option } from "@commander-js/extra-typings";

// The options that several commands have: one word, one meaning. What a command adds to it follows a semicolon.

const stack = "the stack, from Pulumi.STACK.yaml";

export const stackOption = () => new Option("--stack <STACK>", stack).argParser(stackName).makeOptionMandatory();

/** For a command that needs no stack. */
export const anyStackOption = (more: string) => new Option("--stack <STACK>", `${stack}; ${more}`).argParser(stackName);

export const configFileOption = () => new Option("--config-file <FILE>", "read the stack's settings from this file");

export const jsonOption = (form: string) => new Option("--json", `print only JSON; ${form}`);

export const sandboxOption = (more: string) => new Option("--sandbox", `use the running sandbox; ${more}`);

export const kubeconfigOption = (more = "default: the stack's, then KUBECONFIG, then ~/.kube/config") =>
  new Option("--kubeconfig <FILE>", `the cluster of this kubeconfig; ${more}`);

export const contextOption = (more = "default: the stack's, then the current one") =>
  new Option("--context <NAME>", `the cluster of this context of the kubeconfig; ${more}`);

export const offlineOption = (more: string) => new Option("--offline", `ask no cluster; ${more}`);

export const outOption = (more: string) => new Option("--out <PATH>", `where to write; ${more}`);

export const yesOption = (more: string) => new Option("-y, --yes", `ask nothing; ${more}`);

export const profileOption = <const T extends readonly string[]>(profiles: T, more: string) =>
  new Option("--profile <PROFILE>", `the profile to check it against; ${more}`).choices(profiles);

/** A stack's name, which is a part of its file's. */
function stackName(text: string): string {
  const [, name] = /^(?:.*\/)?Pulumi\.(.+)\.ya?ml$/.exec(text) ?? [];
  if (name !== undefined) throw new InvalidArgumentError(`It is the stack's file: write its name, ${name}.`);
  if (!/^[\w.-]+$/.test(text)) throw new InvalidArgumentError("It is not the name of a stack.");
  return text;
}

/** The value of an option that takes a whole number. @throws InvalidArgumentError, which commander tells, for anything else */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It takes a whole number.");
  return Number(text);
}
