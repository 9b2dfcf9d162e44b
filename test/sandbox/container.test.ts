import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContainerRequest, runContainer } from "@hearth-platform/sandbox/container";
import { isRunning, type ProcessIdentity, stopDetached } from "@hearth-platform/sandbox/detached-process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

let folder: string;
let started: ProcessIdentity | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-container-"));
});
afterEach(async () => {
  await stopDetached(started);
  started = undefined;
  await rm(folder, { recursive: true });
});

/** A container tool that notes how it was called, then does `body`. */
async function tool(name: string, body: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\necho "$*" >>${folder}/calls\n${body}\n`);
  await chmod(join(folder, name), 0o755);
}

const calls = async () => (await readFile(join(folder, "calls"), "utf8")).trim().split("\n");

const request = (): ContainerRequest => ({
  name: "hearth-unit-site-webhook",
  image: "127.0.0.1:5000/webhook:1",
  env: { PORT: "8080" },
  volumes: { "/var/run/account": "/state/account" },
  log: join(folder, "log"),
  cwd: folder,
  pulumiHome: join(folder, "home"),
  builderEnv: { PATH: `${folder}:${process.env.PATH}`, DOCKER_CONFIG: "/state/docker" },
});

describe("a container of the sandbox by docker:", () => {
  it("an earlier container makes room, and the new one has the machine's network and no right that it does not need", async () => {
    await tool("docker", 'case $1 in rm) exit 1 ;; run) echo "docker of $DOCKER_CONFIG"; exec sleep 60 ;; esac');
    started = await runContainer("docker", request());
    await vi.waitUntil(async () => (await calls()).length === 2, { timeout: 10_000 });
    expect(await calls()).toEqual([
      "rm --force hearth-unit-site-webhook",
      "run --rm --name hearth-unit-site-webhook --network host --read-only --cap-drop ALL --env PORT=8080 --volume /state/account:/var/run/account:ro 127.0.0.1:5000/webhook:1",
    ]);
    expect(isRunning(started)).toBe(true);
    await vi.waitUntil(async () => (await readFile(request().log, "utf8")).includes("docker of /state/docker"), {
      timeout: 10_000,
    });
  });
});

describe("a container of the sandbox by buildah:", () => {
  const inspected = JSON.stringify({ OCIv1: { config: { Entrypoint: ["sleep"], Cmd: ["60"] } } });
  const storage = () =>
    `--storage-driver vfs --root ${folder}/home/buildah/storage --runroot ${folder}/home/buildah/run`;

  it("the image's own entry point runs, and the process in the container is the one that counts", async () => {
    // Below what shuts it in, as with buildah itself.
    await tool("buildah", `case "$*" in *" inspect "*) echo '${inspected}' ;; *" run "*) sleep 60; exit ;; esac`);
    started = await runContainer("buildah", request());
    expect(await calls()).toEqual(
      [
        "rm hearth-unit-site-webhook",
        "from --quiet --tls-verify=false --name hearth-unit-site-webhook 127.0.0.1:5000/webhook:1",
        "inspect --type container hearth-unit-site-webhook",
        "run --env PORT=8080 --volume /state/account:/var/run/account:ro hearth-unit-site-webhook -- sleep 60",
      ].map((call) => `${storage()} ${call}`),
    );
    // A moment after it is made a process is still a copy of its parent.
    const commandLine = () => readFile(`/proc/${started?.pid}/cmdline`, "utf8");
    await expect.poll(commandLine, { timeout: 10_000 }).toBe("sleep\x0060\0");
  });

  it("a container that ends at once is told with its log", async () => {
    await tool("buildah", `case "$*" in *" inspect "*) echo '${inspected}' ;; *" run "*) exit 125 ;; esac`);
    await expect(runContainer("buildah", request())).rejects.toThrow(/(did not start|ended at once): see .*log/);
  });
});
