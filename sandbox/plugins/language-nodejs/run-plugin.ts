import { spawn } from "node:child_process";
import type { ServerWritableStream } from "@grpc/grpc-js";
import type { AnalyzerStackConfigureRequest } from "@pulumi/pulumi/proto/analyzer_pb.js";
import lang from "@pulumi/pulumi/proto/language_pb.js";
import { type Launch, locateModule, nodeOnPath } from "./launch.ts";
import { PolicyProxy } from "./policy-proxy.ts";
import { optionsEnvironment, parseRuntimeOptions } from "./runtime-options.ts";

const analyzer = "analyzer";

/**
 * The process the official host's RunPlugin starts. An analyzer (policy pack) runs in its own folder, with that folder as
 * its last argument and the stack's configuration in its environment; any other plugin runs in the engine's folder, with
 * the plugin's folder as its first argument. The environment is the engine's, as given.
 * @param stack what the engine told the policy pack about the stack; undefined: nothing, as in `pulumi policy publish`
 * @throws when an option is wrong, Node is not on PATH or the SDK is not installed
 */
export function pluginLaunch(request: lang.RunPluginRequest, stack?: AnalyzerStackConfigureRequest): Launch {
  const info = request.getInfo() ?? new lang.ProgramInfo();
  const folder = info.getProgramDirectory();
  const options = parseRuntimeOptions(info.getOptions()?.toJavaScript());
  const isAnalyzer = request.getKind() === analyzer;
  const module = isAnalyzer
    ? "@pulumi/pulumi/cmd/run-policy-pack"
    : process.env.PULUMI_LANGUAGE_NODEJS_RUN_PATH || "@pulumi/pulumi/cmd/run-plugin";
  const runPath = locateModule(module, folder, `npm install in ${folder}`);
  const given = Object.fromEntries(
    request.getEnvList().map((entry) => {
      const at = entry.indexOf("=");
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
  return {
    file: nodeOnPath(),
    // `nodeargs` come after the module here, unlike in Run: so they reach the plugin, not Node. It is the official order.
    args: [
      runPath,
      ...options.nodeargs,
      ...(isAnalyzer ? [...request.getArgsList(), folder] : [folder, ...request.getArgsList()]),
    ],
    cwd: isAnalyzer ? folder : request.getPwd(),
    env: { ...given, ...optionsEnvironment(options), ...(isAnalyzer && stack && stackEnvironment(stack)) },
  };
}

function stackEnvironment(stack: AnalyzerStackConfigureRequest): Record<string, string> {
  const variables = {
    PULUMI_NODEJS_ORGANIZATION: stack.getOrganization(),
    PULUMI_NODEJS_PROJECT: stack.getProject(),
    PULUMI_NODEJS_STACK: stack.getStack(),
    PULUMI_NODEJS_DRY_RUN: String(stack.getDryRun()),
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries([...stack.getConfigMap().entries()].sort())),
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
}

/**
 * Runs a plugin until it exits or the engine cancels the call, streaming what it prints.
 * @throws when it can't be started or exits with a code other than 0, in the official host's words
 */
export async function runPlugin(
  call: ServerWritableStream<lang.RunPluginRequest, lang.RunPluginResponse>,
): Promise<void> {
  const request = call.request;
  if (request.getAttachDebugger()) throw new Error("The sandbox's language host does not attach debuggers.");
  const stdout = (data: Uint8Array) => call.write(new lang.RunPluginResponse().setStdout(data));
  const cancelled = new AbortController();
  call.on("cancelled", () => cancelled.abort());

  if (request.getKind() !== analyzer) return execute(pluginLaunch(request), call, cancelled.signal, stdout);

  pluginLaunch(request); // A wrong option or a missing SDK is told before the engine waits for an answer.
  await using proxy = await PolicyProxy.start();
  stdout(Buffer.from(`${proxy.port}\n`));
  const stack = await proxy.stackConfiguration(cancelled.signal);
  await execute(pluginLaunch(request, stack), call, cancelled.signal, (data) => {
    const rest = proxy.readPort(data);
    if (rest.length > 0) stdout(rest);
  });
}

function execute(
  { file, args, cwd, env }: Launch,
  call: ServerWritableStream<lang.RunPluginRequest, lang.RunPluginResponse>,
  signal: AbortSignal,
  stdout: (data: Uint8Array) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], signal, killSignal: "SIGKILL" });
    child.stdout.on("data", stdout);
    child.stderr.on("data", (data) => call.write(new lang.RunPluginResponse().setStderr(data)));
    child.once("error", (error) =>
      reject(new Error(`Problem executing plugin program (could not run language executor): ${error.message}`)),
    );
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`Program exited with non-zero exit code: ${code ?? -1}`)),
    );
  });
}
