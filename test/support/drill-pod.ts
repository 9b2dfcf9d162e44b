import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { Cluster } from "@hearth-platform/hearth/kubernetes/custom-resources/cluster";
import { connectionOf, loadKubeconfig } from "@hearth-platform/sandbox/kubernetes/kubeconfig";
import { execa } from "execa";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { ConfigMap, Container, EnvVar } from "kubernetes-types/core/v1.d.ts";
import { type Archive, recoverArchive } from "./archived-database.ts";
import type { PostgresServer } from "./database-servers.ts";
import { systemProgram } from "./system-programs.ts";

/**
 * The sandbox's API server, but for the state of database clusters, which is not simulated here: whenever one is made that
 * recovers, a real PostgreSQL does what it asks for, and its state is what came of it.
 */
export class RecoveringApi {
  readonly #kubeconfig: string;
  readonly #running: PostgresServer;
  readonly #archive: Archive;
  readonly #server: Server = createServer((asked, answer) => void this.#answer(asked, answer));
  #recovery: Promise<void> = Promise.resolve();
  #failed = false;
  #recovered: PostgresServer | undefined;
  /** No operator is there: nothing is recovered. */
  idle = false;

  /** @param archive where the running database's log goes; the name of the server in it is the cluster's affair */
  constructor(kubeconfig: string, running: PostgresServer, archive: Archive) {
    this.#kubeconfig = kubeconfig;
    this.#running = running;
    this.#archive = archive;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Where the recovered database listens; 0: it does not. */
  get recoveredPort(): number {
    return this.#recovered?.port ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#forget();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "", url = "" } = asked;
    const body = await text(asked);
    const [code, said] = await this.#forward(method, url, asked.headers, body);
    const isCluster = url.includes("/postgresql.cnpg.io/");
    if (isCluster && method === "POST" && code === 201) this.#recover(JSON.parse(said));
    if (isCluster && method === "DELETE" && code === 200) await this.#forget();
    const [status, content] = await this.#withState(method, url, code, said);
    answer.writeHead(status, { "content-type": "application/json" }).end(content);
  }

  async #withState(method: string, url: string, code: number, said: string): Promise<[number, string]> {
    if (method !== "GET") return [code, said];
    if (url.endsWith("-full-recovery") && this.#failed && code === 404)
      return [200, JSON.stringify({ status: { failed: 3 } })];
    if (!url.includes("/clusters/") || code !== 200) return [code, said];
    const cluster: Cluster = JSON.parse(said);
    const server = cluster.spec.bootstrap?.recovery ? this.#recovered : this.#running;
    const status = server
      ? { systemID: await systemId(server), conditions: [{ type: "Ready", status: "True" }] }
      : { phase: "Setting up primary", phaseReason: "Creating primary instance" };
    return [code, JSON.stringify({ ...cluster, status })];
  }

  #recover({ spec }: Cluster): void {
    if (this.idle) return;
    const server = spec.externalClusters?.[0]?.plugin?.parameters?.serverName ?? "";
    const { targetTime } = spec.bootstrap?.recovery?.recoveryTarget ?? {};
    this.#failed = false;
    // As the operator writes it: PostgreSQL takes no `Z` there.
    const target = targetTime?.replace("Z", "+00:00");
    this.#recovery = recoverArchive({ ...this.#archive, server }, target).then(
      (recovered) => {
        this.#recovered = recovered;
      },
      () => {
        this.#failed = true;
      },
    );
  }

  async #forget(): Promise<void> {
    await this.#recovery;
    await this.#recovered?.[Symbol.asyncDispose]();
    this.#recovered = undefined;
    this.#failed = false;
  }

  #forward(method: string, path: string, headers: IncomingMessage["headers"], body: string): Promise<[number, string]> {
    const { server, tls } = connectionOf(loadKubeconfig(this.#kubeconfig));
    const { authorization, "content-type": type } = headers;
    return new Promise((resolve, reject) => {
      request(
        new URL(path, server),
        {
          method,
          ca: tls.ca,
          headers: { authorization, "content-type": type, "content-length": Buffer.byteLength(body) },
        },
        (answer) => void text(answer).then((said) => resolve([answer.statusCode ?? 0, said]), reject),
      )
        .on("error", reject)
        .end(body);
    });
  }
}

const systemId = (server: PostgresServer) => server.ask("SELECT system_identifier FROM pg_control_system()");

/** What a drill's pod finds around it. */
export interface Surroundings {
  /** The drill's objects, as they are rendered. */
  readonly objects: readonly { readonly kind: string }[];
  readonly api: RecoveringApi;
  /** Of the drill's account. */
  readonly token: string;
  readonly running: PostgresServer;
  /** Folder of the forge's repositories. */
  readonly repositories: string;
}

/** What may differ from one drill to the next. */
export interface DrillRun {
  readonly pod: { readonly name: string; readonly uid: string };
  /** Values of Secrets, by `name/key`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Variables that a person's own drill has besides. @default none */
  readonly env?: Readonly<Record<string, string>>;
}

/** A drill's pod outside of the cluster: the commands of its containers as they are rendered, by the real programs. */
export class DrillPod {
  readonly #around: Surroundings;
  readonly #run: DrillRun;
  readonly #folder: string;

  private constructor(around: Surroundings, run: DrillRun, folder: string) {
    this.#around = around;
    this.#run = run;
    this.#folder = folder;
  }

  /** Makes its volumes. */
  static async of(around: Surroundings, run: DrillRun): Promise<DrillPod> {
    const folder = await mkdtemp(join(tmpdir(), "hearth-drill-"));
    const files = around.objects.find(
      (object) => object.kind === "ConfigMap" && (object as ConfigMap).data,
    ) as ConfigMap;
    for (const each of ["scripts", "drill", "tmp", "bin"]) await mkdir(join(folder, each));
    for (const [name, content] of Object.entries(files.data ?? {}))
      await writeFile(join(folder, "scripts", name), content);
    // The Services of the cluster are ports of this machine.
    const shim = [
      "#!/bin/sh",
      `case " $* " in *" -h "*-drill-rw.*) port=$RECOVERED_PORT ;; *) port=$RUNNING_PORT ;; esac`,
      `exec ${systemProgram("psql")} "$@" -h 127.0.0.1 -p "$port"`,
    ];
    await writeFile(join(folder, "bin", "psql"), `${shim.join("\n")}\n`, { mode: 0o755 });
    return new DrillPod(around, run, folder);
  }

  /** Runs all containers, or those up to one. @returns the exit status and output of the last */
  async run(upTo = "report"): Promise<{ readonly exitCode: number | undefined; readonly output: string }> {
    const all = this.#containers();
    const count = all.findIndex(({ name }) => name === upTo) + 1;
    let last: { exitCode?: number; all?: string } = {};
    for (const container of all.slice(0, count)) {
      last = await this.start(container.name);
      if (last.exitCode !== 0) break;
    }
    return { exitCode: last.exitCode, output: last.all ?? "" };
  }

  /** Starts one container. */
  start(name: string) {
    const container = this.#containers().find((each) => each.name === name);
    const [program = "", ...args] = (container?.command ?? []).map((word) => this.#placed(word));
    const { api, running, token } = this.#around;
    return execa(program, args, {
      env: {
        ...Object.fromEntries((container?.env ?? []).map((variable) => [variable.name, this.#valueOf(variable)])),
        PATH: [
          join(this.#folder, "bin"),
          dirname(process.execPath),
          dirname(systemProgram("rclone")),
          "/usr/bin:/bin",
        ].join(":"),
        NODE_EXTRA_CA_CERTS: undefined,
        API_SERVER: api.url,
        TOKEN: this.#tokenFile(token),
        RECOVERED_PORT: String(api.recoveredPort),
        RUNNING_PORT: String(running.port),
        ...this.#run.env,
      },
      extendEnv: false,
      all: true,
      reject: false,
      stdin: "ignore",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }

  #containers(): Container[] {
    const cronJob = this.#around.objects.find(({ kind }) => kind === "CronJob") as CronJob | undefined;
    const pod = cronJob?.spec?.jobTemplate.spec?.template.spec;
    return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
  }

  #valueOf({ value = "", valueFrom }: EnvVar): string {
    const { secretKeyRef: secret, fieldRef: field } = valueFrom ?? {};
    if (field) return field.fieldPath === "metadata.uid" ? this.#run.pod.uid : this.#run.pod.name;
    return secret ? (this.#run.secrets[`${secret.name}/${secret.key}`] ?? "") : this.#placed(value);
  }

  /** Paths of mounts are below the pod's folder. */
  #placed(word: string): string {
    if (word === "/home/git/repositories") return this.#around.repositories;
    return word.replace(/^\/(?=(?:scripts|drill|tmp)(?:\/|$))/, `${this.#folder}/`);
  }

  #tokenFile(token: string): string {
    const file = join(this.#folder, "token");
    writeFileSync(file, token, { mode: 0o600 });
    return file;
  }
}
