import { readdirSync } from "node:fs";
import { join } from "node:path";
import { groupOf, prerequisites } from "@hearth-platform/hearth/catalogue/prerequisites";
import { today } from "@hearth-platform/hearth/core/days";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type LiveCluster, Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import {
  classFinding,
  identityFinding,
  kindFindings,
  quickFindings,
} from "@hearth-platform/stack/live/preflight/checks";
import { versionFinding } from "@hearth-platform/stack/live/preflight/cluster-version";
import { type Looked, lookQuickly, placeOf, type QuickFacts } from "@hearth-platform/stack/live/preflight/facts";
import type { Finding } from "@hearth-platform/stack/live/preflight/finding";
import { type Needs, needsOf, objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { refusalOf, unseenRefusal } from "@hearth-platform/stack/live/preflight/preflight";
import { checkLockedStack } from "@hearth-platform/stack/locked-stack";
import { stackPlans } from "@hearth-platform/stack/parts";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import type { StorageClass } from "kubernetes-types/storage/v1.d.ts";
import { describe, expect, it } from "vitest";

const project = join(import.meta.dirname, "../../../..");

/** What a committed stack needs. */
function needsOfStack(name: string): Needs {
  const { source } = sourceFromFile(project, name);
  const { stack } = source ? checkLockedStack(project, source, { today: today() }) : {};
  if (!stack) throw new Error(`Stack ${name} is not valid.`);
  return needsOf(objectsOf(stackPlans(stack)));
}

const needs = needsOfStack("prod");

const storageClass = (name: string, more: Partial<StorageClass> = {}): StorageClass => ({
  metadata: { name },
  provisioner: "csi.example.org",
  reclaimPolicy: "Retain",
  allowVolumeExpansion: true,
  ...more,
});

const ready = { status: { conditions: [{ type: "Ready", status: "True" }] } };

/** A cluster that has all that stack prod needs. */
function facts(more: Readonly<Record<string, Looked>> = {}, served = needs.kinds): QuickFacts {
  const object = (kind: string, spec: object = {}) =>
    ({ apiVersion: "v1", kind, metadata: { name: "x" }, spec, ...ready }) as KubernetesObject;
  const dns = { acme: { solvers: [{ dns01: {} }] } };
  return {
    identity: "8c6b2c1e-0000-4000-8000-000000000000",
    served: new Set(served.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`)),
    classes: [storageClass("replicated-block"), storageClass("smb-csi")],
    objects: new Map<string, Looked>([
      ...needs.issuers.map((need) => [placeOf(need), object(need.kind, dns)] as const),
      ...needs.stores.map((need) => [placeOf(need), object(need.kind)] as const),
      ...needs.made.map(({ name }) => [`Namespace/${name}`, "absent"] as const),
      ...Object.entries(more),
    ]),
  };
}

/** What is not as it should be, a line each. */
const wrong = (found: readonly Finding[]) =>
  found
    .filter(({ status }) => status !== "ok")
    .map(({ status, subject, message }) => `${status} ${subject}: ${message}`);

describe("what a stack needs", () => {
  it("is read from its objects: classes, issuers, stores and namespaces", () => {
    expect(needs.classes).toEqual([
      { name: "replicated-block", shared: false },
      { name: "smb-csi", shared: true },
    ]);
    expect(needs.issuers).toContainEqual({
      kind: "ClusterIssuer",
      name: "letsencrypt-dns",
      namespace: undefined,
      wildcard: "*.pages.example.org",
    });
    expect(needs.stores).toEqual([expect.objectContaining({ kind: "ClusterSecretStore", name: "hearth" })]);
    expect(needs.stores[0]?.keys).toContain("prod/platform/forge-s3-credentials AWS_ACCESS_KEY_ID");
    expect(needs.made).toContainEqual({ name: "pages", sites: true });
    expect(needs.made).toContainEqual({ name: "platform", sites: false });
    expect(needs.used).toEqual([]);
  });

  it("has an operator for each kind that Kubernetes does not bring", () => {
    const types = readdirSync(join(project, "components/kubernetes/custom-resources"));
    expect(types.length).toBeGreaterThan(10);
    const groups = needs.kinds.map(({ apiVersion }) => groupOf(apiVersion)).filter((group) => group.includes("."));
    const own = groups.filter((group) => !group.endsWith(".k8s.io"));
    expect(own.filter((group) => !prerequisites.some((each) => each.group === group))).toEqual([]);
  });
});

describe("a cluster that can't be seen", () => {
  const stack = { urn: "urn:pulumi:it::hearth::pulumi:pulumi:Stack::hearth-it", type: "pulumi:pulumi:Stack" };
  const object = { urn: "urn:pulumi:it::hearth::kubernetes:core/v1:Service::it", type: "kubernetes:core/v1:Service" };

  it("refuses a stack that was up before, with the cause and the way round", () => {
    const refusal = unseenRefusal("Unauthorized", [stack, object], {});
    expect(refusal).toMatch(/could not be checked: Unauthorized\n[\s\S]*HEARTH_OFFLINE=1/);
  });

  it.each([
    ["before the first update", [stack], {}],
    ["where the state can't be read", undefined, {}],
    ["where the caller asks for it", [stack, object], { HEARTH_OFFLINE: "1" }],
  ])("is passed over %s", (_, recorded, environment) => {
    expect(unseenRefusal("Unauthorized", recorded, environment)).toBeUndefined();
  });
});

describe("a cluster", () => {
  it("with all of it is fine", () => {
    const found = quickFindings(needs, facts());
    expect(wrong(found)).toEqual([]);
    expect(refusalOf(found)).toBeUndefined();
  });

  it.each(prerequisites.filter(({ group }) => needs.kinds.some(({ apiVersion }) => group === groupOf(apiVersion))))(
    "without the kinds of $name is refused, and told who brings them",
    ({ name, group, remedy }) => {
      const served = needs.kinds.filter(({ apiVersion }) => group !== groupOf(apiVersion));
      const found = quickFindings(needs, facts({}, served));
      expect(wrong(found)).toEqual([
        expect.stringMatching(new RegExp(`^missing kinds of ${name}: The cluster does not serve .* of ${group}/v`)),
      ]);
      expect(refusalOf(found)).toContain(`kinds of ${name}`);
      expect(refusalOf(found)).toContain(remedy);
    },
  );

  it("that serves TCPRoute in the older version alone is told of the setting", () => {
    const kind = { apiVersion: "gateway.networking.k8s.io/v1", kind: "TCPRoute" };
    const [found] = kindFindings([kind], new Set(["gateway.networking.k8s.io/v1alpha2/TCPRoute"]));
    expect(found).toMatchObject({
      status: "missing",
      message: expect.stringContaining("It serves gateway.networking.k8s.io/v1alpha2/TCPRoute."),
      remedy: expect.stringContaining("hearth:ingress.gateway.tcpRouteVersion: v1alpha2"),
    });
  });

  it("that serves a kind in another version is told which", () => {
    const kind = { apiVersion: "external-secrets.io/v1", kind: "ExternalSecret" };
    const [found] = kindFindings([kind], new Set(["external-secrets.io/v1beta1/ExternalSecret"]));
    expect(found?.message).toBe(
      "The cluster does not serve ExternalSecret of external-secrets.io/v1. It serves external-secrets.io/v1beta1/ExternalSecret.",
    );
  });

  it("without a kind of Kubernetes' own, or of an operator that only the settings know, says so", () => {
    const found = kindFindings(
      [
        { apiVersion: "apps/v1", kind: "Deployment" },
        { apiVersion: "networking.k8s.io/v1", kind: "Ingress" },
        { apiVersion: "sites.example.org/v1", kind: "Site" },
      ],
      new Set(),
    );
    expect(found.map(({ subject, remedy }) => `${subject}: ${remedy}`)).toEqual([
      "kinds of Kubernetes: Upgrade the cluster to Kubernetes 1.30 or newer.",
      expect.stringContaining("kinds of sites.example.org: Install the operator"),
    ]);
  });
});

describe("the API server", () => {
  const day = "2026-11-20";

  it.each([
    ["v1.30.0", "warning"],
    ["1.36.1", "ok"],
    ["v1.29.9", "missing"],
    ["none", "unknown"],
  ])("of version %s is: %s", (version, status) => {
    expect(versionFinding("https://api.example.org", version, day)).toMatchObject({ status });
  });

  it("is the one that the settings name, or any where they name none", () => {
    expect(identityFinding("one", "one").status).toBe("ok");
    expect(identityFinding("one", undefined).status).toBe("ok");
    expect(identityFinding("one", "other").status).toBe("unsafe");
    expect(identityFinding(undefined, "one").status).toBe("unknown");
  });
});

describe("the look at a cluster", () => {
  const looked = (fault: Error) =>
    lookQuickly({ read: () => Promise.reject(fault) } as unknown as LiveCluster, { ...needs, secrets: [] }, []);

  it("fails where the API server does not answer: what could not be asked is not 'may not be read'", async () => {
    await expect(looked(new Error("connect ECONNREFUSED"))).rejects.toThrow("connect ECONNREFUSED");
  });

  it("passes over what the API server refuses to show", async () => {
    const cluster = {
      read: async (path: string) => {
        if (path !== "/apis") throw new Refusal(403, { message: "forbidden" });
        return { kind: "APIGroupDiscoveryList", items: [] };
      },
    } as unknown as LiveCluster;
    const { identity, classes, objects } = await lookQuickly(cluster, needs, []);
    expect([identity, classes]).toEqual([undefined, "unseen"]);
    expect(new Set(objects.values())).toEqual(new Set(["unseen"]));
  });
});

describe("a storage class", () => {
  const shared = { name: "smb-csi", shared: true };
  it.each<[string, StorageClass[], string]>([
    ["that is not there stops the update", [storageClass("other")], "missing storage class smb-csi: It does not exist"],
    ["whose volumes can't grow is told", [storageClass("smb-csi", { allowVolumeExpansion: false })], "warning"],
    ["whose volumes go with their claims is told", [storageClass("smb-csi", { reclaimPolicy: "Delete" })], "warning"],
    [
      "of a driver for one writer is a problem for several",
      [storageClass("smb-csi", { provisioner: "csi.hetzner.cloud" })],
      "problem storage class smb-csi: Several pods write",
    ],
  ])("%s", (_, classes, says) => {
    expect(wrong([classFinding(shared, classes)])).toEqual([expect.stringContaining(says)]);
  });

  it.each<[string, boolean, StorageClass[], string]>([
    [
      "the default one, with the lines that allow it",
      false,
      [
        storageClass("slow"),
        storageClass("gp3", {
          metadata: { name: "gp3", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
          allowVolumeExpansion: false,
        }),
      ],
      "Create the class, or use one that is there: `hearth:storageClass: gp3`, for a suite's web volume `storage.storageClass: gp3` in its config.yaml, and allow it: `hearth:limits: {storageClasses: [{name: gp3, multiWriter: false, expandable: false, reason: <why>}]}`.",
    ],
    [
      "one of the specification, which is allowed",
      false,
      [storageClass("replicated-block")],
      "Create the class, or use one that is there: `hearth:storageClass: replicated-block`, for a suite's web volume `storage.storageClass: replicated-block` in its config.yaml.",
    ],
    [
      "none whose driver can't do it",
      true,
      [storageClass("gp3", { provisioner: "ebs.csi.aws.com" })],
      "Create the class.",
    ],
    ["none where there is none", false, [], "Create the class."],
  ])("that is not there has a remedy with another one: %s", (_, isShared, classes, remedy) => {
    expect(classFinding({ name: "fast", shared: isShared }, classes)).toMatchObject({ status: "missing", remedy });
  });

  it("without a name is the cluster's default", () => {
    const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
    const classes = [storageClass("a"), storageClass("b", { metadata: { name: "b", annotations } })];
    expect(classFinding({ name: "", shared: false }, classes)).toMatchObject({ status: "ok" });
    expect(classFinding({ name: "", shared: false }, [storageClass("a")])).toMatchObject({ status: "missing" });
  });

  it("for one writer is found among drivers that give no more, and may grow only where it says so", () => {
    const classes = [storageClass("gp3", { provisioner: "ebs.csi.aws.com", allowVolumeExpansion: undefined })];
    const { remedy } = classFinding({ name: "fast", shared: false }, classes);
    expect(remedy).toContain("{name: gp3, multiWriter: false, expandable: false, reason: <why>}");
  });

  it("that says nothing of its volumes deletes them with their claims", () => {
    const found = classFinding(shared, [storageClass("smb-csi", { reclaimPolicy: undefined })]);
    expect(found).toMatchObject({ status: "warning", message: expect.stringContaining("reclaim policy Delete") });
  });

  it("that may not be listed is unknown", () => {
    expect(classFinding(shared, "unseen")).toMatchObject({ status: "unknown" });
  });
});

describe("an object that is looked for", () => {
  const object = (more: object) =>
    ({ apiVersion: "v1", kind: "X", metadata: { name: "x" }, ...more }) as KubernetesObject;
  const failing = { status: { conditions: [{ type: "Ready", status: "False", message: "no account." }] } };
  const dns = "ClusterIssuer/letsencrypt-dns";
  it.each<[string, Readonly<Record<string, Looked>>, string]>([
    ["an issuer that is not there", { [dns]: "absent" }, "missing ClusterIssuer letsencrypt-dns: It does not exist"],
    [
      "an issuer that is not ready",
      { [dns]: object({ ...failing }) },
      "problem ClusterIssuer letsencrypt-dns: It is not ready: no account.",
    ],
    ["an issuer that says nothing", { [dns]: object({}) }, "unknown ClusterIssuer letsencrypt-dns"],
    [
      "an issuer of wildcards that proves by HTTP",
      { [dns]: object({ ...ready, spec: { acme: { solvers: [{ http01: {} }] } } }) },
      "problem ClusterIssuer letsencrypt-dns: It has no DNS-01 solver, but a certificate for *.pages.example.org",
    ],
    [
      "a store that is not there",
      { "ClusterSecretStore/hearth": "absent" },
      "missing ClusterSecretStore hearth: It does not exist, but 49 keys are",
    ],
    [
      "a store that is not ready",
      { "ClusterSecretStore/hearth": object({ ...failing }) },
      "problem ClusterSecretStore hearth: It is not ready",
    ],
    ["what may not be read", { "ClusterSecretStore/hearth": "unseen" }, "unknown ClusterSecretStore hearth"],
    ["a namespace of others", { "Namespace/platform": object({}) }, "problem namespace platform: It exists already"],
    [
      "a namespace that is being deleted",
      { "Namespace/platform": object({ metadata: { name: "platform", deletionTimestamp: "2026-01-01T00:00:00Z" } }) },
      "missing namespace platform: It is being deleted",
    ],
  ])("has its finding: %s", (_, more, says) => {
    expect(wrong(quickFindings(needs, facts(more)))).toEqual([expect.stringContaining(says)]);
  });

  it("a namespace of hearth's own is fine, and one with sites alone is adopted by a setting", () => {
    const labels = { "app.kubernetes.io/managed-by": "hearth" };
    const own = object({ metadata: { name: "platform", labels } });
    expect(wrong(quickFindings(needs, facts({ "Namespace/platform": own })))).toEqual([]);
    const found = quickFindings(needs, facts({ "Namespace/pages": object({}) })).find(
      ({ status }) => status === "problem",
    );
    expect(found?.remedy).toContain("hearth:siteWebhook.existingNamespaces: [pages]");
  });

  it("a namespace of others stops an update whose state does not have it, and is told the setting that uses it", () => {
    const others = { ...facts({ "Namespace/platform": object({}) }), made: new Set(["Namespace team"]) };
    const [found] = quickFindings(needs, others).filter(({ status }) => status === "taken");
    expect(found?.subject).toBe("namespace platform");
    expect(found?.remedy).toContain("hearth:existingNamespaces: [platform]");
    const imported = { ...others, made: new Set(["Namespace platform"]) };
    expect(refusalOf(quickFindings(needs, imported))).toBeUndefined();
  });

  it("a namespace that is used and not made has to be there", () => {
    const used = needsOf([{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x", namespace: "elsewhere" } }]);
    const seen = (looked: Looked) =>
      quickFindings(used, { ...facts({ "Namespace/elsewhere": looked }), served: new Set(["v1/ConfigMap"]) });
    expect(wrong(seen("absent"))).toEqual([expect.stringContaining("missing namespace elsewhere")]);
    expect(wrong(seen(object({})))).toEqual([]);
  });
});
