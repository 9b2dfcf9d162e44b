import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { serviceBundlePath, updateBundle } from "@hearth-platform/site-webhook/build";
import { type Clock, systemClock } from "@hearth-platform/site-webhook/clock";
import { startService } from "@hearth-platform/site-webhook/service";
import { readSettings } from "@hearth-platform/site-webhook/settings";
import { FakeApiServer } from "./api-server.ts";

type Environment = Readonly<Record<string, string>>;

/** What tests send calls to. */
export interface RunningService {
  readonly api: FakeApiServer;
  readonly port: number;
  readonly operationsPort: number;
  /** Lines the service wrote, without the line end. */
  readonly lines: string[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

function environment(api: FakeApiServer, extra: Environment): Environment {
  return {
    WEBHOOK_HOST: "127.0.0.1",
    WEBHOOK_PORT: "0",
    OPERATIONS_PORT: "0",
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: String(api.port),
    SERVICE_ACCOUNT_FOLDER: api.serviceAccountFolder,
    DRAIN_SECONDS: "0",
    ...extra,
  };
}

/** Starts the service in this process, with an API server of its own. */
export async function startWithApi(
  extra: Environment = {},
  clock: Clock = systemClock,
): Promise<RunningService & { stop(): Promise<void> }> {
  const api = await FakeApiServer.start();
  const lines: string[] = [];
  const settings = readSettings(environment(api, extra));
  const service = await startService(settings, clock, (line) => lines.push(line.trimEnd()));
  return {
    api,
    lines,
    port: service.port,
    operationsPort: service.operationsPort,
    async stop() {
      await service.stop();
      await api.remove();
    },
  };
}

export interface ServiceProcess extends RunningService {
  readonly process: ChildProcess;
  /** Sends SIGTERM if it still runs; the exit code. */
  stop(): Promise<number | null>;
}

const dockerfile = readFileSync(join(import.meta.dirname, "..", "..", "..", "webhook", "Dockerfile"), "utf8");

/** The flags of the image. */
export const shippedFlags = /NODE_OPTIONS="(.+)"/.exec(dockerfile)?.[1]?.split(" ") ?? [];

/** Starts the bundle as a process of its own, as the image does, with an API server of its own. */
export async function startProcess(extra: Environment = {}): Promise<ServiceProcess> {
  updateBundle();
  const api = await FakeApiServer.start();
  const child = spawn(process.execPath, [...shippedFlags, serviceBundlePath], {
    env: environment(api, extra),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  let rest = "";
  const started = new Promise<{ port: number; operations_port: number }>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The service ended with ${code}: ${lines.join("\n")}`)));
    child.stdout.on("data", (part: Buffer) => {
      const texts = (rest + part.toString()).split("\n");
      rest = texts.pop() ?? "";
      lines.push(...texts);
      const line = texts.find((text) => text.includes('"msg":"started"'));
      if (line) resolve(JSON.parse(line));
    });
  });
  const { port, operations_port } = await started;
  async function end(): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    }
    await api.remove();
    return child.exitCode;
  }
  let ended: Promise<number | null> | undefined;
  return {
    api,
    lines,
    port,
    operationsPort: operations_port,
    process: child,
    stop() {
      ended ??= end();
      return ended;
    },
  };
}

/** Sends one call on a connection of its own. The path goes out as it is given. */
export function call(port: number, path: string, options: CallOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = "POST", headers = {}, body } = options;
    const outgoing = request(
      { host: "127.0.0.1", port, path, method, agent: false, headers: { ...lengthOf(body, headers), ...headers } },
      (incoming) => {
        let text = "";
        incoming.setEncoding("latin1");
        incoming.on("data", (part: string) => {
          text += part;
        });
        incoming.on("error", reject);
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }));
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function lengthOf(
  body: string | Buffer | undefined,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return "transfer-encoding" in headers ? {} : { "content-length": String(Buffer.byteLength(body ?? "")) };
}

/** Asks again until `condition` holds. */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds = 20_000): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Not within ${milliseconds} ms: ${condition}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
