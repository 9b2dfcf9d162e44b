import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import type { Progress } from "./progress.ts";

/** Program that builds container images from a Dockerfile. */
export type ContainerBuilder = "docker" | "buildah";

/** Where buildah keeps what it builds and runs in a sandbox: its options, and its environment. It works as root without a container engine. */
export function buildahStorage(pulumiHome: string): { folder: string; options: string[]; env: Record<string, string> } {
  const folder = join(pulumiHome, "buildah");
  return {
    folder,
    // Only the driver vfs leaves no mounts behind, over which the folder could not be deleted.
    options: ["--storage-driver", "vfs", "--root", join(folder, "storage"), "--runroot", join(folder, "run")],
    env: { BUILDAH_ISOLATION: "chroot" },
  };
}

const install = ["apt-get", "install", "--no-install-recommends", "--yes", "buildah"] as const;

/** The builder at hand. A docker client without an engine that answers does not count. */
export async function findContainerBuilder(): Promise<ContainerBuilder | undefined> {
  if (await succeeds("docker", ["info"])) return "docker";
  if (await succeeds("buildah", ["--version"])) return "buildah";
  return undefined;
}

/**
 * Finds a builder of container images, and as root on a Debian installs buildah where there is none.
 * @param osRelease default: the text of /etc/os-release
 * @returns undefined when there is none; what that means and what to do about it has been said then
 */
export async function ensureContainerBuilder(
  progress: Progress,
  osRelease?: string,
): Promise<ContainerBuilder | undefined> {
  const found = await findContainerBuilder();
  if (found) return found;
  const step = progress.step("Looking for docker or buildah to build container images");
  const withoutOne = "the webhook runs as a process instead of its container";
  if (!isDebian(osRelease ?? (await readFile("/etc/os-release", "utf8").catch(() => "")))) {
    step.done(`neither was found, so ${withoutOne}: to change that, install one of them and start again`);
    return undefined;
  }
  if (process.getuid?.() !== 0) {
    step.done(`neither was found, so ${withoutOne}: to change that, run "sudo ${install.join(" ")}" and start again`);
    return undefined;
  }
  step.done("neither was found");
  const installation = progress.step(`Installing buildah (${install.join(" ")})`);
  const [program, ...args] = install;
  if ((await apt(program, args)) || ((await apt("apt-get", ["update"])) && (await apt(program, args)))) {
    installation.done();
    return "buildah";
  }
  installation.failed();
  process.stderr.write(`buildah could not be installed, so ${withoutOne}: "${install.join(" ")}" says why.\n`);
  return undefined;
}

function apt(program: string, args: readonly string[]): Promise<boolean> {
  return succeeds(program, args, { timeout: 300_000, env: { DEBIAN_FRONTEND: "noninteractive" } });
}

async function succeeds(program: string, args: readonly string[], options = {}): Promise<boolean> {
  const result = await execa(program, args, { stdio: "ignore", timeout: 10_000, reject: false, ...options });
  return !result.failed;
}

function isDebian(osRelease: string): boolean {
  return /^ID(_LIKE)?=.*\bdebian\b/m.test(osRelease);
}
