import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureContainerBuilder, findContainerBuilder } from "@hearth-platform/sandbox/container-builder";
import type { Progress } from "@hearth-platform/sandbox/progress";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

let folder: string;
let said: string[];
const progress: Progress = {
  step: (what) => {
    said.push(what);
    return { done: (result = "done") => said.push(result), failed: () => said.push("failed") };
  },
};

/** A machine of which only the programs that a test makes are on PATH. */
async function program(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearth-builder-"));
  said = [];
  for (const tool of ["ln", "echo"]) await symlink(`/bin/${tool}`, join(folder, tool));
  vi.stubEnv("PATH", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

describe("the builder of container images", () => {
  it("is docker where its engine answers", async () => {
    await program("docker", "exit 0");
    await program("buildah", "exit 0");
    expect(await findContainerBuilder()).toBe("docker");
  });

  it("is buildah where docker is a client without an engine", async () => {
    await program("docker", "exit 1");
    await program("buildah", "exit 0");
    expect(await findContainerBuilder()).toBe("buildah");
  });

  it("needs no word where there is one", async () => {
    await program("buildah", "exit 0");
    expect(await ensureContainerBuilder(progress)).toBe("buildah");
    expect(said).toEqual([]);
  });

  it("is installed by root on a Debian, after an update where the lists are old", async () => {
    vi.spyOn(process, "getuid").mockReturnValue(0);
    const install = `ln -s ${process.execPath} ${folder}/buildah`;
    await program(
      "apt-get",
      `echo "$@" >> ${folder}/calls
case $1 in update) echo > ${folder}/updated ;; *) [ -e ${folder}/updated ] && ${install} ;; esac`,
    );
    expect(await ensureContainerBuilder(progress, "ID=debian\n")).toBe("buildah");
    expect((await readFile(join(folder, "calls"), "utf8")).split("\n")).toEqual([
      "install --no-install-recommends --yes buildah",
      "update",
      "install --no-install-recommends --yes buildah",
      "",
    ]);
  });

  it("is done without on a Debian for another user, who is told the command that changes it", async () => {
    vi.spyOn(process, "getuid").mockReturnValue(1000);
    expect(await ensureContainerBuilder(progress, "ID=ubuntu\nID_LIKE=debian\n")).toBeUndefined();
    expect(said.join()).toMatch(/runs as a process.*"sudo apt-get install --no-install-recommends --yes buildah"/);
  });

  it("is done without elsewhere, with advice", async () => {
    vi.spyOn(process, "getuid").mockReturnValue(0);
    expect(await ensureContainerBuilder(progress, "ID=fedora\n")).toBeUndefined();
    expect(said.join()).toMatch(/runs as a process.*install one of them/);
  });
});
