import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopDetached } from "@hearth-platform/sandbox/detached-process";
import { waitUntil } from "@hearth-platform/sandbox/health";
import { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import { runOperators } from "@hearth-platform/sandbox/operators/controller";
import { podReferences } from "@hearth-platform/sandbox/operators/pod-references";
import { volumes } from "@hearth-platform/sandbox/operators/volumes";
import { ensureJudges } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import type { Sandbox } from "@hearth-platform/sandbox/started-sandbox";
import { execa, type ResultPromise } from "execa";
import type { PostgresServer } from "./database-servers.ts";

/** Name of the plugin, by which the controllers find its socket. */
const plugin = "barman-cloud.cloudnative-pg.io";

/** An instance, by the names of its pod and of its Cluster. */
export interface Instance {
  readonly namespace: string;
  readonly cluster: string;
  readonly pod: string;
}

/**
 * CloudNativePG's own controllers and the operator's part of its Barman plugin on a sandbox's API server. The sandbox's stand-ins for
 * them have ended; what stands in for kubelets and volumes goes on.
 */
export class DatabaseControllers {
  readonly #sandbox: Sandbox;
  readonly #folder: string;
  readonly #sockets: string;
  readonly #processes: ResultPromise[] = [];
  readonly #stop = new AbortController();
  #others: Promise<void> = Promise.resolve();

  private constructor(sandbox: Sandbox, folder: string, sockets: string) {
    this.#sandbox = sandbox;
    this.#folder = folder;
    this.#sockets = sockets;
  }

  /** Builds them where that is still to be done. */
  static async start(sandbox: Sandbox): Promise<DatabaseControllers> {
    const [folder = ""] = await ensureJudges(["cloudnative-pg"], createProgress());
    const sockets = await mkdtemp(join(tmpdir(), "hearth-plugins-"));
    const controllers = new DatabaseControllers(sandbox, folder, sockets);
    try {
      await controllers.#replaceStandIns();
      await controllers.#startPlugin();
      controllers.#run("controllers", "operator", ["controllers", "-plugins", sockets]);
      return controllers;
    } catch (error) {
      await controllers[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Runs the controller of Databases that an instance's pod has, on a real PostgreSQL. */
  runInstance({ namespace, cluster, pod }: Instance, server: PostgresServer): void {
    const options = ["-namespace", namespace, "-cluster", cluster, "-pod", pod];
    this.#run(`databases-${namespace}`, "operator", ["databases", ...options], {
      PGHOST: server.socket,
      PGPORT: String(server.port),
    });
  }

  async #replaceStandIns(): Promise<void> {
    const client = KubeClient.fromKubeconfig(this.#sandbox.paths.kubeconfig);
    await stopDetached(this.#sandbox.record.processes.operators);
    await client.delete({
      apiVersion: "kwok.x-k8s.io/v1alpha1",
      kind: "Stage",
      metadata: { name: "database-applied" },
    });
    this.#others = runOperators(client, [volumes(client), podReferences(client)], this.#stop.signal);
  }

  async #startPlugin(): Promise<void> {
    const options = ["--plugin-path", this.#sockets, "--health-probe-bind-address", "0"];
    this.#run("barman-plugin", "manager", ["operator", ...options], {
      SIDECAR_IMAGE: "ghcr.io/cloudnative-pg/plugin-barman-cloud-sidecar:v0.14.0",
    });
    if (!(await waitUntil(async () => existsSync(join(this.#sockets, plugin)), 60_000)))
      throw new Error("The Barman plugin does not listen within a minute.");
  }

  #run(name: string, program: string, args: readonly string[], env: Record<string, string> = {}): void {
    const { kubeconfig, logs } = this.#sandbox.paths;
    const log = join(logs, `${name}.log`);
    const started = execa(join(this.#folder, program), args, {
      env: { ...env, KUBECONFIG: kubeconfig },
      stdout: { file: log },
      stderr: { file: log, append: true },
      reject: false,
      stdin: "ignore",
    });
    this.#processes.push(started);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const process of this.#processes) process.kill();
    await Promise.all([...this.#processes, this.#others]);
    await rm(this.#sockets, { recursive: true });
  }
}
