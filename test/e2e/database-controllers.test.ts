import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import type { Cluster as StandInCluster } from "@hearth-platform/sandbox/operators/cloudnative-pg";
import { poolerImage, type Pooler as StandInPooler } from "@hearth-platform/sandbox/operators/pooler";
import { immediateBackup, type ScheduledBackup } from "@hearth-platform/sandbox/operators/scheduled-backup";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { differences } from "../support/object-differences.ts";
import { idOf } from "../support/object-history.ts";
import {
  isDatabase,
  labelsOf,
  OperatedDatabases,
  rendered,
  type Selector,
  selects,
} from "../support/operated-databases.ts";
import {
  listed,
  objectDifferences,
  standInObjects,
  standInStatus,
  statusDifferences,
} from "../support/stand-in-differences.ts";
import { TestCluster } from "../support/test-cluster.ts";

/**
 * CloudNativePG's own controllers, and the operator's part of its Barman plugin, make of our databases what our plans count on: those of
 * stack `prod`, with a standby and poolers. The pods are simulated, and nothing calls them; the Databases are on a real PostgreSQL. The
 * tests are the databases' life, one after the other.
 */

inEmptySandbox("e2e-database-controllers");

let policies: KubernetesObject[] = [];
let databases: OperatedDatabases;
let cluster: TestCluster;

const each = Object.entries({ platform: "forge-db", cloud: "cloudsuite-db" });
const live = (id: string) => databases.live(id);
const ofKind = (kind: string, namespace: string) => databases.ofKind(kind, namespace);
const unready = () => databases.unready();
const namesOf = (objects: readonly KubernetesObject[]) => objects.map(({ metadata }) => metadata.name).sort();
/** Those that are gone, too. */
const podsSeen = (namespace: string) =>
  [...databases.history.seen.values()].filter(
    ({ kind, metadata }) => kind === "Pod" && metadata.namespace === namespace,
  );

beforeAll(async () => {
  const objects = rendered({ "forge.networkPolicies": true });
  policies = objects.filter(({ kind }) => kind === "NetworkPolicy");
  const sandbox = await openSandbox();
  cluster = new TestCluster(sandbox.paths.kubeconfig);
  databases = await OperatedDatabases.start(sandbox, objects);
}, 1_800_000);

afterAll(async () => {
  await databases?.[Symbol.asyncDispose]();
  await cluster?.close();
});

it("come to what our manifests wait for", async () => {
  expect(
    databases.ours.filter(({ metadata }) => metadata.annotations?.["pulumi.com/waitFor"]).map(({ kind }) => kind),
  ).toEqual(expect.arrayContaining(["Cluster", "Database", "Pooler", "PodDisruptionBudget"]));
  await expect.poll(unready, { timeout: 180_000, interval: 1_000 }).toEqual([]);
  for (const [namespace, name] of each)
    expect(live(`Cluster ${namespace}/${name}`).status).toMatchObject({
      phase: "Cluster in healthy state",
      instances: 2,
      readyInstances: 2,
      currentPrimary: `${name}-1`,
      image: expect.stringContaining(name === "forge-db" ? "postgresql:17" : "postgresql:16"),
    });
}, 200_000);

describe.each(each)("in namespace %s", (namespace, name) => {
  const owned = (kind: string) =>
    namesOf(
      ofKind(kind, namespace).filter(({ metadata }) => metadata.ownerReferences?.some(({ controller }) => controller)),
    );

  it("are the Services, Secrets, claims and the rest under the names that the docs and plans have", () => {
    expect(owned("Service")).toEqual([`${name}-pooler`, `${name}-r`, `${name}-ro`, `${name}-rw`]);
    expect(owned("Secret")).toEqual([`${name}-ca`, `${name}-pooler`, `${name}-replication`, `${name}-server`]);
    expect(owned("PersistentVolumeClaim")).toEqual([`${name}-1`, `${name}-2`]);
    expect(owned("Deployment")).toEqual([`${name}-pooler`]);
    expect(owned("PodDisruptionBudget")).toEqual([`${name}-primary`]);
    expect(owned("Lease")).toEqual([name]);
    expect(owned("Pod").filter((pod) => !pod.startsWith(`${name}-pooler-`))).toEqual([`${name}-1`, `${name}-2`]);
  });

  it("Services lead to the primary, the standby and the poolers", () => {
    const selected = (service: string) => {
      const { selector } = live(`Service ${namespace}/${service}`).spec as { selector: Record<string, string> };
      return namesOf(ofKind("Pod", namespace).filter((pod) => selects({ matchLabels: selector }, pod)));
    };
    expect(selected(`${name}-rw`)).toEqual([`${name}-1`]);
    expect(selected(`${name}-ro`)).toEqual([`${name}-2`]);
    expect(selected(`${name}-r`)).toEqual([`${name}-1`, `${name}-2`]);
    expect(selected(`${name}-pooler`)).toEqual([expect.stringMatching(/-pooler-/), expect.stringMatching(/-pooler-/)]);
  });

  it("monitors find every pod and its port", () => {
    const monitors = ofKind("PodMonitor", namespace);
    const found = ofKind("Pod", namespace).filter((pod) =>
      monitors.some(({ spec }) => {
        const { selector, podMetricsEndpoints } = spec as MonitorSpec;
        const ports = (pod.spec as PodSpec).containers.flatMap((container) => container.ports ?? []);
        return selects(selector, pod) && podMetricsEndpoints.every(({ port }) => ports.some((p) => p.name === port));
      }),
    );
    expect(namesOf(found)).toEqual(namesOf(ofKind("Pod", namespace)));
    expect(found).toHaveLength(4);
  });

  it("the Barman plugin adds its sidecar with our resources, and may read our credentials", () => {
    const store = live(`ObjectStore ${namespace}/${name}-backup`);
    const { instanceSidecarConfiguration, configuration } = store.spec as StoreSpec;
    for (const pod of [`${name}-1`, `${name}-2`]) {
      const { initContainers = [] } = live(`Pod ${namespace}/${pod}`).spec as PodSpec;
      expect(initContainers.find((container) => container.name === "plugin-barman-cloud")).toMatchObject({
        restartPolicy: "Always",
        resources: instanceSidecarConfiguration.resources,
        env: expect.arrayContaining(instanceSidecarConfiguration.env),
      });
    }
    const rules = ofKind("Role", namespace).flatMap((role) => role.rules as { resourceNames?: string[] }[]);
    const named = rules.flatMap(({ resourceNames = [] }) => resourceNames);
    expect(named).toContain(configuration.s3Credentials.accessKeyId.name);
    expect(named).toContain(store.metadata.name);
  });

  it("the scheduled backup has made its first, and knows the next", () => {
    const [backup, ...others] = ofKind("Backup", namespace);
    expect(others).toEqual([]);
    expect(backup?.spec).toMatchObject({ cluster: { name }, method: "plugin" });
    const { lastScheduleTime, nextScheduleTime } = live(`ScheduledBackup ${namespace}/${name}`).status as Times;
    expect(lastScheduleTime).toBeDefined();
    expect(nextScheduleTime).toMatch(/T03:00:00Z$/);
  });
});

it("every container of every pod has requests and limits, Jobs' too", () => {
  const lacking = [...podsSeen("platform"), ...podsSeen("cloud")].flatMap(({ metadata, spec }) => {
    const { initContainers = [], containers } = spec as PodSpec;
    const without = [...initContainers, ...containers].filter(
      ({ resources = {} }) => !(resources.requests?.memory && resources.limits?.memory),
    );
    return without.map(({ name }) => `${metadata.name}: ${name}`);
  });
  expect(lacking).toEqual([]);
});

it("every pod of the forge's database is under the policy that is meant for it, Jobs' too", () => {
  const policyOf = (pod: KubernetesObject) =>
    policies
      .filter(({ metadata }) => metadata.namespace === "platform")
      // Those of drills let in what a drill asks, and are judged with the drill.
      .filter(({ metadata: { name } }) => /(database-instances|pooler)$/.test(name) && !name.includes("-drill-"))
      .filter((policy) => selects((policy.spec as { podSelector: Selector }).podSelector, pod))
      .map(({ metadata }) => metadata.name);
  const found = podsSeen("platform").map((pod) => [
    pod.metadata.name.replace(/(-pooler|-initdb|-join)-.*/, "$1"),
    policyOf(pod),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    "forge-db-1": ["allow-database-instances"],
    "forge-db-1-initdb": ["allow-database-instances"],
    "forge-db-2": ["allow-database-instances"],
    "forge-db-2-join": ["allow-database-instances"],
    "forge-db-pooler": ["allow-forge-db-pooler", "allow-hub-pooler"],
  });
});

it("Databases are there with their owner and extensions, on a real PostgreSQL", async () => {
  const owners = await databases.server.ask(
    "SELECT datname || ' ' || datdba::regrole FROM pg_database WHERE datname IN ('forge', 'hub') ORDER BY 1",
  );
  expect(owners.split("\n")).toEqual(["forge app", "hub app"]);
  const extensions = await databases.server.ask("SELECT extname FROM pg_extension ORDER BY 1", "forge");
  expect(extensions.split("\n")).toEqual(expect.arrayContaining(["amcheck", "btree_gist", "pg_trgm"]));
});

describe("the sandbox's stand-in", () => {
  const database = () => live("Cluster platform/forge-db") as StandInCluster;
  const pooler = () => live("Pooler platform/forge-db-pooler") as StandInPooler;

  it("makes the same, but for what is listed with a reason", async () => {
    const namespace = "of-the-stand-in";
    await databases.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    for (const name of ["forge-db", "forge-db-pooler"])
      await databases.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } });
    const found = new Set<string>();
    for (const standIn of standInObjects(database(), pooler())) {
      // With the API server's defaults.
      const { stored, refusal } = await cluster.apply({ ...standIn, metadata: { ...standIn.metadata, namespace } });
      if (!stored) throw new Error(refusal);
      for (const place of differences(stored as KubernetesObject, live(idOf(standIn))))
        found.add(`${standIn.kind} ${place}`.replace(/kube-api-access-\w+/, "kube-api-access"));
    }
    expect([...found].sort()).toEqual(listed(objectDifferences));
  });

  it("says the same of them, but for what is listed with a reason", () => {
    const pods = ["forge-db-1", "forge-db-2"].map((name) => live(`Pod platform/${name}`));
    const said = (status: object | undefined) => ({ ...database(), status: undefined, said: status });
    const found = differences(said(standInStatus(database(), pods)), said(database().status));
    expect(found.map((place) => place.replace(/^said\./, ""))).toEqual(listed(statusDifferences));
    expect(pooler().status).toMatchObject({ phase: "active", instances: 2, image: poolerImage(pooler()) });
  });

  it("makes the same first backup", () => {
    const scheduled = live("ScheduledBackup platform/forge-db") as ScheduledBackup;
    const standIn = immediateBackup({ ...scheduled, status: undefined }, database());
    const [real] = ofKind("Backup", "platform");
    expect(labelsOf(standIn as KubernetesObject)).toEqual(labelsOf(real as KubernetesObject));
    expect(real?.spec).toEqual(JSON.parse(JSON.stringify(standIn?.spec)));
  });
});

const podOf = (name: string) => databases.history.live.get(`Pod platform/${name}`);
const memoryOf = (name: string) => (podOf(name)?.spec as PodSpec | undefined)?.containers[0]?.resources?.limits?.memory;
const primary = () => (live("Cluster platform/forge-db").status as { currentPrimary: string }).currentPrimary;
const namesOfContainers = ({ spec }: KubernetesObject) => (spec as PodSpec).initContainers?.map(({ name }) => name);

it("other resources come to the standby first; it takes over, and the former primary follows", async () => {
  const before = databases.ours.find((object) => idOf(object) === "Cluster platform/forge-db") as KubernetesObject;
  const resources = { requests: { cpu: "500m", memory: "2Gi" }, limits: { cpu: "2", memory: "8Gi" } };
  await databases.apply({ ...before, spec: { ...(before.spec as object), resources } });
  await expect.poll(primary, { timeout: 90_000, interval: 200 }).toBe("forge-db-2");
  expect(memoryOf("forge-db-2")).toBe("8Gi");
  await expect.poll(() => memoryOf("forge-db-1"), { timeout: 60_000 }).toBe("8Gi");
  await expect.poll(unready, { timeout: 60_000, interval: 500 }).toEqual([]);
  expect(primary()).toBe("forge-db-2");
}, 230_000);

it("when the primary's pod goes, the standby is promoted, the Services follow, and the pod comes back as standby", async () => {
  const before = live("Pod platform/forge-db-2");
  await databases.client.delete(before);
  const roles = () =>
    ["forge-db-1", "forge-db-2"].map((name) => {
      const pod = podOf(name);
      return pod?.metadata.uid !== before.metadata.uid && pod && labelsOf(pod)["cnpg.io/instanceRole"];
    });
  await expect.poll(roles, { timeout: 90_000, interval: 500 }).toEqual(["primary", "replica"]);
  await expect.poll(unready, { timeout: 60_000, interval: 500 }).toEqual([]);
  expect(primary()).toBe("forge-db-1");
}, 160_000);

it("a recovery makes a cluster from the archive, and the pooler that is made anew leads to it", async () => {
  const recovered = rendered({ "cloudsuites[0].recover": { suffix: "r1" } }).filter(
    (object) => isDatabase(object) && object.metadata.namespace === "cloud",
  );
  // A Pooler of another cluster is replaced.
  await databases.client.delete(live("Pooler cloud/cloudsuite-db-pooler"));
  for (const object of recovered) await databases.apply(object);
  await expect.poll(() => databases.unready(recovered), { timeout: 120_000, interval: 500 }).toEqual([]);
  const deployment = "Deployment cloud/cloudsuite-db-pooler";
  const clusterOf = () => {
    const found = databases.history.live.get(deployment);
    return found && labelsOf(found)["cnpg.io/cluster"];
  };
  await expect.poll(clusterOf, { timeout: 60_000, interval: 500 }).toBe("cloudsuite-db-r1");
  const jobs = podsSeen("cloud").filter(({ metadata }) => /^cloudsuite-db-r1-1-full-recovery-/.test(metadata.name));
  expect(jobs.map((pod) => namesOfContainers(pod))).toEqual([expect.arrayContaining(["plugin-barman-cloud"])]);
}, 200_000);

interface MonitorSpec {
  readonly selector: Selector;
  readonly podMetricsEndpoints: readonly { readonly port: string }[];
}

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly name?: string }[];
  readonly resources?: Partial<Record<"requests" | "limits", { readonly memory?: string }>>;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
}

interface StoreSpec {
  readonly instanceSidecarConfiguration: { readonly resources: object; readonly env: object[] };
  readonly configuration: { readonly s3Credentials: { readonly accessKeyId: { readonly name: string } } };
}

interface Times {
  readonly lastScheduleTime?: string;
  readonly nextScheduleTime?: string;
}
