/**
 * The stand-ins for provider plugins in one process that runs with the sandbox: the engine attaches to it, where it would
 * otherwise start five.
 *
 * Arguments: `NAME:PORT` for each provider, as PULUMI_DEBUG_PROVIDERS has them. SIGTERM and SIGINT end it.
 */
import { awsProvider } from "./aws/main.ts";
import { dockerBuildProvider } from "./docker-build/main.ts";
import { kubernetesProvider } from "./kubernetes/main.ts";
import { type PluginName, pluginNames } from "./names.ts";
import type { ProviderImplementation } from "./provider.ts";
import { randomProvider } from "./random/main.ts";
import { listen } from "./serve.ts";
import { tlsProvider } from "./tls/main.ts";

const providers: Readonly<Record<PluginName, () => ProviderImplementation>> = {
  aws: awsProvider,
  "docker-build": dockerBuildProvider,
  kubernetes: kubernetesProvider,
  random: randomProvider,
  tls: tlsProvider,
};

const servers = await Promise.all(
  process.argv.slice(2).map((argument) => {
    const [wanted, port] = argument.split(":");
    const name = pluginNames.find((known) => known === wanted);
    if (!name) throw new Error(`There is no stand-in for "${wanted}": name one of ${pluginNames.join(", ")}.`);
    return listen(providers[name], { port: Number(port) });
  }),
);
const end = () => {
  for (const server of servers) server.close();
  process.exit(0);
};
process.once("SIGTERM", end).once("SIGINT", end);
