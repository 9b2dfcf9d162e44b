import type { AdmissionArgs } from "@hearth-platform/hearth/admission/args";
import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import type { Limit, SuiteLoad } from "@hearth-platform/hearth/limits/limit";
import { limits as table } from "@hearth-platform/hearth/limits/table";
import type { Policy } from "@hearth-platform/policy/core/policy";
import { limitsPack } from "@hearth-platform/policy/limits/policies";
import { ApiClient } from "@hearth-platform/sandbox/kubernetes/api";
import { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import { Discovery } from "@hearth-platform/sandbox/kubernetes/discovery";
import { connectionOf, loadKubeconfig } from "@hearth-platform/sandbox/kubernetes/kubeconfig";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { kubeContext } from "@hearth-platform/sandbox/paths";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { limitCases } from "../policy/generated/limits.ts";
import { boundariesOf, objectWith } from "../policy/support/boundaries.ts";
import { type Fixture, factsOf, fixturesOf } from "../policy/support/fixtures.ts";
import { replaced } from "../policy/support/trees.ts";
import { planAdmission } from "../support/plans.ts";
import { platform } from "../support/platform.ts";

/** An object that a policy and its admission counterpart both judge, in a namespace of its own: the counterparts go by the objects' names. */
interface Case {
  readonly policy: string;
  readonly what: string;
  readonly namespace: string;
  readonly object: KubernetesObject;
  readonly profile: "production" | "development";
  /** What the stack widens of the limits. @default nothing */
  readonly limits?: PlatformArgs["limits"];
  readonly load: SuiteLoad;
  readonly verdict: Verdict;
}

type Verdict = "admitted" | "judged";
type Tree = Record<string, unknown>;

const labels = { app: "example" };
const example = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "example.org/app:1" }] } },
};
const catalogueEntry = { apiGroup: "postgresql.cnpg.io", kind: "ImageCatalog", name: "postgresql" };

/** What the API server wants of a kind beside what is judged. */
const required: Readonly<Record<string, Tree>> = {
  Deployment: example,
  StatefulSet: { ...example, serviceName: "example" },
  StaticSite: { repo: "https://git.example.org/site.git" },
  Cluster: { instances: 2, storage: { size: "50Gi" } },
  PersistentVolumeClaim: { accessModes: ["ReadWriteOnce"] },
};

interface PodTemplate {
  readonly spec: { readonly containers: readonly object[] };
}

/** A pod template with what the API server wants of any. */
function completed({ spec }: PodTemplate): Tree {
  const containers = spec.containers.map((container) => ({ image: "example.org/app:1", ...container }));
  return { metadata: { labels }, spec: { ...spec, containers } };
}

/** What scales other objects, and what other operators bring, which the cluster does not have. */
const scalers = /^kubernetes:(?:(?:autoscaling|keda\.sh|argoproj\.io|apps\.kruise\.io)\/|.*Patch$)/;

const counterparts = limitsPack.policies.filter(({ admissionCounterpart }) => admissionCounterpart !== undefined);
const fixtures = await fixturesOf("limits");
const seed = Number(process.env.HEARTH_SEED ?? Date.now() % 2 ** 31);
/** Of a stack and a load, the one namespace in which its objects are tried. */
const namespaces = new Map<string, string>();
const cases = counterparts.flatMap((policy) => [...casesOf(policy), ...boundaryCases(policy)]).map(placed);
const generated = counterparts.flatMap(generatedCases).map(placed);

function placed(each: Omit<Case, "namespace">): Case {
  const key = JSON.stringify([each.profile, each.limits, each.load]);
  const namespace = namespaces.get(key) ?? `counterpart-${namespaces.size}`;
  namespaces.set(key, namespace);
  return { ...each, namespace };
}

function casesOf(policy: Policy): Omit<Case, "namespace">[] {
  const { good = {}, bad = {} } = fixtures.get(policy.id) ?? {};
  return [
    ...Object.entries(good).flatMap(([what, fixture]) => [
      ...caseOf(policy, what, fixture, "admitted"),
      ...Object.entries(fixture.over ?? {}).flatMap(([path, values]) =>
        values.flatMap((value) =>
          caseOf(policy, `${what}, ${path} ${value}`, withValue(fixture, path, value), "judged"),
        ),
      ),
    ]),
    ...Object.entries(bad).flatMap(([what, fixture]) => caseOf(policy, what, fixture, "judged")),
  ];
}

/** The objects at the boundary of the policy's row, with and without a widening. Those at which settings and pack agree are the same. */
function boundaryCases(policy: Policy): Omit<Case, "namespace">[] {
  const rows = Object.values<Limit>(table).filter(({ id }) => id === policy.admissionCounterpart);
  return rows.flatMap((limit) =>
    boundariesOf(limit).flatMap((each) => {
      const fixture = limit.measure === "set" ? undefined : objectWith(limit, each);
      return fixture ? caseOf(policy, each.what, fixture, each.allowed ? "admitted" : "judged") : [];
    }),
  );
}

/** The generated objects of the policy's row, of the kind that hearth makes: the counterpart judges no other. */
function generatedCases(policy: Policy): Omit<Case, "namespace">[] {
  return limitCases(seed)
    .filter((each) => each.policy === policy.id)
    .flatMap(({ breaks, keeps }) => [
      ...breaks.map((each) => [each, "judged"] as const),
      ...keeps.map((each) => [each, "admitted"] as const),
    ])
    .filter(([{ resources }]) => resources.length === 1 && resources[0]?.type.endsWith(`:${kindOf(policy)}`))
    .flatMap(([each, verdict]) => caseOf(policy, each.what, each, verdict));
}

function kindOf(policy: Policy): string | undefined {
  const limit = Object.values<Limit>(table).find(({ id }) => id === policy.admissionCounterpart);
  return limit && "object" in limit ? limit.object.kind.split("/").at(-1) : undefined;
}

function withValue(fixture: Fixture, path: string, value: unknown): Fixture {
  return {
    ...fixture,
    resources: fixture.resources.map((raw) => ({ ...raw, props: replaced(raw.props, path, value) })),
  };
}

/**
 * The case of one raw object. Components and sizes that somebody sets for the pack are judged at the preview alone, and so are
 * autoscalers: in the cluster what one asks for meets the limit when it scales.
 */
function caseOf(policy: Policy, what: string, fixture: Fixture, verdict: Verdict): Omit<Case, "namespace">[] {
  const [raw] = fixture.resources;
  const { files, users, ...otherSettings } = fixture.settings ?? {};
  if (!raw?.type.startsWith("kubernetes:") || scalers.test(raw.type)) return [];
  if (Object.keys(otherSettings).length > 0) return [];
  const object = judged(raw.props as Tree, policy.id);
  const profile = factsOf(fixture).profile === "development" ? "development" : "production";
  // To scale to nothing for maintenance is always admitted in the cluster.
  const isScaledToNothing = (object.spec as Tree).replicas === 0;
  return [
    {
      policy: policy.id,
      what,
      object,
      profile,
      limits: fixture.stack?.limits,
      verdict: isScaledToNothing ? "admitted" : verdict,
      load: { ...(typeof files === "number" && { files }), ...(typeof users === "number" && { users }) },
    },
  ];
}

/** The object with whatever the API server and the other counterparts want beside what is judged; a workload's claim as its controller makes it. */
function judged(props: Tree, policy: string): KubernetesObject {
  const { kind, metadata, spec } = props as Tree & {
    metadata: { name: string; labels?: Tree };
    spec: Tree;
  };
  const [template] = (spec.volumeClaimTemplates ?? []) as Partial<KubernetesObject>[];
  if (template)
    return {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      ...template,
      metadata: { name: `${template.metadata?.name ?? "data"}-${metadata.name}-0` },
    };
  const image = kind === "Cluster" && !policy.endsWith("db-major") ? { imageName: "postgresql:16" } : {};
  const resources =
    kind === "Cluster" && policy !== "lim-db-resources" ? { resources: table.databaseResources.least() } : {};
  const pods = spec.template ? { template: completed(spec.template as PodTemplate) } : {};
  const catalogue = spec.imageCatalogRef ? { imageCatalogRef: { ...catalogueEntry, ...spec.imageCatalogRef } } : {};
  return {
    ...props,
    metadata: { name: metadata.name, labels: metadata.labels },
    spec: {
      ...required[String(kind)],
      ...(policy === "lim-db-replicas" && { instances: undefined }),
      ...image,
      ...resources,
      ...spec,
      ...catalogue,
      ...pods,
    },
  } as unknown as KubernetesObject;
}

/** Stacks of the cluster, each with the limits of its own: what they are for, and what they widen. */
const stacks = Object.values(
  Object.groupBy([...cases, ...generated], ({ profile, limits }) => JSON.stringify([profile, limits])),
).map((judgedHere = []) => judgedHere);

/** The limits of a stack, in which also what is only recommended is refused, so that it shows. */
function limitsOf(judgedHere: readonly Case[], index: number): KubernetesObject[] {
  const [{ profile, limits }] = judgedHere as [Case];
  const args: AdmissionArgs = {
    namespace: `counterparts-${index}`,
    action: "deny",
    namespaces: [
      ...new Map(judgedHere.map(({ namespace, load }) => [namespace, { name: namespace, ...load }])).values(),
    ],
    platform: { ...platform, profile, limits },
  };
  return planAdmission(args).objects.map(({ object }) =>
    object.kind === "ValidatingAdmissionPolicyBinding"
      ? { ...object, spec: { ...(object as unknown as { spec: Tree }).spec, validationActions: ["Deny"] } }
      : object,
  ) as KubernetesObject[];
}

let api: ApiClient;
let discovery: Discovery;
let client: KubeClient;
const limits = stacks.flatMap(limitsOf);
const spaces = [...namespaces.values()].map(
  (name): KubernetesObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
);

async function verdictOf({ object, namespace }: Case): Promise<string> {
  const path = await discovery.collection(object, namespace);
  try {
    await api.request("POST", path, { body: object, query: { dryRun: "All", fieldValidation: "Strict" } });
    return "admitted";
  } catch (error) {
    const { message } = error as Error;
    if (message.includes("ValidatingAdmissionPolicy")) return "judged";
    // What the kind's own schema forbids is never asked of a policy.
    return /is invalid: |cannot be handled as a/.test(message) ? "invalid" : message;
  }
}

beforeAll(async () => {
  const kubeconfig = loadKubeconfig((await openSandbox()).paths.kubeconfig);
  api = new ApiClient(connectionOf(kubeconfig, { context: kubeContext }));
  discovery = new Discovery(api);
  client = KubeClient.fromKubeconfig((await openSandbox()).paths.kubeconfig);
  for (const object of [...spaces, ...limits]) await client.apply(object, "test");
  // The API server takes new policies and each of their bindings up a moment after it has stored them.
  const bad = cases.filter(({ verdict }) => verdict === "judged");
  for (const each of Object.values(
    Object.groupBy(bad, ({ policy, profile, limits }) => JSON.stringify([policy, profile, limits])),
  ))
    await vi.waitFor(
      async () =>
        expect(
          await Promise.all((each ?? []).map((one) => verdictOf(one))),
          JSON.stringify((each ?? []).map(({ policy, what }) => `${policy}: ${what}`)),
        ).not.toContain("admitted"),
      { timeout: 60_000 },
    );
});

// Everything stays: an API server that has lost its last policy with ConfigMaps for parameters reads none of the next one.
afterAll(() => api.close());

describe.each(counterparts.map(({ id, admissionCounterpart }) => ({ id, admissionCounterpart })))(
  "$id and the admission policy $admissionCounterpart",
  ({ id }) => {
    const own = cases.filter(({ policy }) => policy === id);

    it("share objects of either verdict", () => {
      expect(new Set(own.map(({ verdict }) => verdict))).toEqual(new Set(["admitted", "judged"]));
    });

    const ofRow = generated.filter(({ policy }) => policy === id);
    it(`agree on ${ofRow.length} generated objects, seed ${seed}`, async () => {
      const otherwise: object[] = [];
      const tried: string[] = [];
      for (const each of ofRow) {
        const found = await verdictOf(each);
        tried.push(found);
        if (!["invalid", each.verdict].includes(found))
          otherwise.push({ what: each.what, wanted: each.verdict, found, object: each.object });
      }
      expect(otherwise).toEqual([]);
      // What the kind's own schema forbids tells nothing of the policy.
      for (const verdict of ["admitted", "judged"])
        expect(tried.filter((found) => found === verdict).length, verdict).toBeGreaterThanOrEqual(2);
    }, 120_000);

    it.each(own)("agree on: $what", async (each) => {
      const expected = each.verdict === "admitted" ? ["admitted"] : ["judged", "invalid"];
      expect(expected).toContain(await verdictOf(each));
    });
  },
);
