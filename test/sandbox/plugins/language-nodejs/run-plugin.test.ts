import { readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import grpc from "@grpc/grpc-js";
import analyzerServices from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import analyzer from "@pulumi/pulumi/proto/analyzer_pb.js";
import lang from "@pulumi/pulumi/proto/language_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import { expect, test } from "vitest";
import { programInfo, startHost, type TestHost } from "./host.ts";

const record = `
  const seen = { execArgv: process.execArgv, args: process.argv.slice(2), cwd: process.cwd(), env: process.env };
  require("fs").writeFileSync(__dirname + "/../../../../../seen.json", JSON.stringify(seen));
`;
/** A policy pack, as far as the host can see it: prints its port and serves. */
const pack = `${record}
  const grpc = require(${JSON.stringify(pathOf("@grpc/grpc-js"))});
  const services = require(${JSON.stringify(pathOf("@pulumi/pulumi/proto/analyzer_grpc_pb.js"))});
  const messages = require(${JSON.stringify(pathOf("@pulumi/pulumi/proto/analyzer_pb.js"))});
  const server = new grpc.Server();
  let stack = "";
  server.addService(services.AnalyzerService, {
    ...Object.fromEntries(Object.keys(services.AnalyzerService).map((name) => [name, (_, done) => done({ code: 12 })])),
    configureStack: (call, done) => { stack = call.request.getStack(); done(null, new messages.AnalyzerStackConfigureResponse()); },
    getAnalyzerInfo: (call, done) =>
      done(null, new messages.AnalyzerInfo().setName("pack of " + stack).setVersion(String(call.metadata.get("trace")))),
  });
  server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (_, port) => {
    console.log(port); console.log("and more"); console.error("a warning");
  });
`;

function pathOf(module: string): string {
  return new URL(import.meta.resolve(module)).pathname;
}

/** A process starts in this time, also on a busy machine. */
const patience = { timeout: 20_000 };

/** What a plugin has printed so far, and how its call ended. */
class Outcome {
  stdout = "";
  stderr = "";
  readonly ended: Promise<grpc.ServiceError | undefined>;

  constructor(call: grpc.ClientReadableStream<lang.RunPluginResponse>) {
    call.on("data", (message: lang.RunPluginResponse) => {
      if (message.hasStdout()) this.stdout += Buffer.from(message.getStdout_asU8()).toString();
      if (message.hasStderr()) this.stderr += Buffer.from(message.getStderr_asU8()).toString();
    });
    this.ended = new Promise((resolve) => {
      call.on("error", (error: grpc.ServiceError) => resolve(error));
      call.on("end", () => resolve(undefined));
    });
  }

  /** The first line: a port, or whatever the test prints. */
  async firstNumber(): Promise<number> {
    await expect.poll(() => this.stdout, patience).toContain("\n");
    return Number(this.stdout.split("\n")[0]);
  }
}

function pluginRequest(host: TestHost, kind: string, options = {}): lang.RunPluginRequest {
  return new lang.RunPluginRequest()
    .setInfo(programInfo(host.program, options))
    .setKind(kind)
    .setPwd(tmpdir())
    .setArgsList(["127.0.0.1:1"])
    .setEnvList(["GIVEN=a=b", `PATH=${process.env.PATH}`]);
}

const seenBy = async (host: TestHost) => JSON.parse(await readFile(join(host.program, "seen.json"), "utf8"));

test("a component package runs in the engine's folder, its own folder first, with the environment as given", async () => {
  await using host = await startHost(["127.0.0.1:1"], { "run-plugin": `${record} console.log("123")` });

  const request = pluginRequest(host, "resource", { typescript: false, nodeargs: "--flag" });
  const outcome = new Outcome(host.client.runPlugin(request));

  expect(await outcome.ended).toBeUndefined();
  expect(outcome.stdout).toBe("123\n");
  expect(await seenBy(host)).toEqual({
    execArgv: [],
    args: ["--flag", host.program, "127.0.0.1:1"],
    cwd: await realpath(tmpdir()),
    env: { GIVEN: "a=b", PATH: process.env.PATH },
  });
});

test("a plugin's exit code and standard error reach the engine", async () => {
  await using host = await startHost(["127.0.0.1:1"], { "run-plugin": "console.error('no'); process.exitCode = 7" });

  const outcome = new Outcome(host.client.runPlugin(pluginRequest(host, "resource")));

  expect((await outcome.ended)?.details).toBe("Program exited with non-zero exit code: 7");
  expect(outcome.stderr).toBe("no\n");
});

test("a policy pack runs in its own folder, that folder last, with the stack's configuration in its environment", async () => {
  await using host = await startHost(["127.0.0.1:1"], { "run-policy-pack": pack });
  const call = host.client.runPlugin(pluginRequest(host, "analyzer", { typescript: false }));
  const outcome = new Outcome(call);
  const port = await outcome.firstNumber();
  const client = new analyzerServices.AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const stack = new analyzer.AnalyzerStackConfigureRequest().setStack("dev").setProject("project").setDryRun(true);
  stack.setOrganization("organization").getConfigMap().set("project:name", "value");

  const configured = await new Promise((resolve) => client.configureStack(stack, (error) => resolve(error)));
  const info = (trace: string) => {
    const metadata = new grpc.Metadata();
    metadata.set("trace", trace);
    return new Promise<analyzer.AnalyzerInfo>((resolve, reject) =>
      client.getAnalyzerInfo(new emptyPb.Empty(), metadata, (error, answer) =>
        error ? reject(error) : resolve(answer),
      ),
    );
  };
  const infos = [await info("while it starts"), await info("later"), await info("at last")];
  await expect.poll(() => outcome, patience).toMatchObject({ stdout: `${port}\nand more\n`, stderr: "a warning\n" });
  client.close();
  call.cancel();

  expect(configured).toBeNull();
  expect(infos.map((info) => [info.getName(), info.getVersion()])).toEqual([
    ["pack of dev", "while it starts"],
    ["pack of dev", "later"],
    ["pack of dev", "at last"],
  ]);
  expect(await seenBy(host)).toEqual({
    execArgv: [],
    args: ["127.0.0.1:1", host.program],
    cwd: host.program,
    env: {
      GIVEN: "a=b",
      PATH: process.env.PATH,
      PULUMI_CONFIG: '{"project:name":"value"}',
      PULUMI_NODEJS_DRY_RUN: "true",
      PULUMI_NODEJS_ORGANIZATION: "organization",
      PULUMI_NODEJS_PROJECT: "project",
      PULUMI_NODEJS_STACK: "dev",
    },
  });
});

test("a policy pack that prints anything before its port is refused", async () => {
  await using host = await startHost(["127.0.0.1:1"], {
    "run-policy-pack": "console.log('hello'); setInterval(() => {}, 1000)",
  });
  const call = host.client.runPlugin(pluginRequest(host, "analyzer"));
  const address = `127.0.0.1:${await new Outcome(call).firstNumber()}`;
  const client = new analyzerServices.AnalyzerClient(address, grpc.credentials.createInsecure());

  const error = await new Promise<grpc.ServiceError | null>((resolve) =>
    client.getAnalyzerInfo(new emptyPb.Empty(), (failure) => resolve(failure)),
  );
  client.close();
  call.cancel();

  expect(error?.details).toContain('could not read policy pack port: it printed "hello"');
});

test("cancelling the call kills the plugin", async () => {
  await using host = await startHost(["127.0.0.1:1"], {
    "run-plugin": "console.log(process.pid); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)",
  });
  const call = host.client.runPlugin(pluginRequest(host, "resource"));
  const pid = await new Outcome(call).firstNumber();

  call.cancel();

  await expect
    .poll(() => {
      try {
        return process.kill(pid, 0);
      } catch {
        return "gone";
      }
    }, patience)
    .toBe("gone");
});
