import { isDeepStrictEqual } from "node:util";

/** A resource as the engine's state has it, as far as a recording looks at it. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  /** False for components. */
  readonly custom: boolean;
  readonly inputs?: Values;
  readonly outputs?: Values;
  readonly [other: string]: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** What `pulumi stack export` prints and `pulumi stack import` reads. */
export interface Deployment {
  readonly version: number;
  readonly deployment: { readonly resources: readonly StateResource[]; readonly [other: string]: unknown };
}

/** What a recording has in the place of a kubeconfig's path: no file is there, so that no cluster is reached. */
export const noKubeconfig = "no-kubeconfig";

/** No preview looks at them: when and after what a resource was made. */
const untold = ["created", "modified", "sourcePosition", "stackTrace", "dependencies", "propertyDependencies"];

/** The state as text: the deployment without its resources in the first line, then a resource a line. */
export function recorded({ version, deployment: { resources, ...rest } }: Deployment): string {
  return [{ version, deployment: rest }, ...resources.map(compact)].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The state in the text of a recording. */
export function deploymentOf(text: string): Deployment {
  const [head, ...resources] = text.trimEnd().split("\n");
  const { version, deployment } = JSON.parse(head ?? "");
  return {
    version,
    deployment: { ...deployment, resources: resources.map((line) => expanded(JSON.parse(line))) },
  };
}

/**
 * Without what is written anew at each run, and without outputs that are inputs: those of components, and of objects in the
 * cluster. What these were sent (`__inputs`, which the provider compares with) are their inputs again.
 */
function compact({ outputs = {}, ...resource }: StateResource): StateResource {
  const { type, custom, inputs } = resource;
  const told = Object.entries(resource).filter(([key]) => !untold.includes(key));
  const isOwn = custom && !type.startsWith("kubernetes:");
  const own = Object.entries(outputs).filter(([key, value]) => isOwn && !isDeepStrictEqual(value, inputs?.[key]));
  return {
    ...(Object.fromEntries(told) as typeof resource),
    ...(inputs && "kubeconfig" in inputs && { inputs: { ...inputs, kubeconfig: noKubeconfig } }),
    ...(own.length > 0 && { outputs: Object.fromEntries(own) }),
  };
}

function expanded({ outputs, ...resource }: StateResource): StateResource {
  if (!resource.custom) return resource;
  // The engine keeps a note of its own among the inputs of a provider.
  const { __internal, ...inputs } = resource.inputs ?? {};
  const isObject = resource.type.startsWith("kubernetes:");
  return { ...resource, outputs: { ...inputs, ...outputs, ...(isObject && { __inputs: inputs }) } };
}
