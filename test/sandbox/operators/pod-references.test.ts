import { type Pod, problem, waitingStatus, warning } from "@hearth-platform/sandbox/operators/pod-references";
import { type PodReference, referencesOf } from "@hearth-platform/stack/live/preflight/references";
import { describe, expect, it } from "vitest";

const pod = (spec: Partial<Pod["spec"]>): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "team" },
  spec: { containers: [], ...spec },
});

describe("what a pod can't start without", () => {
  it("is in the environment of all its containers", () => {
    const env = [
      { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "database", key: "password" } } },
      { name: "LEVEL", valueFrom: { configMapKeyRef: { name: "settings", key: "level" } } },
      { name: "PLAIN", value: "x" },
    ];
    const envFrom = [{ secretRef: { name: "all" } }, { configMapRef: { name: "more" } }];
    expect(
      referencesOf(pod({ initContainers: [{ name: "first", env }], containers: [{ name: "main", envFrom }] }).spec),
    ).toEqual([
      { kind: "Secret", name: "database", keys: ["password"], container: "first" },
      { kind: "ConfigMap", name: "settings", keys: ["level"], container: "first" },
      { kind: "Secret", name: "all", keys: [], container: "main" },
      { kind: "ConfigMap", name: "more", keys: [], container: "main" },
    ]);
  });

  it("is in its volumes, projected ones too", () => {
    const volumes = [
      { name: "tls", secret: { secretName: "web-tls", items: [{ key: "tls.crt", path: "crt" }] } },
      { name: "config", configMap: { name: "settings" } },
      { name: "both", projected: { sources: [{ secret: { name: "token" } }, { configMap: { name: "ca" } }, {}] } },
      { name: "scratch", emptyDir: {} },
    ];
    expect(referencesOf(pod({ volumes }).spec)).toEqual([
      { kind: "Secret", name: "web-tls", keys: ["tls.crt"], volume: "tls" },
      { kind: "ConfigMap", name: "settings", keys: [], volume: "config" },
      { kind: "Secret", name: "token", keys: [], volume: "both" },
      { kind: "ConfigMap", name: "ca", keys: [], volume: "both" },
    ]);
  });

  it("is not what it calls optional", () => {
    const envFrom = [{ secretRef: { name: "maybe", optional: true } }];
    expect(referencesOf(pod({ containers: [{ name: "main", envFrom }] }).spec)).toEqual([]);
  });
});

describe("a reference", () => {
  const reference = { kind: "Secret", name: "database", keys: ["password"] } as const;
  const held = (data: Record<string, string>) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "database" },
    data,
  });

  it("is wrong without its object, or without its key", () => {
    expect(problem(reference, "team", undefined)).toBe('secret "database" not found');
    expect(problem(reference, "team", held({ user: "" }))).toBe("couldn't find key password in Secret team/database");
  });

  it("is fine with an empty value", () => {
    expect(problem(reference, "team", held({ password: "" }))).toBeUndefined();
  });
});

describe("a pod that lacks something", () => {
  const container = (name: string) => ({ name, image: `${name}:1` });
  const web = pod({ initContainers: [container("first")], containers: [container("main"), container("beside")] });
  const message = 'secret "database" not found';
  const lacks = (place: Pick<PodReference, "container" | "volume">) => ({
    reference: { kind: "Secret", name: "database", keys: [], ...place } as const,
    message,
  });
  const waiting = ({ initContainerStatuses = [], containerStatuses = [] }: NonNullable<Pod["status"]>) =>
    [...initContainerStatuses, ...containerStatuses].map(({ name, state }) => ({ name, ...state?.waiting }));
  const initializing = ["first", "main", "beside"].map((name) => ({ name, reason: "PodInitializing" }));

  it("in an environment shows it in that container's status, as a kubelet does", () => {
    expect(waiting(waitingStatus(web, [lacks({ container: "main" })]))).toEqual([
      { name: "first", reason: "PodInitializing" },
      { name: "main", reason: "CreateContainerConfigError", message },
      { name: "beside", reason: "PodInitializing" },
    ]);
    expect(warning(web, lacks({ container: "main" }))).toMatchObject({
      reason: "Failed",
      message: `Error: ${message}`,
    });
  });

  it("in a volume makes no container, and says so in an event", () => {
    const { initContainers, ...plain } = web.spec;
    expect(waiting(waitingStatus(pod(plain), [lacks({ volume: "v" }), lacks({ container: "main" })]))).toEqual([
      { name: "main", reason: "ContainerCreating" },
      { name: "beside", reason: "ContainerCreating" },
    ]);
    expect(waiting(waitingStatus(web, [lacks({ volume: "v" })]))).toEqual(initializing);
    expect(warning(web, lacks({ volume: "v" }))).toMatchObject({
      reason: "FailedMount",
      message: `MountVolume.SetUp failed for volume "v" : ${message}`,
    });
  });

  it("starts as soon as that is there; one that lacked nothing is left to itself", () => {
    const stopped = waitingStatus(web, [lacks({ container: "first" })]);
    const status = waitingStatus({ ...web, status: stopped }, []);
    expect(waiting(status)).toEqual(initializing);
    expect(status.conditions).toEqual([expect.objectContaining({ status: "True" })]);
    expect(Object.keys(waitingStatus(web, []))).toEqual(["conditions"]);
  });
});
