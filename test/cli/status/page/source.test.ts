import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pageSource } from "@hearth-platform/cli/status/page/source";
import type { StackView } from "@hearth-platform/cli/status/page/view";
import { Unreachable } from "@hearth-platform/stack/live/cluster/cluster";
import { describe, expect, it, onTestFinished } from "vitest";
import { LiveWorld, now } from "../world.ts";

/** What the page shows of stacks, from a cluster of plain objects and a backend that a test changes. */

const root = join(import.meta.dirname, "../../../..");

const deployment = (name: string, image: string) => ({
  urn: `urn:pulumi:prod::hearth::kubernetes:apps/v1:Deployment::platform/${name}`,
  type: "kubernetes:apps/v1:Deployment",
  inputs: {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "platform", name },
    spec: { template: { spec: { containers: [{ name: "web", image }] } } },
  },
});

function stacks({ project }: { project?: string } = {}) {
  const world = new LiveWorld();
  const clock = { now };
  const seen = { opened: 0, closed: 0, reads: 0, asked: [] as string[] };
  const backend = {
    stacks: [{ name: "prod", lastUpdate: "1" }, { name: "other" }] as readonly object[] | Error,
    resources: [deployment("hub-core", "docker.io/library/nginx:latest")],
    history: [
      { kind: "update", result: "succeeded", startTime: "2026-11-25T11:00:00.000Z", resourceChanges: { create: 1 } },
    ],
  };
  let isAway = false;
  const source = pageSource(
    { project: project ?? root, stack: "prod" },
    {
      environment: {},
      clock: () => clock.now,
      open: async () => {
        if (isAway) throw new Unreachable("The Kubernetes API server https://10.0.0.1:6443 can't be reached: no.");
        seen.opened += 1;
        const { server, read, readText, listPath } = world.cluster;
        return {
          server,
          readText,
          listPath,
          read: async <T>(path: string) => {
            seen.reads += 1;
            if (isAway) throw new Unreachable("The Kubernetes API server https://10.0.0.1:6443 can't be reached: no.");
            return read<T>(path);
          },
          close: () => {
            seen.closed += 1;
          },
        };
      },
      pulumi: async (args) => {
        seen.asked.push(args.join(" "));
        if (backend.stacks instanceof Error) throw backend.stacks;
        if (args[1] === "history") return JSON.stringify(backend.history);
        if (args[1] === "ls") return JSON.stringify(backend.stacks);
        return JSON.stringify({ deployment: { resources: backend.resources } });
      },
    },
  );
  const view = async (name = "prod"): Promise<StackView> => {
    const found = await source.view(name);
    if (!found) throw new Error(`There is no stack ${name}.`);
    return found;
  };
  const later = (seconds: number) => {
    clock.now = new Date(clock.now.valueOf() + seconds * 1000);
  };
  const away = (is: boolean) => {
    isAway = is;
  };
  return { world, source, view, seen, backend, later, away };
}

describe("a stack", () => {
  it("is shown as status shows it, with its parts, their hosts and its picture", async () => {
    const { world, view } = stacks();
    const { report, parts, picture } = await view();
    expect(report).toEqual(await world.report());
    expect(parts.find(({ name }) => name === "forge")).toMatchObject({
      ...{ title: "Forge", ready: 11, wanted: 11 },
      hosts: ["forge.example.org", "*.pages.example.org"],
    });
    for (const svg of [picture?.wide, picture?.narrow]) {
      expect(svg).toContain('<a href="https://forge.example.org/">');
      expect(svg).not.toContain('href="https://*');
      expect(svg).toContain("2 of 2 ready");
    }
  });

  it("has the sites of all namespaces, with their last sync", async () => {
    const { world, view } = stacks();
    world.objects = world.objects.filter(({ kind }) => kind !== "StaticSite");
    const site = { apiVersion: "pages.kup6s.com/v1beta1", kind: "StaticSite" };
    const annotations = { "pages.kup6s.com/sync": "1700000000" };
    world.objects.push({ ...site, metadata: { namespace: "elsewhere", name: "blog", annotations } });
    expect((await view()).sites).toEqual([{ path: "elsewhere/blog", asked: 1_700_000_000 }]);
  });

  it("has the policies' verdicts on what its last update left", async () => {
    const { view, backend, later } = stacks();
    const policies = async () => (await view()).state.verdicts?.map(({ policy }) => policy);
    expect(await policies()).toContain("wl-image-tag");
    backend.resources = [deployment("hub-core", "docker.io/library/nginx:1.29.3")];
    later(20);
    expect(await policies(), "a state that was not written since").toContain("wl-image-tag");
    backend.stacks = [{ name: "prod", lastUpdate: "2" }];
    later(20);
    expect(await policies()).not.toContain("wl-image-tag");
  });

  it("has its last update, also where that left nothing, and none before the first", async () => {
    const { view, backend, later } = stacks();
    expect((await view()).state.update).toMatchObject({ kind: "update", changes: { create: 1 } });
    backend.stacks = [{ name: "prod", lastUpdate: "2" }];
    Object.assign(backend, { resources: [], history: [{ kind: "destroy", result: "succeeded", startTime: "t" }] });
    later(20);
    expect((await view()).state).toEqual({ update: expect.objectContaining({ kind: "destroy" }) });
    backend.stacks = [{ name: "prod", lastUpdate: "3" }];
    backend.history = [];
    later(20);
    expect((await view()).state).toEqual({});
  });

  it("is looked at once for all who ask, and again after a while", async () => {
    const { view, seen, later } = stacks();
    await Promise.all([view(), view()]);
    const { reads } = seen;
    later(3);
    await view();
    expect(seen.reads).toBe(reads);
    later(3);
    await view();
    expect(seen.reads).toBe(2 * reads);
    expect(seen.opened, "one sign-in").toBe(1);
    expect(seen.asked).toEqual([
      "stack ls --json",
      "stack export --stack prod",
      "stack history --stack prod --json --page-size 1",
    ]);
  });

  it("of a cluster that is away says so, is still drawn, and is signed in to anew when it is back", async () => {
    const { view, source, away, later, seen } = stacks();
    await view();
    away(true);
    later(5);
    const { failure, picture, report } = await view();
    expect(failure).toContain("https://10.0.0.1:6443 can't be reached");
    expect([picture?.wide.startsWith("<svg"), report]).toEqual([true, undefined]);
    away(false);
    later(5);
    expect((await view()).failure).toBeUndefined();
    expect([seen.opened, seen.closed]).toEqual([2, 1]);
    source.close();
    expect(seen.closed).toBe(2);
  });
});

describe("a part of a stack", () => {
  it("is opened from its name in the list and in the picture", async () => {
    const { view, source, world } = stacks();
    world.one("Pod", "keystore-0").spec.containers = [{ name: "main" }];
    expect((await view()).picture?.wide).toContain('<a href="/stacks/prod/parts/platform-keystore">');
    const { detail, logs, failure } = (await source.part("prod", "platform-keystore")) ?? { logs: [] };
    expect(detail?.pods.map(({ name }) => name)).toEqual(["keystore-0"]);
    expect([logs.length, failure]).toEqual([1, undefined]);
  });

  it("is none of a name that no component or no stack has", async () => {
    const { source } = stacks();
    expect(await source.part("prod", "keystore")).toBeUndefined();
    expect(await source.part("dev", "platform-keystore")).toBeUndefined();
  });

  it("says why it can't be seen", async () => {
    const { source, away } = stacks();
    away(true);
    expect((await source.part("prod", "platform-keystore"))?.failure).toContain("can't be reached");
  });
});

describe("the stacks to choose from", () => {
  it("are those of the backend", async () => {
    const { view, source } = stacks();
    expect((await view()).stacks).toEqual(["prod", "other"]);
    expect(await source.view("dev"), "a file without a stack").toBeUndefined();
  });

  it("are the one that was named, where Pulumi can't be asked", async () => {
    const { view, backend } = stacks();
    backend.stacks = new Error("There is no pulumi.");
    expect(await view()).toMatchObject({ stacks: ["prod"], state: { failure: "There is no pulumi." } });
  });

  it("may have no settings here, or wrong ones: the page says what is wrong", async () => {
    const project = mkdtempSync(join(tmpdir(), "hearth-page-"));
    onTestFinished(() => rmSync(project, { recursive: true }));
    writeFileSync(join(project, "Pulumi.prod.yaml"), "config:\n  hearth:namespace: Not A Name\n");
    const { view } = stacks({ project });
    expect((await view()).failure).toContain("Pulumi.prod.yaml:2");
    expect((await view("other")).failure).toContain("Pulumi.other.yaml");
  });
});
