import { access, mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { judges, operators } from "@hearth-platform/sandbox/programs/catalog";
import { describe, expect, test, vi } from "vitest";
import { FakeMachine } from "./fake-go.ts";

const everything = ["crds", "kube", "kwok", "logs", "pulumi", "registry", "versitygw"];

vi.setConfig({ testTimeout: 90_000 });

describe("building the sandbox's programs", () => {
  test("makes each program once and tells how it goes; a second run builds nothing and says nothing", async () => {
    await using machine = await FakeMachine.create();
    const first = await machine.run();
    expect(first).toMatchObject({ status: 0 });
    expect(first.stderr).toMatch(/^\[4\/6\] Building Pulumi .*…$/m);
    expect(first.stderr).toMatch(/^\[4\/6\] Building Pulumi .*: done \(\d+ m?s\)$/m);
    const programs = JSON.parse(first.stdout);
    for (const path of Object.values<string>(programs)) await access(path);
    for (const name of ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl"])
      await access(join(programs.folder, name));
    expect(await machine.builds()).toHaveLength(5);

    // Of the operators it copies the CRDs and nothing else.
    const { crds } = programs;
    expect((await readdir(crds)).sort()).toEqual(operators.map(({ name }) => name).sort());
    for (const { name, files = ["things.yaml"] } of operators)
      expect((await readdir(join(crds, name))).sort()).toEqual([...files].sort());

    expect(await machine.run()).toEqual({ status: 0, stdout: first.stdout, stderr: "" });
    expect(await machine.builds()).toHaveLength(5);
  });

  test("builds the programs that judge what is rendered, beside its own, for whoever asks for them", async () => {
    await using machine = await FakeMachine.create();
    const { ended } = machine.start({}, ["build", "operators"]);
    expect(await ended).toMatchObject({ status: 0, stdout: "" });
    expect(await machine.cached()).toEqual([...everything, ...Object.keys(judges)].sort());
    const [folder = ""] = (await readdir(machine.programs)).filter((name) => name.startsWith("cloudnative-pg-"));
    expect((await readdir(join(machine.programs, folder))).sort()).toEqual([
      "cloudnative-pg",
      "default-monitoring.yaml",
      "manager",
      "manifests.yaml",
    ]);
  });

  test("takes modules that the user has, but not the user's GOFLAGS, and leaves none of Go's caches behind, in the user's or its own", async () => {
    await using machine = await FakeMachine.create();
    const mine = { GOMODCACHE: machine.path("mine"), GOCACHE: machine.path("mine") };
    await machine.run({ ...mine, GOFLAGS: "-mod=vendor" });
    expect(await machine.builds()).toHaveLength(5);
    for (const build of await machine.builds()) expect(build).toMatch(/ -mod=readonly -trimpath/);
    expect(await machine.read("bin/proxy")).toBe("file:///modules/cache/download,direct\n");
    expect(await machine.cached()).toEqual(everything);
    await expect(access(machine.path("mine"))).rejects.toThrow("ENOENT");
  });

  test("two runs at once build everything once", async () => {
    await using machine = await FakeMachine.create();
    const [one, other] = await Promise.all([machine.run(), machine.run()]);
    expect([one.status, other.status]).toEqual([0, 0]);
    expect(one.stdout).toBe(other.stdout);
    expect(await machine.builds()).toHaveLength(5);
    expect(`${one.stderr}${other.stderr}`).toContain("Waiting for another run that builds");
  });

  test("Ctrl-C leaves nothing half-made and no process; the next run goes on", async () => {
    await using machine = await FakeMachine.create();
    await machine.write("bin/hang");
    const { child, ended } = machine.start();
    const pid = Number(await vi.waitFor(() => machine.read("bin/hanging"), { timeout: 20_000, interval: 20 }));
    child.kill("SIGINT");
    const { status, stderr } = await ended;
    expect(status).toBe(1);
    expect(stderr).toContain("Stopped by SIGINT");
    expect(() => process.kill(-pid, 0)).toThrow("ESRCH");
    // What Go has downloaded and compiled is kept.
    expect(await machine.cached()).toEqual(["crds", "go", "logs"]);
    expect(await readdir(join(machine.programs, ".."))).toEqual(["programs"]);

    await machine.remove("bin/hang");
    expect(await machine.run()).toMatchObject({ status: 0 });
    expect(await machine.cached()).toEqual(everything);
  });

  test("what a killed run left behind, its lock too, is cleared away, and so are programs unused for 30 days, and only those", async () => {
    await using machine = await FakeMachine.create();
    await mkdir(join(machine.programs, ".partial-AbCdEf"), { recursive: true });
    await mkdir(`${machine.programs}.lock`);
    const minuteAgo = new Date(Date.now() - 60_000);
    await utimes(`${machine.programs}.lock`, minuteAgo, minuteAgo);
    const ages = { "kube-00000000000000aa": 31, "kube-00000000000000bb": 29, "kubeconfig-of-mine": 99 };
    for (const [name, days] of Object.entries(ages)) {
      const path = join(machine.programs, name);
      const date = new Date(Date.now() - days * 86_400_000);
      await mkdir(path, { recursive: true });
      await utimes(path, date, date);
    }
    expect(await machine.run()).toMatchObject({ status: 0 });
    expect(await machine.cached()).toEqual([...everything, "kube", "kubeconfig-of-mine"].sort());
    expect(await readdir(machine.programs)).not.toContain("kube-00000000000000aa");
  });
});

describe("one sentence says what is wrong and what to do when", () => {
  test("Go is missing", async () => {
    await using machine = await FakeMachine.create();
    const { status, stdout, stderr } = await machine.run({ PATH: "/nonexistent" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^Go is not on PATH.* Install Go 1\.26 or newer from .*\n$/);
  });

  test.each([
    [
      "no network",
      'main.go:3:2: x@v1: Get "https://proxy.test/x.zip": dial tcp: lookup proxy.test: no such host',
      "a Go module could not be downloaded",
    ],
    ["no space", "compile: writing output: write $WORK/b1: no space left on device", "the disk is full"],
    ["a problem in the source", "# x\nx.go:1:1: undefined: y", "the Go build failed"],
  ])("a build fails: %s", async (_, message, sentence) => {
    await using machine = await FakeMachine.create();
    await machine.write("bin/failure", `go: downloading x v1\n${message}\n`);
    const { status, stdout, stderr } = await machine.run();
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("[2/6] Building etcd, Kubernetes and kubectl (usually 4 min): failed");
    expect(stderr).toContain(sentence);
    expect(stderr).toContain(join(machine.programs, "logs/kube.log"));
    expect(stderr).toContain(message.split("\n").at(-1));
    expect(stderr).not.toContain("go: downloading");
    expect(await machine.cached()).toEqual(["crds", "go", "logs"]);
  });
});
