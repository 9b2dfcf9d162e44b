import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { buildahStorage, findContainerBuilder } from "../../container-builder.ts";
import { nodeBase, standInFor, withNodeBase } from "./node-base.ts";

/** An image to build. */
export interface BuildRequest {
  readonly context: string;
  readonly dockerfile: { readonly location: string } | { readonly inline: string };
  readonly buildArgs: Record<string, string>;
  readonly labels: Record<string, string>;
  readonly platform?: string;
  readonly target?: string;
  readonly noCache: boolean;
  readonly pull: boolean;
}

/** Hosts whose images the sandbox's registry may hold: it is asked first, so that a base image need not be downloaded. */
const mirroredHosts = ["docker.io", "gcr.io", "ghcr.io", "quay.io", "registry.k8s.io"];

/**
 * Builds an image with docker or buildah and pushes it.
 * @param destinations full references, on `registry`; none: the image is only built
 * @param registry `127.0.0.1:PORT` of the sandbox's registry, when there is one
 * @throws when there is no builder, or with what the builder says when it fails
 */
export async function build(request: BuildRequest, destinations: string[], registry?: string): Promise<void> {
  const builder = await findContainerBuilder();
  if (!builder)
    throw new Error(
      'Neither docker nor buildah is there to build images: install one, as with "apt-get install --no-install-recommends buildah".',
    );
  const image = `localhost/build:${randomUUID()}`;
  const run = builder === "docker" ? docker : await buildah(registry);
  const given = builder === "docker" ? (value: string) => value : standInFor;
  const options = Object.entries(request.buildArgs).flatMap(([name, value]) => [
    "--build-arg",
    `${name}=${given(value)}`,
  ]);
  options.push(...Object.entries(request.labels).flatMap(([name, value]) => ["--label", `${name}=${value}`]));
  for (const [flag, value] of [
    ["--platform", request.platform],
    ["--target", request.target],
  ] as const)
    if (value) options.push(flag, value);
  for (const [flag, wanted] of [
    ["--no-cache", request.noCache],
    ["--pull", request.pull],
  ] as const)
    if (wanted) options.push(flag);

  const inline = "inline" in request.dockerfile ? request.dockerfile.inline : undefined;
  const file = "location" in request.dockerfile ? request.dockerfile.location : "-";
  await run("build", [...options, "--file", file, "--tag", image, request.context], inline);
  try {
    for (const destination of destinations) await run("push", [image, destination]);
  } finally {
    await run("remove", [image]);
  }
}

type Run = (step: "build" | "push" | "remove", args: string[], input?: string) => Promise<void>;

const docker: Run = async (step, args, input) => {
  const [image = "", destination = ""] = args;
  if (step === "build") return command("docker", ["build", ...args], { SOURCE_DATE_EPOCH: "0" }, input);
  if (step === "remove") return command("docker", ["image", "rm", image]);
  await command("docker", ["tag", image, destination]);
  await command("docker", ["push", destination]);
  await command("docker", ["image", "rm", destination]);
};

/** Works as root without a container engine; its images lie in Pulumi's home, which is the sandbox's own. */
async function buildah(registry: string | undefined): Promise<Run> {
  const { folder, options: storage, env: isolation } = buildahStorage(process.env.PULUMI_HOME ?? tmpdir());
  await mkdir(folder, { recursive: true });
  const registries = join(folder, "registries.conf");
  await writeFile(registries, registriesConf(registry));
  const env = { ...isolation, CONTAINERS_REGISTRIES_CONF: registries };
  const steps = {
    // The timestamp makes the same context the same digest.
    build: ["build", "--timestamp", "0"],
    // The registry is on this machine: to compress takes longer than to write.
    push: ["push", "--quiet", "--disable-compression", "--tls-verify=false"],
    remove: ["rmi"],
  };
  if (!(await succeeds("buildah", [...storage, "inspect", "--type", "image", nodeBase], env)))
    await withNodeBase((context) =>
      command("buildah", [...storage, "build", "--quiet", "--timestamp", "0", "--tag", nodeBase, context], env),
    );
  return (step, args, input) => {
    const [image = "", destination] = args;
    const rest = step === "push" ? [image, `docker://${destination}`] : args;
    return command("buildah", [...storage, ...steps[step], ...rest], env, input);
  };
}

/** containers-registries.conf(5): short names are Docker Hub's, as with docker, and the sandbox's registry mirrors the public ones. */
export function registriesConf(registry: string | undefined): string {
  const lines = ['unqualified-search-registries = ["docker.io"]'];
  for (const host of registry ? mirroredHosts : [])
    lines.push(
      "[[registry]]",
      `location = "${host}"`,
      "[[registry.mirror]]",
      `location = "${registry}"`,
      "insecure = true",
    );
  return `${lines.join("\n")}\n`;
}

async function succeeds(program: string, args: string[], env: Record<string, string>): Promise<boolean> {
  return !(await execa(program, args, { env, reject: false, stdio: "ignore" })).failed;
}

async function command(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  input?: string,
): Promise<void> {
  const result = await execa(program, args, {
    env,
    reject: false,
    all: true,
    ...(input === undefined ? { stdin: "ignore" } : { input }),
  });
  if (!result.failed) return;
  const step = args.find((arg) => ["build", "push", "rmi", "tag", "image"].includes(arg)) ?? "";
  const said = (result.all ?? "").trim().split("\n").slice(-20).join("\n");
  throw new Error(
    `${program} ${step} failed${result.exitCode === undefined ? "" : ` (exit code ${result.exitCode})`}:\n${said}`,
  );
}
