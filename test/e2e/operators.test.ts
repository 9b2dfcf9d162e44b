import { X509Certificate } from "node:crypto";
import { HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { setUpCluster } from "@hearth-platform/sandbox/cluster-setup";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import type { Kind, KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandbox } from "../support/stack.ts";

const namespace = "operators-test";
const manager = "operators-test";
const deadline = { timeout: 30_000, interval: 100 };

const kinds = {
  certificate: { apiVersion: "cert-manager.io/v1", kind: "Certificate" },
  externalSecret: { apiVersion: "external-secrets.io/v1", kind: "ExternalSecret" },
  cluster: { apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster" },
  pooler: { apiVersion: "postgresql.cnpg.io/v1", kind: "Pooler" },
  database: { apiVersion: "postgresql.cnpg.io/v1", kind: "Database" },
  backup: { apiVersion: "postgresql.cnpg.io/v1", kind: "Backup" },
  scheduledBackup: { apiVersion: "postgresql.cnpg.io/v1", kind: "ScheduledBackup" },
  bucket: { apiVersion: "s3.aws.upbound.io/v1beta2", kind: "Bucket" },
  secret: { apiVersion: "v1", kind: "Secret" },
  service: { apiVersion: "v1", kind: "Service" },
  pod: { apiVersion: "v1", kind: "Pod" },
  claim: { apiVersion: "v1", kind: "PersistentVolumeClaim" },
  volume: { apiVersion: "v1", kind: "PersistentVolume" },
  namespace: { apiVersion: "v1", kind: "Namespace" },
  job: { apiVersion: "batch/v1", kind: "Job" },
  deployment: { apiVersion: "apps/v1", kind: "Deployment" },
  endpointSlice: { apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice" },
  event: { apiVersion: "v1", kind: "Event" },
} satisfies Record<string, Kind>;

interface WithStatus extends KubernetesObject {
  status?: {
    conditions?: { type: string; status: string; reason?: string; message?: string }[];
    [field: string]: unknown;
  };
}

interface Secret extends KubernetesObject {
  data: Record<string, string>;
}

describe("the stand-ins for the operators", () => {
  let client: KubeClient;

  const apply = (kind: Kind, name: string, spec: object, more: object = {}) =>
    client.apply({ ...kind, metadata: { name, namespace }, spec, ...more } as KubernetesObject, manager);
  const get = (kind: Kind, name: string) => client.get<WithStatus>(kind, name, namespace);
  const condition = async (kind: Kind, name: string, type: string) =>
    (await get(kind, name))?.status?.conditions?.find((each) => each.type === type);
  const status = async (kind: Kind, name: string) => (await get(kind, name))?.status;
  const text = async (secret: string, key: string) => {
    const encoded = (await client.get<Secret>(kinds.secret, secret, namespace))?.data[key];
    return encoded && Buffer.from(encoded, "base64").toString();
  };
  const owned = async (kind: Kind, label: string) => {
    const [key = "", value] = label.split("=");
    const { items } = await client.list<WithStatus>(kind, namespace);
    return items.filter(({ metadata }) => metadata.labels?.[key] === value).sort(byName);
  };

  beforeAll(async () => {
    client = KubeClient.fromKubeconfig(process.env.HEARTH_E2E_KUBECONFIG ?? "");
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await client.apply({ ...kinds.namespace, metadata: { name: namespace, labels } }, manager);
  });
  afterAll(() => client.delete({ ...kinds.namespace, metadata: { name: namespace } }));

  it("find a cluster that is set up, and setting it up again does nothing", async () => {
    expect(await setUpCluster(await openSandbox())).toBe(false);
  });

  describe("a Certificate", () => {
    const issuerRef = (name: string) => ({ issuerRef: { name, kind: "ClusterIssuer" } });

    it("gets a really signed TLS Secret, and another one for other names", async () => {
      await apply(kinds.certificate, "web", {
        secretName: "web-tls",
        dnsNames: ["a.example.org"],
        ...issuerRef("letsencrypt-prod"),
      });
      await expect.poll(() => condition(kinds.certificate, "web", "Ready"), deadline).toMatchObject({ status: "True" });
      const first = new X509Certificate((await text("web-tls", "tls.crt")) ?? "");
      const authority = new X509Certificate((await text("web-tls", "ca.crt")) ?? "");
      expect(first.verify(authority.publicKey)).toBe(true);
      expect(first.checkHost("a.example.org")).toBeDefined();

      await apply(kinds.certificate, "web", {
        secretName: "web-tls",
        dnsNames: ["b.example.org"],
        ...issuerRef("letsencrypt-prod"),
      });
      const host = async () => new X509Certificate((await text("web-tls", "tls.crt")) ?? "").checkHost("b.example.org");
      await expect.poll(host, deadline).toBe("b.example.org");
    });

    it("with a wildcard needs an issuer that solves by DNS", async () => {
      for (const issuer of ["letsencrypt-prod", "letsencrypt-dns"])
        await apply(kinds.certificate, issuer, {
          secretName: `wildcard-${issuer}`,
          dnsNames: ["*.example.org"],
          ...issuerRef(issuer),
        });
      const ready = (name: string) => condition(kinds.certificate, name, "Ready");
      await expect.poll(() => ready("letsencrypt-dns"), deadline).toMatchObject({ status: "True" });
      await expect.poll(() => ready("letsencrypt-prod"), deadline).toMatchObject({ status: "False" });
      expect(await text("wildcard-letsencrypt-prod", "tls.crt")).toBeUndefined();
    });
  });

  describe("an ExternalSecret", () => {
    const data = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].map((secretKey) => ({
      secretKey,
      remoteRef: { key: "s3", property: secretKey },
    }));
    const secretStoreRef = { kind: "ClusterSecretStore", name: "hearth" };

    it("gets its Secret, again after it was deleted, and S3 keys in it open the sandbox's S3 server", async () => {
      await apply(kinds.externalSecret, "s3", { secretStoreRef, data });
      const ready = { status: "True", reason: "SecretSynced" };
      await expect.poll(() => condition(kinds.externalSecret, "s3", "Ready"), deadline).toMatchObject(ready);
      await client.delete({ ...kinds.secret, metadata: { name: "s3", namespace } });
      await expect.poll(() => text("s3", "AWS_ACCESS_KEY_ID"), deadline).toBeTruthy();

      await client.apply(
        { ...kinds.bucket, metadata: { name: "operators-test" }, spec: { forProvider: { region: "fsn1" } } },
        manager,
      );
      const bucketReady = async () => {
        const bucket = await client.get<WithStatus>(kinds.bucket, "operators-test");
        return bucket?.status?.conditions?.find(({ type }) => type === "Ready")?.status;
      };
      await expect.poll(bucketReady, deadline).toBe("True");
      const s3 = new S3Client({
        endpoint: sandboxEnvironment(await openSandbox()).AWS_ENDPOINT_URL_S3,
        region: "fsn1",
        forcePathStyle: true,
        credentials: {
          accessKeyId: (await text("s3", "AWS_ACCESS_KEY_ID")) ?? "",
          secretAccessKey: (await text("s3", "AWS_SECRET_ACCESS_KEY")) ?? "",
        },
      });
      const head = await s3.send(new HeadBucketCommand({ Bucket: "operators-test" }));
      expect(head.$metadata.httpStatusCode).toBe(200);
      await client.delete({ ...kinds.bucket, metadata: { name: "operators-test" } });
    });

    it("is not Ready without its store", async () => {
      await apply(kinds.externalSecret, "lost", { secretStoreRef: { ...secretStoreRef, name: "lost" }, data });
      const failed = { status: "False", reason: "SecretSyncedError" };
      await expect.poll(() => condition(kinds.externalSecret, "lost", "Ready"), deadline).toMatchObject(failed);
    });
  });

  describe("a database Cluster", () => {
    const spec = {
      instances: 2,
      imageName: "postgresql:16.9",
      storage: { size: "1Gi", storageClass: "replicated-block" },
    };
    const healthy = { phase: "Cluster in healthy state" };
    const instances = () => owned(kinds.pod, "cnpg.io/podRole=instance");

    it("comes up with its services leading to its pods, and the application's secret", async () => {
      await apply(kinds.cluster, "db", spec);
      await expect.poll(() => status(kinds.cluster, "db"), deadline).toMatchObject({ ...healthy, readyInstances: 2 });
      expect((await instances()).map(({ metadata }) => metadata.name)).toEqual(["db-1", "db-2"]);
      expect(await text("db-app", "host")).toBe("db-rw");
      const behind = async (service: string) => {
        const slices = await owned(kinds.endpointSlice, `kubernetes.io/service-name=${service}`);
        return slices
          .flatMap((slice) => slice.endpoints as { targetRef: { name: string } }[])
          .map(({ targetRef }) => targetRef.name);
      };
      await expect.poll(() => behind("db-rw"), deadline).toEqual(["db-1"]);
      await expect.poll(() => behind("db-ro"), deadline).toEqual(["db-2"]);
    });

    it("follows a change of image, number and size, and keeps its volumes", async () => {
      const claimed = async () => (await owned(kinds.claim, "cnpg.io/cluster=db")).map(({ metadata }) => metadata.uid);
      const before = await claimed();
      await apply(kinds.cluster, "db", {
        ...spec,
        imageName: "postgresql:16.10",
        instances: 3,
        storage: { ...spec.storage, size: "2Gi" },
      });
      await expect.poll(() => status(kinds.cluster, "db"), deadline).toMatchObject({ ...healthy, readyInstances: 3 });
      const images = (await instances()).map(
        (pod) => (pod.spec as { containers: { image: string }[] }).containers[0]?.image,
      );
      expect(images).toEqual(["postgresql:16.10", "postgresql:16.10", "postgresql:16.10"]);
      const sizes = async () => (await owned(kinds.claim, "cnpg.io/cluster=db")).map((claim) => claim.status?.capacity);
      await expect.poll(sizes, deadline).toEqual([{ storage: "2Gi" }, { storage: "2Gi" }, { storage: "2Gi" }]);
      expect((await claimed()).slice(0, 2)).toEqual(before);
    });

    it("waits for the secret it is told to use", async () => {
      const initdb = { database: "app", owner: "app", secret: { name: "given" } };
      await apply(kinds.cluster, "waiting", { ...spec, instances: 1, bootstrap: { initdb } });
      await expect
        .poll(() => status(kinds.cluster, "waiting"), deadline)
        .toMatchObject({ phase: "Setting up primary" });
      const stringData = { username: "app", password: "secret" };
      const secret = {
        ...kinds.secret,
        metadata: { name: "given", namespace },
        type: "kubernetes.io/basic-auth",
        stringData,
      };
      await client.apply(secret, manager);
      await expect.poll(() => status(kinds.cluster, "waiting"), deadline).toMatchObject(healthy);
      expect(await text("waiting-app", "password")).toBeUndefined();
    });

    it("has databases, a pooler and a first backup", async () => {
      const cluster = { name: "db" };
      await apply(kinds.database, "registry", { cluster, name: "registry", owner: "app" });
      await apply(kinds.pooler, "db-pooler", { cluster, instances: 2, type: "rw", pgbouncer: { poolMode: "session" } });
      await apply(kinds.scheduledBackup, "daily", {
        cluster,
        schedule: "0 0 3 * * *",
        immediate: true,
        method: "plugin",
      });
      await expect.poll(() => status(kinds.database, "registry"), deadline).toMatchObject({ applied: true });
      await expect
        .poll(() => status(kinds.pooler, "db-pooler"), deadline)
        .toMatchObject({ phase: "active", instances: 2 });
      await expect.poll(() => status(kinds.deployment, "db-pooler"), deadline).toMatchObject({ readyReplicas: 2 });
      const backups = async () =>
        (await client.list<WithStatus>(kinds.backup, namespace)).items.map((each) => each.status?.phase);
      await expect.poll(backups, deadline).toEqual(["completed"]);
      const lastBackup = () => condition(kinds.cluster, "db", "LastBackupSucceeded");
      await expect.poll(lastBackup, deadline).toMatchObject({ status: "True" });
    });
  });

  describe("a pod", () => {
    const securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
    const container = (name: string, more: object = {}) => ({ name, image: "none", securityContext, ...more });
    const podSpec = {
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
      terminationGracePeriodSeconds: 600,
      initContainers: [container("first"), container("sidecar", { restartPolicy: "Always" }), container("last")],
      containers: [container("main")],
    };

    it("shows its init containers completed, its sidecar running, and itself ready; it ends when asked to", async () => {
      await apply(kinds.pod, "plain", podSpec);
      await expect.poll(() => condition(kinds.pod, "plain", "Ready"), deadline).toMatchObject({ status: "True" });
      expect(await status(kinds.pod, "plain")).toMatchObject({
        phase: "Running",
        initContainerStatuses: [
          { name: "first", ready: true, state: { terminated: { exitCode: 0 } } },
          { name: "sidecar", ready: true, started: true, state: { running: {} } },
          { name: "last", ready: true, state: { terminated: { exitCode: 0 } } },
        ],
        containerStatuses: [{ name: "main", ready: true, started: true, image: "none", state: { running: {} } }],
      });
      await client.delete({ ...kinds.pod, metadata: { name: "plain", namespace } });
      await expect.poll(() => get(kinds.pod, "plain"), deadline).toBeUndefined();
    });

    it("waits for the Secrets it names, and says which one is missing", async () => {
      const main = container("main", { envFrom: [{ secretRef: { name: "late" } }] });
      await apply(kinds.pod, "waiting", { ...podSpec, containers: [main] });
      const reason = { reason: "CreateContainerConfigError", message: 'secret "late" not found' };
      const [before, after] = [
        { initContainerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }, {}, {}] },
        { initContainerStatuses: [{ state: { terminated: { reason: "Completed" } } }, {}, {}] },
      ];
      await expect
        .poll(() => status(kinds.pod, "waiting"), deadline)
        .toMatchObject({ ...before, containerStatuses: [{ name: "main", state: { waiting: reason } }] });
      await client.apply(
        { ...kinds.secret, metadata: { name: "late", namespace }, stringData: { key: "value" } },
        manager,
      );
      await expect.poll(() => condition(kinds.pod, "waiting", "Ready"), deadline).toMatchObject({ status: "True" });
      expect(await status(kinds.pod, "waiting")).toMatchObject({
        ...after,
        containerStatuses: [{ name: "main", ready: true, state: { running: {} } }],
      });
    });

    it("has one address, also where its start is shown twice", async () => {
      await apply(kinds.pod, "again", podSpec);
      await expect.poll(() => condition(kinds.pod, "again", "Ready"), deadline).toMatchObject({ status: "True" });
      // What a Stage finds that is played for an event from before the pod started.
      const before = { phase: "Pending", startTime: null, podIP: "10.255.0.1", podIPs: [{ ip: "10.255.0.1" }] };
      const patch = JSON.stringify({ status: before });
      const { exitCode, all } = await sandbox(
        ...["kubectl", "patch", "pod", "again", "--namespace", namespace],
        ...["--subresource", "status", "--type", "merge", "--patch", patch],
      );
      expect(exitCode, all).toBe(0);
      await expect.poll(async () => (await status(kinds.pod, "again"))?.startTime, deadline).toBeDefined();
      const { podIP, podIPs } = (await status(kinds.pod, "again")) ?? {};
      expect(podIPs).toEqual([{ ip: podIP }]);
      expect(podIP).not.toBe("10.255.0.1");
    });

    it("of a Job completes", async () => {
      await apply(kinds.job, "migrate", { template: { spec: { ...podSpec, restartPolicy: "Never" } } });
      await expect.poll(() => condition(kinds.job, "migrate", "Complete"), deadline).toMatchObject({ status: "True" });
    });
  });

  describe("a claim", () => {
    const claim = (storage: string, storageClassName: string, mode: string) => ({
      accessModes: [mode],
      storageClassName,
      resources: { requests: { storage } },
    });

    it("is bound, grows, and leaves its volume behind", async () => {
      await apply(kinds.claim, "data", claim("1Gi", "replicated-block", "ReadWriteOnce"));
      await expect.poll(() => status(kinds.claim, "data"), deadline).toMatchObject({ phase: "Bound" });
      const grown = await apply(kinds.claim, "data", claim("3Gi", "replicated-block", "ReadWriteOnce"));
      await expect.poll(() => status(kinds.claim, "data"), deadline).toMatchObject({ capacity: { storage: "3Gi" } });
      await client.delete(grown);
      const left = async () => (await client.get<WithStatus>(kinds.volume, `pvc-${grown.metadata.uid}`))?.status;
      await expect.poll(left, deadline).toMatchObject({ phase: "Released" });
    });

    it("for several writers is bound only of the class that allows it", async () => {
      await apply(kinds.claim, "shared", claim("1Gi", "smb-csi", "ReadWriteMany"));
      await apply(kinds.claim, "refused", claim("1Gi", "replicated-block", "ReadWriteMany"));
      await expect.poll(() => status(kinds.claim, "shared"), deadline).toMatchObject({ phase: "Bound" });
      const reasons = async () => {
        const { items } = await client.list(kinds.event, namespace);
        return items
          .filter((event) => (event.involvedObject as KubernetesObject["metadata"]).name === "refused")
          .map((event) => event.reason);
      };
      await expect.poll(reasons, deadline).toContain("ProvisioningFailed");
      expect(await status(kinds.claim, "refused")).toMatchObject({ phase: "Pending" });
    });
  });

  it("give a Service of type LoadBalancer an address", async () => {
    await apply(kinds.service, "shell", { type: "LoadBalancer", ports: [{ port: 22 }], selector: { app: "shell" } });
    const address = async () => (await status(kinds.service, "shell"))?.loadBalancer;
    await expect.poll(address, deadline).toMatchObject({ ingress: [{ ip: expect.stringMatching(/^192\.0\.2\./) }] });
  });
});

function byName(left: KubernetesObject, right: KubernetesObject): number {
  return left.metadata.name.localeCompare(right.metadata.name);
}
