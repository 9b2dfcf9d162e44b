import { delimiter, dirname, join } from "node:path";
import { region } from "./object-storage.ts";
import { cacheFolder, checkout } from "./paths.ts";
import { pluginAddresses } from "./ports.ts";
import type { Programs } from "./programs/programs.ts";
import type { Sandbox } from "./started-sandbox.ts";

/** The stack that the sandbox is for. */
export const sandboxStack = "dev";

/** Whether the official Pulumi plugins are wanted, which the engine downloads: `HEARTH_PLUGINS=official`. @throws Error for any other choice */
export function wantsOfficialPlugins(env: NodeJS.ProcessEnv = process.env): boolean {
  const choice = env.HEARTH_PLUGINS ?? "";
  if (!["", "official"].includes(choice))
    throw new Error(
      `HEARTH_PLUGINS is "${choice}": set it to "official", or leave it out for the sandbox's stand-ins.`,
    );
  return choice === "official";
}

/**
 * The variables by which Pulumi, its plugins, kubectl, the AWS SDKs and container tools find the sandbox and nothing of
 * the user's: lay them over `process.env`. Variables of the user that would still lead elsewhere are set to nothing.
 */
export function sandboxEnvironment(
  sandbox: Sandbox,
  env: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string>> {
  const { paths, programs, record } = sandbox;
  const config = join(paths.folder, "config");
  const standIns = !wantsOfficialPlugins(env);
  return {
    PATH: [...programFolders(programs), join(checkout, "node_modules", ".bin"), env.PATH].join(delimiter),
    NODE_COMPILE_CACHE: join(cacheFolder, "compile-cache"),

    KUBECONFIG: paths.kubeconfig,
    KUBECACHEDIR: join(paths.folder, "kubectl-cache"),
    KUBERC: "off",

    PULUMI_HOME: paths.pulumiHome,
    PULUMI_BACKEND_URL: `file://${paths.pulumiState}`,
    PULUMI_CONFIG_PASSPHRASE: record.passphrase,
    PULUMI_CONFIG_PASSPHRASE_FILE: "",
    PULUMI_ACCESS_TOKEN: "",
    PULUMI_STACK: sandboxStack,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: String(standIns),
    PULUMI_IGNORE_AMBIENT_PLUGINS: String(standIns),
    // Without it the engine starts five plugins, one after another.
    PULUMI_DEBUG_PROVIDERS: standIns && record.processes.plugins ? pluginAddresses(record.ports).join() : "",

    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${record.ports["object-storage"]}`,
    AWS_ENDPOINT_URL: "",
    AWS_ACCESS_KEY_ID: record.s3.accessKeyId,
    AWS_SECRET_ACCESS_KEY: record.s3.secretAccessKey,
    AWS_SESSION_TOKEN: "",
    AWS_PROFILE: "",
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_CONFIG_FILE: join(config, "aws-config"),
    AWS_SHARED_CREDENTIALS_FILE: join(config, "aws-credentials"),
    AWS_EC2_METADATA_DISABLED: "true",

    DOCKER_CONFIG: join(config, "docker"),
    REGISTRY_AUTH_FILE: join(config, "docker", "config.json"),
    HEARTH_SANDBOX_REGISTRY: `127.0.0.1:${record.ports.registry}`,
  };
}

function programFolders({ folder, pulumi, kwokctl }: Programs): string[] {
  return [folder, dirname(pulumi), dirname(kwokctl)];
}

/** Files that the environment names and that must be there, empty of settings. */
export function emptyConfigFiles(sandbox: Sandbox): Readonly<Record<string, string>> {
  const environment = sandboxEnvironment(sandbox);
  return {
    [environment.AWS_CONFIG_FILE ?? ""]: "",
    [environment.AWS_SHARED_CREDENTIALS_FILE ?? ""]: "",
    [environment.REGISTRY_AUTH_FILE ?? ""]: "{}\n",
  };
}
