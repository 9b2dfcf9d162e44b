import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import languageServices, { type LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb.js";
import lang from "@pulumi/pulumi/proto/language_pb.js";
import structPb from "google-protobuf/google/protobuf/struct_pb.js";

const main = join(import.meta.dirname, "../../../../sandbox/plugins/language-nodejs/main.ts");

/** A running language host with a project whose SDK's launchers only record how they were started. */
export interface TestHost extends AsyncDisposable {
  readonly client: LanguageRuntimeClient;
  /** The project's folder. */
  readonly program: string;
  readonly process: ChildProcess;
}

/**
 * Starts the host as the engine does.
 * @param launchers code of the fake `@pulumi/pulumi/cmd/NAME/index.js` by name
 */
export async function startHost(args: string[], launchers: Record<string, string>): Promise<TestHost> {
  const program = await mkdtemp(join(tmpdir(), "hearth-language-"));
  await write(program, "node_modules/@pulumi/pulumi/package.json", '{"name":"@pulumi/pulumi","version":"0.0.0"}');
  for (const [name, code] of Object.entries(launchers))
    await write(program, `node_modules/@pulumi/pulumi/cmd/${name}/index.js`, code);
  const child = spawn(process.execPath, [main, ...args], { cwd: program, stdio: ["pipe", "pipe", "pipe"] });
  const [port] = await once(createInterface(child.stdout), "line");
  const client = new languageServices.LanguageRuntimeClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  return {
    client,
    program,
    process: child,
    async [Symbol.asyncDispose]() {
      client.close();
      const exited = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.signalCode === null) {
        child.stdin.end();
        await exited;
      }
      await rm(program, { recursive: true });
    },
  };
}

/** The program as Pulumi.yaml describes it. */
export function programInfo(folder: string, options: Record<string, structPb.JavaScriptValue> = {}): lang.ProgramInfo {
  return new lang.ProgramInfo()
    .setRootDirectory(folder)
    .setProgramDirectory(folder)
    .setEntryPoint("index.ts")
    .setOptions(structPb.Struct.fromJavaScript(options));
}

async function write(folder: string, path: string, content: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
