import { spawn } from "node:child_process";
import lang from "@pulumi/pulumi/proto/language_pb.js";
import { type Launch, locateModule, nodeOnPath } from "./launch.ts";
import { optionsEnvironment, parseRuntimeOptions } from "./runtime-options.ts";

/** Exit code of `cmd/run` when it has already told the user what is wrong. */
const actionableMessageShown = 32;

/** Arguments of the language host. */
export interface HostAddresses {
  readonly engine: string;
  /** Zipkin endpoint given with `--tracing`; empty: none. */
  readonly tracing: string;
}

/**
 * The process the official host's Run starts: `constructArguments`, `constructConfig` and `execRuntime` of
 * pulumi-language-nodejs. The working directory is the host's own; `cmd/run` changes into `--pwd` itself.
 * @throws when an option is wrong, Node is not on PATH or the SDK is not installed
 */
export function programLaunch(request: lang.RunRequest, host: HostAddresses, environment = process.env): Launch {
  const info = request.getInfo() ?? new lang.ProgramInfo();
  const options = parseRuntimeOptions(info.getOptions()?.toJavaScript());
  const runPath = locateModule(
    environment.PULUMI_LANGUAGE_NODEJS_RUN_PATH || "@pulumi/pulumi/cmd/run",
    info.getProgramDirectory(),
    "pulumi install",
  );
  const flag = (name: string, value: string) => (value ? [`--${name}`, value] : []);
  return {
    file: nodeOnPath(environment.PATH),
    args: [
      ...options.nodeargs,
      runPath,
      ...flag("monitor", request.getMonitorAddress()),
      ...flag("engine", host.engine),
      ...flag("organization", request.getOrganization()),
      ...flag("project", request.getProject()),
      ...flag("root-directory", info.getRootDirectory()),
      ...flag("stack", request.getStack()),
      ...flag("pwd", info.getProgramDirectory()),
      ...(request.getDryrun() ? ["--dry-run"] : []),
      ...flag("parallel", String(request.getParallel())),
      ...flag("tracing", host.tracing),
      info.getEntryPoint(),
      ...request.getArgsList(),
    ],
    cwd: process.cwd(),
    env: {
      ...environment,
      PULUMI_CONFIG: JSON.stringify(legacyConfig(request)),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
      ...optionsEnvironment(options),
    },
  };
}

/** The official host hands out keys in the form old SDKs read: `namespace:config:name`. */
function legacyConfig(request: lang.RunRequest): Record<string, string> {
  const entries = [...request.getConfigMap().entries()].map(([key, value]) => {
    const match = /^([^:]+):(?:config:)?([^:]+)$/.exec(key);
    if (!match) throw new Error(`failed to serialize configuration: could not parse ${key} as a configuration key`);
    return [`${match[1]}:config:${match[2]}`, value];
  });
  return Object.fromEntries(entries.sort());
}

/** Runs the program to its end; `signal` interrupts it, and kills it five seconds later. */
export async function runProgram(
  request: lang.RunRequest,
  host: HostAddresses,
  signal: AbortSignal,
): Promise<lang.RunResponse> {
  const response = new lang.RunResponse();
  try {
    if (request.getAttachDebugger()) throw new Error("The sandbox's language host does not attach debuggers.");
    const code = await execute(programLaunch(request, host), signal);
    if (code === actionableMessageShown) response.setBail(true);
    else if (code !== 0) response.setError(`Program exited with non-zero exit code: ${code}`);
  } catch (error) {
    response.setError(error instanceof Error ? error.message : String(error));
  }
  return response;
}

function execute({ file, args, cwd, env }: Launch, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    // Piped, not inherited: Node changes the blocking mode of a shared descriptor.
    const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.pipe(process.stdout, { end: false });
    child.stderr.pipe(process.stderr, { end: false });
    const interrupt = () => {
      child.kill("SIGINT");
      setTimeout(() => child.kill("SIGKILL"), 5_000).unref();
    };
    if (signal.aborted) interrupt();
    signal.addEventListener("abort", interrupt, { once: true });
    child.once("error", (error) =>
      reject(new Error(`Problem executing program (could not run language executor): ${error.message}`)),
    );
    child.once("close", (code) => {
      signal.removeEventListener("abort", interrupt);
      resolve(code ?? -1);
    });
  });
}
