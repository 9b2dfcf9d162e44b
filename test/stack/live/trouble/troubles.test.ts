import type { Finding } from "@hearth-platform/stack/live/preflight/finding";
import type { Live } from "@hearth-platform/stack/live/trouble/live";
import { lastingTroubles } from "@hearth-platform/stack/live/trouble/name-troubles";
import { liveFindings, troubleFindings } from "@hearth-platform/stack/live/trouble/troubles";
import { describe, expect, it } from "vitest";

const none: Live = {
  ...{ pods: [], claims: [], deployments: [], statefulSets: [], jobs: [] },
  ...{ certificates: [], certificateRequests: [], challenges: [], externalSecrets: [], events: [] },
};

/** Findings if only these objects exist, a line each. */
const shown = (live: Partial<Record<keyof Live, object[]>>) =>
  troubleFindings({ ...none, ...live } as Live).map(
    ({ status, subject, message }) => `${status} ${subject}: ${message}`,
  );

const metadata = (name: string, more: object = {}) => ({ namespace: "team", name, uid: `uid-${name}`, ...more });
const ownedBy = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: "v1", kind, name, uid: `uid-${name}`, controller: true }],
});
const event = (name: string, reason: string, message: string, lastTimestamp = "2026-11-22T12:00:00Z") => ({
  metadata: { namespace: "team", name: `${name}.${reason}` },
  ...{ type: reason.startsWith("Fail") ? "Warning" : "Normal", reason, message, lastTimestamp },
  involvedObject: { uid: `uid-${name}` },
});

/** A pod of a Deployment, as a kubelet shows it that has scheduled it and waits for this. */
const pod = (name: string, waiting: object, more: object = {}) => ({
  metadata: metadata(name, { labels: { "pod-template-hash": "7c9d" }, ...ownedBy("ReplicaSet", "web-7c9d") }),
  spec: { containers: [{ name: "web", image: "nextcloud:99" }] },
  status: {
    phase: "Pending",
    conditions: [
      { type: "PodScheduled", status: "True" },
      {
        type: "Ready",
        status: "False",
        reason: "ContainersNotReady",
        message: "containers with unready status: [web]",
      },
    ],
    containerStatuses: [{ name: "web", image: "nextcloud:99", ready: false, restartCount: 0, state: { waiting } }],
    ...more,
  },
});

describe("a pod", () => {
  it.each([
    [
      "whose image does not exist",
      { reason: "ErrImagePull", message: 'failed to resolve reference "nextcloud:99": not found' },
      'image nextcloud:99 can\'t be pulled: failed to resolve reference "nextcloud:99": not found.',
    ],
    [
      "that waits to pull again",
      { reason: "ImagePullBackOff" },
      "image nextcloud:99 can't be pulled: ImagePullBackOff.",
    ],
    [
      "without its Secret",
      { reason: "CreateContainerConfigError", message: 'secret "admin" not found' },
      'it can\'t be started: secret "admin" not found.',
    ],
  ])("%s is named by its workload", (_, waiting, words) => {
    expect(shown({ pods: [pod("web-7c9d-1", waiting), pod("web-7c9d-2", waiting)] })).toEqual([
      expect.stringMatching(/^problem pods of team\/web: Container web of pod web-7c9d-\d: /),
    ]);
    expect(shown({ pods: [pod("web-7c9d-1", waiting)] })[0]).toContain(words);
  });

  it("that ends again and again is named with its exit code", () => {
    const crashing = pod("web-7c9d-1", { reason: "CrashLoopBackOff", message: "back-off 40s" });
    Object.assign(crashing.status.containerStatuses[0] ?? {}, {
      lastState: { terminated: { exitCode: 1, reason: "Error", message: "no such database\n" } },
    });
    expect(shown({ pods: [crashing] })).toEqual([
      "problem pods of team/web: Container web of pod web-7c9d-1: it ends again and again: exit code 1 (Error), no such database.",
    ]);
  });

  it("whose init container can't start is named too", () => {
    const [status] = pod("x", { reason: "InvalidImageName", message: "invalid reference format" }).status
      .containerStatuses;
    const waiting = pod(
      "web-7c9d-1",
      { reason: "PodInitializing" },
      { initContainerStatuses: [{ ...status, name: "wait" }] },
    );
    expect(shown({ pods: [waiting] })).toEqual([expect.stringContaining("Container wait of pod web-7c9d-1: image")]);
  });

  const unscheduled = (message: string) =>
    pod(
      "web-7c9d-1",
      {},
      { conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }] },
    );
  it("that no node takes is named, but not where its claim is the cause", () => {
    expect(shown({ pods: [unscheduled("0/3 nodes are available: 3 Insufficient memory.")] })).toEqual([
      "problem pods of team/web: No node takes pod web-7c9d-1: 0/3 nodes are available: 3 Insufficient memory.",
    ]);
    expect(
      shown({ pods: [unscheduled("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.")] }),
    ).toEqual([]);
  });

  it("whose volume can't be mounted is named by its newest event", () => {
    const waiting = pod("web-7c9d-1", { reason: "ContainerCreating" });
    const failed = event(
      "web-7c9d-1",
      "FailedMount",
      'MountVolume.SetUp failed for volume "files": secret "files" not found',
    );
    expect(shown({ pods: [waiting], events: [failed] })).toEqual([
      expect.stringContaining('Pod web-7c9d-1 can\'t be prepared: MountVolume.SetUp failed for volume "files"'),
    ]);
    const later = event("web-7c9d-1", "Pulling", "Pulling image", "2026-11-22T12:00:01Z");
    expect(shown({ pods: [waiting], events: [failed, later] })).toEqual([]);
    // A scheduler's time has parts of a second, a kubelet's has none.
    const scheduled = event("web-7c9d-1", "Scheduled", "Assigned", "2026-11-22T12:00:00.4Z");
    expect(shown({ pods: [waiting], events: [scheduled, failed] })).toHaveLength(1);
  });

  it("that starts, is ready, has ended or is being deleted is no trouble", () => {
    const waiting = { reason: "ImagePullBackOff" };
    const deleted = pod("a", waiting);
    Object.assign(deleted.metadata, { deletionTimestamp: "2026-11-22T12:00:00Z" });
    const ready = pod("b", waiting, { conditions: [{ type: "Ready", status: "True" }] });
    const pods = [deleted, ready, pod("c", waiting, { phase: "Succeeded" }), pod("d", { reason: "ContainerCreating" })];
    expect(shown({ pods })).toEqual([]);
  });
});

describe("what is refused before there is a pod", () => {
  const message = 'pods "web-7c9d-1" is forbidden: exceeded quota: team';
  it("is named by a Deployment's condition and by a StatefulSet's event", () => {
    const conditions = [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message }];
    const deployments = [{ metadata: metadata("web"), status: { conditions } }];
    const statefulSets = [{ metadata: metadata("keystore"), spec: { replicas: 1 }, status: {} }];
    const events = [event("keystore", "FailedCreate", message)];
    expect(shown({ deployments, statefulSets, events })).toEqual([
      `problem pods of team/web: They are refused: ${message}.`,
      `problem pods of team/keystore: They are refused: ${message}.`,
    ]);
    const ready = [{ ...statefulSets[0], status: { readyReplicas: 1 } }];
    expect(shown({ statefulSets: ready, events })).toEqual([]);
  });
});

describe("a volume claim", () => {
  const claim = { metadata: metadata("data"), spec: { storageClassName: "smb-csi" }, status: { phase: "Pending" } };
  it.each([
    ["ProvisioningFailed", 'storageclass.storage.k8s.io "smb-csi" not found'],
    [
      "ExternalProvisioning",
      "Waiting for a volume to be created either by the external provisioner 'idle.example.org'",
    ],
  ])("that is pending is named with its class and its event %s", (reason, message) => {
    expect(shown({ claims: [claim], events: [event("data", reason, message)] })).toEqual([
      `problem volume claim team/data: It has no volume of storage class smb-csi: ${message}.`,
    ]);
  });

  it("that waits for its first pod, or is bound, is no trouble", () => {
    expect(shown({ claims: [claim], events: [event("data", "WaitForFirstConsumer", "waiting")] })).toEqual([]);
    expect(shown({ claims: [{ ...claim, status: { phase: "Bound" } }] })).toEqual([]);
  });
});

describe("a certificate", () => {
  const conditions = (...list: [string, string, string, string][]) => ({
    conditions: list.map(([type, status, reason, message]) => ({ type, status, reason, message })),
  });
  const waiting: [string, string, string, string] = [
    "Ready",
    "False",
    "DoesNotExist",
    "Issuing certificate as Secret does not exist",
  ];
  const under = (status: object) => ({ metadata: metadata("tls", {}), status });

  it("that failed is named with cert-manager's reason", () => {
    const failed = conditions(waiting, ["Issuing", "False", "Failed", "The order is invalid: 429 rateLimited"]);
    expect(shown({ certificates: [under(failed)] })).toEqual([
      "problem certificate team/tls: The order is invalid: 429 rateLimited.",
    ]);
  });

  it("whose issuer is not there is named by its request, one that is under way is not", () => {
    const certificates = [under(conditions(waiting, ["Issuing", "True", "DoesNotExist", ""]))];
    const request = (message: string) => ({
      metadata: metadata("tls-1", ownedBy("Certificate", "tls")),
      status: conditions(["Ready", "False", "Pending", message]),
    });
    const missing = 'Referenced "ClusterIssuer" not found: clusterissuer.cert-manager.io "letsencrypt-prod" not found';
    expect(shown({ certificates, certificateRequests: [request(missing)] })).toEqual([
      `problem certificate team/tls: ${missing}.`,
    ]);
    const underWay = request("Waiting on certificate issuance from order team/tls-1-123: pending");
    expect(shown({ certificates, certificateRequests: [underWay] })).toEqual([]);
  });

  it("whose name is not proven is a warning while the server asks, and a problem after", () => {
    const challenge = (state: string) => ({
      metadata: metadata("tls-1"),
      spec: { dnsName: "team.example.org" },
      status: { state, reason: "wrong status code '404', expected '200'" },
    });
    expect(shown({ challenges: [challenge("pending"), challenge("invalid")] })).toEqual([
      "warning certificate of team/team.example.org: The ACME server has not accepted the name: wrong status code '404', expected '200'.",
      "problem certificate of team/team.example.org: The ACME server has not accepted the name: wrong status code '404', expected '200'.",
    ]);
  });
});

describe("Secrets and Jobs", () => {
  it("that failed are named", () => {
    const ready = (message: string) => ({
      conditions: [{ type: "Ready", status: "False", reason: "SecretSyncedError", message }],
    });
    const externalSecrets = [{ metadata: metadata("s3"), status: ready("could not get secret data from provider") }];
    const events = [event("s3", "FailedUpdate", 'error: Secret does not exist, key "s3"')];
    const jobs = [
      {
        metadata: metadata("install"),
        status: {
          conditions: [{ type: "Failed", status: "True", message: "Job has reached the specified backoff limit" }],
        },
      },
    ];
    expect(shown({ externalSecrets, jobs, events })).toEqual([
      "problem Job team/install: It has failed: Job has reached the specified backoff limit.",
      'problem Secret team/s3: The secret store does not provide it: error: Secret does not exist, key "s3".',
    ]);
    expect(shown({ externalSecrets })).toEqual([expect.stringContaining("could not get secret data from provider")]);
  });
});

describe("what runs without a fault", () => {
  it("is counted, and nothing is said before a first update", () => {
    const bound = { metadata: metadata("data"), status: { phase: "Bound" } };
    expect(liveFindings({ ...none, claims: [bound] } as Live)).toMatchObject([{ status: "ok", code: "running" }]);
    expect(liveFindings(none)).toEqual([]);
  });
});

describe("a trouble during an update", () => {
  const finding = (status: Finding["status"], message = "m"): Finding => ({
    status,
    code: "pods",
    subject: "pods of a/b",
    message,
    remedy: "r",
  });

  it("is named once, when it has lasted", () => {
    const lasting = lastingTroubles();
    expect(lasting([finding("problem")], 0)).toEqual([]);
    expect(lasting([finding("problem", "Back-off")], 9_000)).toMatchObject([{ message: "Back-off" }]);
    expect(lasting([finding("problem")], 20_000)).toEqual([]);
  });

  it("that passes is not named, nor one of which that may be hoped soon", () => {
    const lasting = lastingTroubles();
    lasting([finding("problem")], 0);
    lasting([], 5_000);
    expect(lasting([finding("problem")], 9_000)).toEqual([]);
    expect(lasting([finding("warning")], 9_000)).toEqual([]);
    expect(lasting([finding("warning")], 30_000)).toEqual([]);
  });
});
