import { ApiError } from "@hearth-platform/sandbox/kubernetes/api";
import type { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import type { Kind, KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { type Operator, report, runOperators } from "@hearth-platform/sandbox/operators/controller";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const kind = { apiVersion: "v1", kind: "ConfigMap" };
const ownedKind = { apiVersion: "v1", kind: "Secret" };

const object = (
  of: Kind,
  name: string,
  resourceVersion: string,
  more: Partial<KubernetesObject["metadata"]> = {},
): KubernetesObject => ({
  ...of,
  metadata: { name, namespace: "team", resourceVersion, ...more },
});

/** An API server whose lists and events the test decides; a watch stays open until it is broken or the run ends. */
class FakeServer {
  readonly lists = new Map<string, KubernetesObject[]>();
  failure: Error | undefined;
  readonly #open = new Set<{ kind: string; push: (object: KubernetesObject) => void; fail: (error: Error) => void }>();

  async list(of: Kind) {
    if (this.failure) throw this.failure;
    return { metadata: { resourceVersion: "1" }, items: this.lists.get(of.kind) ?? [] };
  }

  async *watch(of: Kind, _version: string, signal: AbortSignal) {
    const waiting: KubernetesObject[] = [];
    let wake = () => {};
    let broken: Error | undefined;
    const connection = {
      kind: of.kind,
      push: (each: KubernetesObject) => {
        waiting.push(each);
        wake();
      },
      fail: (error: Error) => {
        broken = error;
        wake();
      },
    };
    this.#open.add(connection);
    signal.addEventListener("abort", () => wake());
    while (!signal.aborted && !broken) {
      for (let next = waiting.shift(); next; next = waiting.shift()) yield { type: "MODIFIED" as const, object: next };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    this.#open.delete(connection);
    if (broken) throw broken;
  }

  send(changed: KubernetesObject): void {
    for (const each of this.#open) if (each.kind === changed.kind) each.push(changed);
  }

  breakDown(error: Error): void {
    for (const each of this.#open) each.fail(error);
  }
}

describe("operators", () => {
  let server: FakeServer;
  let stop: AbortController;
  let calls: string[];

  beforeEach(() => {
    server = new FakeServer();
    stop = new AbortController();
    calls = [];
    vi.spyOn(console, "error").mockReturnValue();
  });
  afterEach(() => {
    stop.abort();
    vi.restoreAllMocks();
  });

  function run(operator: Partial<Operator> = {}): Promise<void> {
    const record = async (each: KubernetesObject) =>
      void calls.push(`${each.metadata.name}@${each.metadata.resourceVersion}`);
    const client = server as unknown as KubeClient;
    return runOperators(client, [{ reconciles: kind, reconcile: record, ...operator }], stop.signal);
  }

  it("reconcile what is there and what changes, and nothing that is being deleted", async () => {
    server.lists.set(kind.kind, [object(kind, "a", "1"), object(kind, "gone", "1", { deletionTimestamp: "now" })]);
    const done = run();
    await vi.waitFor(() => expect(calls).toEqual(["a@1"]));
    server.send(object(kind, "a", "2"));
    await vi.waitFor(() => expect(calls).toEqual(["a@1", "a@2"]));
    stop.abort();
    await done;
  });

  it("reconcile an owner when what it owns changes", async () => {
    server.lists.set(kind.kind, [object(kind, "a", "1"), object(kind, "b", "1")]);
    void run({ owns: [ownedKind] });
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    const ownerReferences = [{ ...kind, name: "b", uid: "1", controller: true }];
    server.send(object(ownedKind, "made", "5", { ownerReferences }));
    await vi.waitFor(() => expect(calls.slice(2)).toEqual(["b@1"]));
  });

  it("reconcile those of its namespace when something they depend on changes, and all when it has none", async () => {
    server.lists.set(kind.kind, [object(kind, "a", "1"), object(kind, "b", "1", { namespace: "club" })]);
    void run({ dependsOn: [ownedKind] });
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    server.send(object(ownedKind, "any", "5"));
    await vi.waitFor(() => expect(calls.slice(2)).toEqual(["a@1"]));
    server.send(object(ownedKind, "any", "6", { namespace: undefined }));
    await vi.waitFor(() => expect(calls.slice(3).sort()).toEqual(["a@1", "b@1"]));
  });

  it("write a status where it says something else", async () => {
    const applied: unknown[] = [];
    const client = { apply: async (...args: unknown[]) => void applied.push(args) } as unknown as KubeClient;
    const said = { ...object(kind, "a", "1"), status: { phase: "active", instances: 1 } };
    await report(client, said, { instances: 1, phase: "active", reason: undefined }, "operator");
    expect(applied).toEqual([]);
    await report(client, said, { instances: 2, phase: "active" }, "operator");
    const { resourceVersion: _, ...metadata } = said.metadata;
    expect(applied).toEqual([[{ ...kind, metadata, status: { instances: 2, phase: "active" } }, "operator", "status"]]);
  });

  it("work on one object once at a time, and once more for what came meanwhile", async () => {
    server.lists.set(kind.kind, [object(kind, "a", "1")]);
    let finish = () => {};
    void run({
      reconcile: async (each) => {
        calls.push(`${each.metadata.resourceVersion}`);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
    });
    await vi.waitFor(() => expect(calls).toEqual(["1"]));
    for (const version of ["2", "3", "4"]) server.send(object(kind, "a", version));
    await new Promise(setImmediate);
    expect(calls).toEqual(["1"]);
    finish();
    await vi.waitFor(() => expect(calls).toEqual(["1", "4"]));
  });

  it("try again after a failure, but not in a namespace that is going", async () => {
    server.lists.set(kind.kind, [object(kind, "a", "1"), object(kind, "b", "1")]);
    void run({
      reconcile: async ({ metadata }) => {
        calls.push(metadata.name);
        if (metadata.name === "b") throw new ApiError(403, { message: "forbidden: … because it is being terminated" });
        if (calls.filter((name) => name === "a").length < 3) throw new Error("not yet");
      },
    });
    await vi.waitFor(() => expect(calls.sort()).toEqual(["a", "a", "a", "b"]), 5_000);
  });

  it("list again after the server was away, and miss nothing", async () => {
    server.lists.set(kind.kind, [object(kind, "a", "1")]);
    void run();
    await vi.waitFor(() => expect(calls).toEqual(["a@1"]));
    server.failure = new Error("connect ECONNREFUSED");
    server.breakDown(new ApiError(410, { message: "too old" }));
    server.lists.set(kind.kind, [object(kind, "a", "1"), object(kind, "b", "7")]);
    server.failure = undefined;
    await vi.waitFor(() => expect(calls).toEqual(["a@1", "b@7"]), 5_000);
  });
});
