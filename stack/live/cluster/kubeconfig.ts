import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { type ClusterChoice, kubeconfigFiles } from "../../settings/cluster-choice.ts";

/**
 * The kubeconfig as kubectl reads it, at the context that was chosen.
 * @throws Error where there is none, or it has no such context, cluster or user
 */
export function loadKubeconfig(choice: ClusterChoice, environment = process.env): KubeConfig {
  const { kubeconfig, context } = choice;
  const files = kubeconfigFiles(choice, environment);
  // As with kubectl: a missing file of KUBECONFIG is passed over, one that is named is not.
  const [missing] = kubeconfig === undefined ? [] : files.filter((file) => !existsSync(file));
  if (missing !== undefined)
    throw new Error(`The kubeconfig ${missing} does not exist. Correct --kubeconfig or hearth:kubernetes.kubeconfig.`);
  const found = files.filter((file) => existsSync(file)).map(readFile);
  if (found.length === 0)
    throw new Error(
      `There is no kubeconfig: ${files.join(", ")} does not exist. Put the cluster's there, or its path into KUBECONFIG.`,
    );

  const config = new KubeConfig();
  // The first to name something wins: that is the one that is found.
  config.clusters = found.flatMap(({ clusters }) => clusters);
  config.contexts = found.flatMap(({ contexts }) => contexts);
  config.users = found.flatMap(({ users }) => users);
  config.setCurrentContext(context ?? found.map((each) => each.getCurrentContext()).find(Boolean) ?? "");
  checkContext(config, files.join(", "));
  return config;
}

function readFile(file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(file);
  } catch (error) {
    throw new Error(`${file} is no kubeconfig: ${(error as Error).message}`);
  }
  config.users = config.users.map((user) => (user.exec ? { ...user, exec: likeKubectl(user.exec, file) } : user));
  return config;
}

/** As much of `users[].user.exec` as is completed here. */
interface Exec {
  readonly apiVersion?: string;
  readonly command: string;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
}

/** What kubectl does for a program that signs in, and the library does not: a command by its path is found beside the file, and it is told what is asked of it. */
function likeKubectl(exec: Exec, file: string): Exec {
  const { apiVersion = "client.authentication.k8s.io/v1", command, env } = exec;
  const isRelative = command.includes("/") && !isAbsolute(command);
  const request = { kind: "ExecCredential", apiVersion, spec: { interactive: false } };
  return {
    ...exec,
    command: isRelative ? join(dirname(file), command) : command,
    env: [...(env ?? []), { name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(request) }],
  };
}

/** @param files for people */
function checkContext(config: KubeConfig, files: string): void {
  const name = config.getCurrentContext();
  if (!name)
    throw new Error(`${files} has no current context: name one by hearth:kubernetes.context, or by --context.`);
  const context = config.getContextObject(name);
  if (!context) {
    const known = config.contexts.map((each) => each.name).join(", ");
    throw new Error(
      `The context "${name}" does not exist; the kubeconfig ${files} has ${known || "none"}. Correct hearth:kubernetes.context or --context, or put the file that has it into KUBECONFIG.`,
    );
  }
  if (!config.getCluster(context.cluster))
    throw new Error(`${files}: context "${name}" names cluster "${context.cluster}", which is not there. Add it.`);
  if (!config.getUser(context.user))
    throw new Error(`${files}: context "${name}" names user "${context.user}", who is not there. Add it.`);
}
