import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { execa } from "execa";
import { buildahStorage, type ContainerBuilder } from "./container-builder.ts";
import { identify, type ProcessIdentity, startDetached } from "./detached-process.ts";

/** A container on this machine's own network. */
export interface ContainerRequest {
  readonly name: string;
  /** Reference in a registry of this machine. */
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folders by the path at which the container sees them, without writing. */
  readonly volumes: Readonly<Record<string, string>>;
  readonly log: string;
  /** Folder of the sandbox. */
  readonly cwd: string;
  readonly pulumiHome: string;
  /** Variables by which the builder finds its own settings. */
  readonly builderEnv: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs the entry point of an image, as the image's user. With buildah: its files and user are the image's, the network and the
 * processes are the machine's.
 * @returns the process in the container: when it ends, so does all around it
 */
export async function runContainer(builder: ContainerBuilder, request: ContainerRequest): Promise<ProcessIdentity> {
  return builder === "docker" ? withDocker(request) : withBuildah(request);
}

async function withDocker({ name, image, env, volumes, log, cwd, builderEnv }: ContainerRequest) {
  await execa("docker", ["rm", "--force", name], { env: builderEnv, reject: false, stdio: "ignore" });
  const args = ["run", "--rm", "--name", name, "--network", "host", "--read-only", "--cap-drop", "ALL"];
  return startDetached({
    program: "docker",
    args: [...args, ...options(env, volumes), image],
    env: builderEnv,
    cwd,
    log,
  });
}

async function withBuildah(request: ContainerRequest): Promise<ProcessIdentity> {
  const { name, image, volumes, log, cwd } = request;
  const storage = buildahStorage(request.pulumiHome);
  const env = { ...request.builderEnv, ...storage.env };
  const buildah = (...args: string[]) => execa("buildah", [...storage.options, ...args], { env, stdin: "ignore" });
  await buildah("rm", name).catch(() => undefined);
  await buildah("from", "--quiet", "--tls-verify=false", "--name", name, image);
  const { stdout } = await buildah("inspect", "--type", "container", name);
  const { Entrypoint = [], Cmd = [] } = JSON.parse(stdout).OCIv1.config;
  const outer = await startDetached({
    program: "buildah",
    args: [...storage.options, "run", ...options(request.env, volumes), name, "--", ...Entrypoint, ...Cmd],
    env,
    cwd,
    log,
  });
  return innermost(outer, String(Cmd.at(-1) ?? Entrypoint.at(-1)), log);
}

function options(env: Readonly<Record<string, string>>, volumes: Readonly<Record<string, string>>): string[] {
  return [
    ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    ...Object.entries(volumes).flatMap(([path, folder]) => ["--volume", `${folder}:${path}:ro`]),
  ];
}

/** The program itself below the processes that shut it in: these do not pass signals on. */
async function innermost({ pid }: ProcessIdentity, lastArgument: string, log: string): Promise<ProcessIdentity> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    let current = pid;
    for (let child = await childOf(current); child !== undefined; child = await childOf(current)) current = child;
    const command = await readFile(`/proc/${current}/cmdline`, "utf8").catch(() => "");
    const identity = identify(current);
    // The first is buildah itself, whose arguments end in the program's.
    const isInside = current !== pid && !command.startsWith("buildah");
    if (identity && isInside && command.split("\0").includes(lastArgument)) return identity;
    if (!identify(pid)) break;
    await delay(100);
  }
  try {
    // All of them are in the session of the first.
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
  throw new Error(`The container did not start: see ${log}.`);
}

/** The kernel lists the children of each thread by itself. */
async function childOf(pid: number): Promise<number | undefined> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => ""));
  const [first] = (await Promise.all(lists)).join(" ").trim().split(/\s+/);
  return first ? Number(first) : undefined;
}
