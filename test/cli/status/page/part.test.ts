import { type LogView, lastLines, type PartDetail, partDetail } from "@hearth-platform/cli/status/page/part";
import { partDocument } from "@hearth-platform/cli/status/page/part-document";
import { beforeEach, describe, expect, it } from "vitest";
import { ago, type Changeable, LiveWorld } from "../world.ts";

/** A component of a live stack, opened: its pods, events and logs. */

let world: LiveWorld;
beforeEach(() => {
  world = new LiveWorld();
  world.objects = world.objects.filter(({ kind }) => kind !== "Pod");
});

async function detail(name: string): Promise<PartDetail> {
  const found = partDetail(name, await world.facts(), await world.report(), undefined);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
}

/** A pod with one container. */
function pod(name: string, owner: { kind: string; name: string }, status: object = {}, labels = {}): Changeable {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...{ namespace: "platform", name, uid: name, labels },
      ownerReferences: [{ apiVersion: "v1", uid: owner.name, controller: true, ...owner }],
    },
    spec: { nodeName: "node-1", containers: [{ name: "main" }] },
    status: { phase: "Running", ...status },
  };
}

const ready = {
  conditions: [{ type: "Ready", status: "True" }],
  containerStatuses: [{ ready: true, restartCount: 2 }],
};

function event(kind: string, name: string, message: string, hours: number, more = {}) {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace: "platform", name: `${name}.${hours}` },
    involvedObject: { kind, namespace: "platform", name },
    ...{ type: "Normal", reason: "Said", message, lastTimestamp: ago.hours(hours), ...more },
  } as unknown as Changeable;
}

describe("the pods of a part", () => {
  it("are those of its Deployments, StatefulSets, databases and Jobs by the clock, and no others", async () => {
    const labels = { "pod-template-hash": "abc12" };
    world.objects.push(
      pod("forge-webservice-abc12-x", { kind: "ReplicaSet", name: "forge-webservice-abc12" }, {}, labels),
      pod("forge-gitstore-0", { kind: "StatefulSet", name: "forge-gitstore" }),
      pod("forge-backup-29401-y", { kind: "Job", name: "forge-backup-29401" }),
      pod("forge-backup-mine-z", { kind: "Job", name: "forge-backup-mine" }),
      pod("forge-db-1", { kind: "Cluster", name: "forge-db" }),
      pod("alone", { kind: "Job", name: "alone" }),
    );
    const names = async (part: string) => (await detail(part)).pods.map(({ name }) => name);
    expect(await names("forge")).toEqual(["forge-webservice-abc12-x", "forge-gitstore-0", "forge-backup-29401-y"]);
    expect(await names("platform-db")).toEqual(["forge-db-1"]);
  });

  it("are of its own namespace: another may have a workload of the same name", async () => {
    const own = pod("keystore-0", { kind: "StatefulSet", name: "keystore" });
    world.objects.push({ ...own, metadata: { ...own.metadata, namespace: "cloud" } });
    expect((await detail("platform-keystore")).pods).toEqual([]);
    expect((await detail("cloud-keystore")).pods.map(({ namespace }) => namespace)).toEqual(["cloud"]);
  });

  it("say why they wait, how many containers are ready, and how often these restarted", async () => {
    const waiting = [
      { name: "main", ready: false, restartCount: 7, state: { waiting: { reason: "CrashLoopBackOff" } } },
    ];
    world.objects.push(
      pod("keystore-0", { kind: "StatefulSet", name: "keystore" }, ready),
      pod("keystore-1", { kind: "StatefulSet", name: "keystore" }, { containerStatuses: waiting }),
    );
    const { pods, containers } = await detail("platform-keystore");
    expect(pods).toMatchObject([
      { name: "keystore-0", status: "Running", ready: 1, wanted: 1, restarts: 2, node: "node-1" },
      { name: "keystore-1", status: "CrashLoopBackOff", ready: 0, wanted: 1, restarts: 7 },
    ]);
    expect(
      containers.map((each) => each.pod),
      "what is not ready first",
    ).toEqual(["keystore-1", "keystore-0"]);
  });

  it("are read of at most twelve containers, and it says how many more there are", async () => {
    for (let index = 0; index < 15; index += 1)
      world.objects.push(pod(`keystore-${index}`, { kind: "StatefulSet", name: "keystore" }, ready));
    const { containers, more } = await detail("platform-keystore");
    expect([containers.length, more]).toEqual([12, 3]);
  });
});

it("its events are those of its objects, pods and claims, the newest first", async () => {
  const claim = { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-keystore-0" } }] };
  const own = pod("keystore-0", { kind: "StatefulSet", name: "keystore" });
  world.objects.push(
    { ...own, spec: { ...own.spec, ...claim } },
    event("StatefulSet", "keystore", "made it", 3),
    event("Pod", "keystore-0", "pulls", 1, { type: "Warning", count: 4 }),
    event("PersistentVolumeClaim", "data-keystore-0", "waits", 2),
    event("Pod", "forge-db-1", "of another", 0),
  );
  const { events } = await detail("platform-keystore");
  expect(events.map(({ about, warns, message }) => `${about} ${warns}: ${message}`)).toEqual([
    "Pod keystore-0 true: pulls (4 times)",
    "PersistentVolumeClaim data-keystore-0 false: waits",
    "StatefulSet keystore false: made it",
  ]);
});

it("has the findings of status that are about it", async () => {
  world.remove("Deployment", "hub-core");
  const subjects = async (part: string) => (await detail(part)).findings.map(({ status }) => status);
  expect(await subjects("hub")).toEqual(["problem"]);
  expect(await subjects("forge")).toEqual(["ok"]);
});

it("a name that no component has is no part", async () => {
  expect(partDetail("nobody", await world.facts(), await world.report(), undefined)).toBeUndefined();
});

describe("the last lines of a container", () => {
  const place = { namespace: "platform", pod: "keystore-0", container: "main" };
  const path = "/api/v1/namespaces/platform/pods/keystore-0/log?container=main&tailLines=20&limitBytes=65536";

  it("are read with the caller's rights, without colours and what else steers a terminal", async () => {
    world.logs.set(path, "one\r\n\u001b[31mred\u001b[0m\u0007\n\n");
    expect(await lastLines(world.cluster, place)).toEqual({ ...place, lines: ["one", "red"] });
  });

  it("are the last, and not longer than can be read", async () => {
    world.logs.set(path, `${"x".repeat(1000)}\n`.repeat(25));
    const { lines } = await lastLines(world.cluster, place);
    expect([lines.length, lines[0]?.length]).toEqual([20, 400]);
  });

  it("may be refused, which is said in the API server's words", async () => {
    expect(await lastLines(world.cluster, place)).toEqual({
      ...place,
      lines: [],
      failure: `there is no log at ${path}`,
    });
  });

  it("lead to no other path, whatever a pod is called", async () => {
    const { failure } = await lastLines(world.cluster, { ...place, pod: "../secrets/x?", container: "a&b" });
    expect(failure).toContain("/pods/..%2Fsecrets%2Fx%3F/log?container=a%26b&");
  });
});

describe("the page of a part", () => {
  const hostile = `"'><img src=x onerror=alert(1)></pre><script>`;
  const written = (page: Partial<Parameters<typeof partDocument>[0]>) =>
    String(partDocument({ stack: "dev", name: "forge", logs: [], ...page }));

  it("writes whatever a cluster says as text", () => {
    const text = hostile;
    const log: LogView = { namespace: text, pod: text, container: text, lines: [text] };
    const page = written({
      ...{ stack: text, name: text, failure: text, logs: [log, { ...log, failure: text }] },
      detail: {
        ...{ name: text, title: text, hosts: [text], ready: 0, wanted: 1, containers: [], more: 0 },
        findings: [{ status: "problem", code: text, subject: text, message: text, remedy: text }],
        workloads: [
          {
            ...{ kind: "Deployment", namespace: text, name: text, state: "present", ready: 0, wanted: 1, restarts: 0 },
            ...{ image: text, phase: text },
          },
        ],
        pods: [{ namespace: text, name: text, status: text, ready: 0, wanted: 1, restarts: 0, node: text, made: text }],
        events: [{ at: text, warns: true, reason: text, about: text, message: text }],
      },
    });
    expect(page).not.toMatch(/<img|<script>|onerror=alert\(1\)>/);
    expect(page.split("&lt;img src=x onerror=alert(1)&gt;").length).toBeGreaterThan(25);
  });

  it("leads back to its stack, and says what there is not", () => {
    const page = written({});
    expect(page).toContain('<a href="/stacks/dev">Stack dev</a>');
    for (const text of ["None was seen.", "The API server has none", "No container has begun."])
      expect(page).toContain(text);
  });

  it("shows a pod that ended well, lines and refusals", () => {
    const log: LogView = { namespace: "platform", pod: "keystore-0", container: "main", lines: ["one", "two"] };
    const page = written({ logs: [log, { ...log, lines: [], failure: "refused" }] });
    expect(page).toContain("<pre>one\ntwo</pre>");
    expect(page).toContain('<p class="soft">refused</p>');
  });
});
