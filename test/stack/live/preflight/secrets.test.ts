import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { quickFindings } from "@hearth-platform/stack/live/preflight/checks";
import { type Looked, lookQuickly, placeOf, type QuickFacts } from "@hearth-platform/stack/live/preflight/facts";
import { needsOf } from "@hearth-platform/stack/live/preflight/needs";
import { refusalOf } from "@hearth-platform/stack/live/preflight/preflight";
import { goneSecrets } from "@hearth-platform/stack/live/preflight/secret-checks";
import { type Live, secretsRead } from "@hearth-platform/stack/live/trouble/live";
import { describe, expect, it } from "vitest";

/** Secrets that pods read: those that the settings name, and the stack's own. */

const object = (kind: string, name: string, more: object = {}) =>
  ({ apiVersion: "v1", kind, metadata: { name, namespace: "team" }, ...more }) as KubernetesObject;

const environment = [
  { name: "USER", valueFrom: { secretKeyRef: { name: "admin", key: "username" } } },
  { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "admin", key: "password" } } },
  { name: "OTHER", valueFrom: { secretKeyRef: { name: "others", key: "x" } } },
];
const web = object("Deployment", "web", {
  spec: {
    template: {
      spec: {
        containers: [{ name: "web", env: environment, envFrom: [{ secretRef: { name: "own" } }] }],
        volumes: [{ name: "authority", configMap: { name: "trust" } }],
      },
    },
  },
});
const archive = object("ObjectStore", "backup", {
  spec: {
    configuration: {
      endpointCA: { name: "trust-secret", key: "ca.pem" },
      s3Credentials: { accessKeyId: { name: "s3", key: "ID" }, secretAccessKey: { name: "s3", key: "KEY" } },
    },
  },
});
const needs = needsOf(
  [object("Namespace", "team", { metadata: { name: "team" } }), object("Secret", "own"), web, archive],
  {
    secrets: { existing: { "suite-admin": "admin", "suite-s3": "s3", unused: "nowhere" } },
    privateCa: { configMap: "trust", secret: "trust-secret", key: "ca.pem" },
  } as Parameters<typeof needsOf>[1],
);

const whole: Readonly<Record<string, Looked>> = {
  "Namespace/team": object("Namespace", "team", {
    metadata: { name: "team", labels: { "app.kubernetes.io/managed-by": "hearth" } },
  }),
  "Secret/team/admin": object("Secret", "admin", { data: { username: "", password: "c2VjcmV0" } }),
  "Secret/team/s3": object("Secret", "s3", { data: { ID: "", KEY: "" } }),
  "Secret/team/trust-secret": object("Secret", "trust-secret", { data: { "ca.pem": "" } }),
  "ConfigMap/team/trust": object("ConfigMap", "trust", { data: { "ca.pem": "" } }),
};

const facts = (
  more: Readonly<Record<string, Looked>> = {},
  secrets: readonly string[] | "unseen" = ["own"],
): QuickFacts => ({
  identity: undefined,
  served: new Set(needs.kinds.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`)),
  classes: [],
  objects: new Map(Object.entries({ ...whole, ...more })),
  secrets: new Map([["team", typeof secrets === "string" ? secrets : new Set(secrets)]]),
});

const found = (more?: Readonly<Record<string, Looked>>) => quickFindings(needs, facts(more));
const wrong = (more?: Readonly<Record<string, Looked>>) =>
  found(more)
    .filter(({ status }) => status !== "ok")
    .map(({ status, subject, message, remedy }) => `${status} ${subject}: ${message} ${remedy}`.trim());

describe("a Secret that the settings name", () => {
  it("is looked for where pods, databases and archives read it, with the keys that they read", () => {
    expect(needs.awaited.map((need) => `${placeOf(need)}: ${need.keys.join(", ")}`)).toEqual([
      "ConfigMap/team/trust: ca.pem",
      "Secret/team/admin: username, password",
      "Secret/team/trust-secret: ca.pem",
      "Secret/team/s3: ID, KEY",
    ]);
  });

  it("and that the stack makes itself under that name is not waited for", () => {
    const settings = { secrets: { existing: { "suite-admin": "admin" } } } as Parameters<typeof needsOf>[1];
    const certificate = object("Certificate", "tls", { spec: { secretName: "admin", issuerRef: { name: "x" } } });
    for (const maker of [object("Secret", "admin"), object("ExternalSecret", "admin", { spec: {} }), certificate])
      expect(needsOf([web, maker], settings).awaited).toEqual([]);
  });

  it("is fine if it is there; one that may not be read is no fault", () => {
    expect(wrong()).toEqual([]);
    expect(wrong({ "Secret/team/admin": "unseen" })).toEqual(["unknown Secret team/admin: You may not read it."]);
  });

  it("that is missing refuses the update, with the command that makes it", () => {
    expect(wrong({ "Secret/team/admin": "absent" })).toEqual([
      "missing Secret team/admin: It does not exist, and the stack does not create it. Pods wait for it (keys username, password). Create it: `kubectl -n team create secret generic admin --from-file=username --from-file=password`.",
    ]);
    expect(refusalOf(found({ "ConfigMap/team/trust": "absent" }))).toContain(
      "`kubectl -n team create configmap trust --from-file=ca.pem`",
    );
  });

  it("that lacks a key refuses the update; its values are not shown", () => {
    const partial = object("Secret", "admin", { data: { username: "c2VjcmV0" } });
    expect(wrong({ "Secret/team/admin": partial })).toEqual([
      expect.stringMatching(/^missing Secret team\/admin: It has no key password, so pods can't start\./),
    ]);
    expect(JSON.stringify(found())).not.toContain("c2VjcmV0");
  });

  it("of a namespace that the update makes is made after it: a warning says how", () => {
    const gone = Object.fromEntries(Object.keys(whole).map((place) => [place, "absent" as const]));
    expect(wrong(gone)).toHaveLength(needs.awaited.length);
    expect(wrong(gone)).toContainEqual(
      expect.stringMatching(/^warning Secret team\/s3: .*Create it as soon as the namespace exists: `kubectl -n team /),
    );
    expect(refusalOf(found(gone))).toBeUndefined();
  });
});

describe("a look at the cluster", () => {
  it("takes one request for each Secret of others, and one for the names of all in a namespace, also in one without any", async () => {
    const asked: string[] = [];
    const read = async (path: string, accept = "") => {
      asked.push(path);
      // As an API server writes an empty list of metadata.
      return accept.includes("PartialObjectMetadataList") ? { items: null } : { items: [] };
    };
    const cluster = { read, kind: async () => undefined } as unknown as LiveCluster;
    const { secrets } = await lookQuickly(cluster, needs, []);
    expect([...(secrets ?? [])]).toEqual([["team", new Set()]]);
    expect(asked.filter((path) => path.includes("/namespaces/team/")).sort()).toEqual([
      "/api/v1/namespaces/team/configmaps/trust",
      "/api/v1/namespaces/team/secrets",
      "/api/v1/namespaces/team/secrets/admin",
      "/api/v1/namespaces/team/secrets/s3",
      "/api/v1/namespaces/team/secrets/trust-secret",
    ]);
  });
});

describe("a Secret of the stack", () => {
  const made = new Set(["team/own", "Secret team/own"]);
  const gone = (seen: QuickFacts, known?: ReadonlySet<string>) =>
    goneSecrets(needs.secrets, seen, known).map(
      ({ status, subject, message, remedy }) => `${status} ${subject}: ${message} ${remedy}`,
    );
  const warning =
    "warning Secret team/own: It is gone from the cluster, and the stack made it. `pulumi up --refresh` makes it again, with the same value.";

  it("that somebody deleted is named, with what makes it again", () => {
    expect(gone(facts({}, []), made)).toEqual([warning]);
    expect(gone(facts({}, ["own"]), made)).toEqual([]);
  });

  it("that was never made, may not be seen, or went with its namespace is passed over", () => {
    expect(gone(facts({}, []), new Set(["Secret team/other"]))).toEqual([]);
    expect(gone(facts({}, []))).toEqual([]);
    expect(gone(facts({}, "unseen"), made)).toEqual([]);
    expect(gone(facts({ "Namespace/team": "absent" }, []), made)).toEqual([]);
  });

  it("was made if what runs reads it, where no state is at hand", () => {
    const none = { pods: [], statefulSets: [], deployments: [] };
    expect(gone(facts({}, []), secretsRead({ ...none, deployments: [web] } as unknown as Live))).toEqual([warning]);
    expect(gone(facts({}, []), secretsRead(none as unknown as Live))).toEqual([]);
  });
});
