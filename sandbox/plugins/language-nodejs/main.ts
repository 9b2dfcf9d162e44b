/**
 * Stands in for `pulumi-language-nodejs`, which Pulumi's CLI otherwise downloads: starts programs, policy packs and
 * component packages with the runtime options, working directory, arguments and environment of the official host.
 *
 * Not simulated: the official host's own proxy of the resource monitor and its pipes for synchronous invokes
 * (no SDK since 3.0 uses them); debuggers; its hint at a program that ran out of memory; `npm install` (`npm ci` of the
 * project does that); the Bun runtime; project and SDK generation.
 */
import { parseArgs } from "node:util";
import grpc from "@grpc/grpc-js";
import sdk from "@pulumi/pulumi/package.json" with { type: "json" };
import languageServices, { type ILanguageRuntimeServer } from "@pulumi/pulumi/proto/language_grpc_pb.js";
import lang from "@pulumi/pulumi/proto/language_pb.js";
import plugin from "@pulumi/pulumi/proto/plugin_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import { locateModule, nodeOnPath } from "./launch.ts";
import { programDependencies, requiredPlugins } from "./packages.ts";
import { type HostAddresses, runProgram } from "./run.ts";
import { runPlugin } from "./run-plugin.ts";
import { parseRuntimeOptions } from "./runtime-options.ts";

// Older engines, and the hosts of other languages that were built with them, name the runtime options here, too.
const args = process.argv
  .slice(2)
  .filter((arg) => !/^-(root|typescript|tsconfig|nodeargs|packagemanager|production)=/.test(arg));
const { values, positionals } = parseArgs({
  args,
  options: { tracing: { type: "string" }, logtostderr: { type: "boolean" }, v: { type: "string", short: "v" } },
  allowPositionals: true,
});
let host: HostAddresses = { engine: positionals[0] ?? "", tracing: values.tracing ?? "" };
const stopped = new AbortController();
/** Programs and plugins that run. */
const running = new Set<Promise<unknown>>();

/** `work` itself, remembered until it ends. */
function tracked<T>(work: Promise<T>): Promise<T> {
  running.add(work);
  const forget = () => running.delete(work);
  work.then(forget, forget);
  return work;
}

function failure(error: unknown): Partial<grpc.StatusObject> {
  return { code: grpc.status.UNKNOWN, details: error instanceof Error ? error.message : String(error) };
}

function unimplemented(name: string): grpc.handleUnaryCall<unknown, unknown> {
  return (_, done) =>
    done({ code: grpc.status.UNIMPLEMENTED, details: `The sandbox's language host does not implement ${name}.` });
}

const implemented: Partial<ILanguageRuntimeServer> = {
  handshake(call, done) {
    host = { ...host, engine: call.request.getEngineAddress() };
    done(null, new lang.LanguageHandshakeResponse());
  },

  getPluginInfo(_, done) {
    done(null, new plugin.PluginInfo().setVersion(sdk.version));
  },

  getRequiredPackages(call, done) {
    const found = requiredPlugins(call.request.getInfo()?.getProgramDirectory() ?? ".");
    const packages = found.map(({ name, version, server }) =>
      new plugin.PackageDependency().setName(name).setKind("resource").setVersion(version).setServer(server),
    );
    done(null, new lang.GetRequiredPackagesResponse().setPackagesList(packages));
  },

  getProgramDependencies(call, done) {
    const { request } = call;
    const folder = request.getInfo()?.getProgramDirectory() ?? ".";
    const packages = programDependencies(folder, request.getTransitivedependencies());
    const list = packages.map(({ name, version }) => new lang.DependencyInfo().setName(name).setVersion(version));
    done(null, new lang.GetProgramDependenciesResponse().setDependenciesList(list));
  },

  about(call, done) {
    try {
      const { packagemanager } = parseRuntimeOptions(call.request.getInfo()?.getOptions()?.toJavaScript());
      const response = new lang.AboutResponse().setExecutable(nodeOnPath()).setVersion(process.version);
      response.getMetadataMap().set("packagemanager", packagemanager === "auto" ? "npm" : packagemanager);
      done(null, response);
    } catch (error) {
      done(failure(error));
    }
  },

  installDependencies(call) {
    try {
      const info = call.request.getInfo() ?? new lang.ProgramInfo();
      parseRuntimeOptions(info.getOptions()?.toJavaScript());
      locateModule("@pulumi/pulumi", info.getProgramDirectory(), `npm install in ${info.getProgramDirectory()}`);
      call.end();
    } catch (error) {
      call.emit("error", failure(error));
    }
  },

  template(_, done) {
    done(null, new lang.TemplateResponse());
  },

  runtimeOptionsPrompts(_, done) {
    done(null, new lang.RuntimeOptionsResponse());
  },

  run(call, done) {
    const cancelled = new AbortController();
    call.on("cancelled", () => cancelled.abort());
    tracked(runProgram(call.request, host, AbortSignal.any([cancelled.signal, stopped.signal]))).then(
      (response) => done(null, response),
      (error) => done(failure(error)),
    );
  },

  runPlugin(call) {
    tracked(runPlugin(call)).then(
      () => call.end(),
      (error) => call.emit("error", failure(error)),
    );
  },

  cancel(_, done) {
    stopped.abort();
    done(null, new emptyPb.Empty());
  },
};

const methods = Object.keys(languageServices.LanguageRuntimeService).map((name) => [name, unimplemented(name)]);
const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
server.addService(languageServices.LanguageRuntimeService, { ...Object.fromEntries(methods), ...implemented });
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});

/**
 * Lets the programs under way end first: they are interrupted, and killed after five seconds.
 * The server is not asked to shut down: it would wait for the engine, which waits for this process.
 */
async function stop(): Promise<void> {
  stopped.abort();
  setTimeout(() => process.exit(0), 6_000).unref();
  await Promise.allSettled(running);
  process.exit(0);
}
process.once("SIGINT", stop).once("SIGTERM", stop);
// The engine holds the other end of standard input: its end is the engine's end, also when that was killed.
if (host.engine) process.stdin.resume().once("end", stop).once("error", stop);
