import { allPlans } from "@hearth-platform/hearth/core/component";
import { objectId } from "@hearth-platform/hearth/core/plan";
import { inOrder } from "@hearth-platform/hearth/core/references";
import type { IngressRoute } from "@hearth-platform/hearth/kubernetes/custom-resources/ingress-route";
import type { Middleware } from "@hearth-platform/hearth/kubernetes/custom-resources/middleware";
import type { SiteWebhookArgs } from "@hearth-platform/hearth/site-webhook/args";
import { siteWebhookComponent } from "@hearth-platform/hearth/site-webhook/component";
import type { ValidatingAdmissionPolicy } from "kubernetes-types/admissionregistration/v1.d.ts";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { ClusterRole, RoleBinding } from "kubernetes-types/rbac/v1.d.ts";
import { describe, expect, test } from "vitest";
import { emptyPaths } from "../cloudsuite/objects.ts";
import { webhook } from "./webhook.ts";

const plansOf = (args: SiteWebhookArgs) => allPlans(siteWebhookComponent.stages(args));
const objects = (args: SiteWebhookArgs) => plansOf(args).flatMap(({ objects }) => objects);
const ids = (args: SiteWebhookArgs) => objects(args).map(({ object }) => objectId(object));

function find<T>(args: SiteWebhookArgs, id: string): T {
  const found = objects(args).find(({ object }) => objectId(object) === id);
  if (!found) throw new Error(`${id} is missing: ${ids(args).join(", ")}.`);
  return found.object as unknown as T;
}

const container = (args: SiteWebhookArgs) => {
  const [only] = find<Deployment>(args, "Deployment/site-webhook").spec?.template.spec?.containers ?? [];
  if (!only) throw new Error("The pod has no container.");
  return only;
};

test("every plan can be made in order, without empty fields, which the API server would drop", () => {
  for (const plan of plansOf({ ...webhook, networkPolicies: true, checkSecret: true })) {
    expect(inOrder(plan)).toHaveLength(plan.objects.length);
    for (const { object } of plan.objects)
      expect(
        emptyPaths(object).filter((path) => !/\.(podSelector|namespaceSelector)$/.test(path)),
        objectId(object),
      ).toEqual([]);
  }
});

describe("the webhook's rights", () => {
  test("are one verb on one resource, in the listed namespaces", () => {
    expect(find<ClusterRole>(webhook, "ClusterRole/site-webhook.site-webhook").rules).toEqual([
      { apiGroups: ["pages.kup6s.com"], resources: ["staticsites"], verbs: ["patch"] },
    ]);
    const binding = find<RoleBinding>(webhook, "RoleBinding/site-webhook.site-webhook");
    expect(binding.metadata?.namespace).toBe("pages");
    expect(binding.subjects).toEqual([{ kind: "ServiceAccount", name: "site-webhook", namespace: "site-webhook" }]);
    expect(ids(webhook)).not.toContain("ClusterRoleBinding/site-webhook.site-webhook");
  });

  test("reach every namespace where none is listed", () => {
    const args = { ...webhook, namespaces: undefined };
    expect(ids(args)).toContain("ClusterRoleBinding/site-webhook.site-webhook");
    expect(ids(args).filter((id) => id.startsWith("RoleBinding"))).toEqual([]);
  });

  test("follow the names of another operator, as the service does", () => {
    const args = {
      ...webhook,
      staticSites: { group: "sites.example.org", version: "v1", plural: "sites", annotationDomain: "ann.example.org" },
    };
    expect(find<ClusterRole>(args, "ClusterRole/site-webhook.site-webhook").rules).toEqual([
      { apiGroups: ["sites.example.org"], resources: ["sites"], verbs: ["patch"] },
    ]);
    expect(container(args).env).toEqual(
      expect.arrayContaining([
        { name: "STATIC_SITE_GROUP", value: "sites.example.org" },
        { name: "STATIC_SITE_VERSION", value: "v1" },
        { name: "STATIC_SITE_PLURAL", value: "sites" },
        { name: "ANNOTATION_DOMAIN", value: "ann.example.org" },
      ]),
    );
    expect(JSON.stringify(find(args, "ValidatingAdmissionPolicy/site-webhook.site-webhook"))).toContain(
      "ann.example.org/sync",
    );
  });

  test("are judged where they are used: it changes neither a site's specification nor its status, labels, finalizers or owners", () => {
    const specOf = (kind: string) => find<ValidatingAdmissionPolicy>(webhook, `${kind}/site-webhook.site-webhook`).spec;
    expect(specOf("ValidatingAdmissionPolicyBinding")).toMatchObject({ validationActions: ["Deny"] });
    const expressions = specOf("ValidatingAdmissionPolicy")?.validations?.map(({ expression }) => expression);
    expect(expressions?.slice(1, 3)).toEqual([
      "object.?spec == oldObject.?spec && object.?status == oldObject.?status",
      ["labels", "finalizers", "ownerReferences"]
        .map((field) => `object.metadata.?${field} == oldObject.metadata.?${field}`)
        .join(" && "),
    ]);
  });

  test("end at an annotation of up to twelve digits and nothing else", () => {
    const policy = find<ValidatingAdmissionPolicy>(webhook, "ValidatingAdmissionPolicy/site-webhook.site-webhook");
    const expressions = policy.spec?.validations?.map(({ expression }) => expression).join("\n") ?? "";
    // CEL's patterns (RE2) and JavaScript's mean the same of digits, anchors and counts.
    const [, pattern = ""] =
      /variables\.now\['pages\.kup6s\.com\/sync'\]\.matches\('([^']+)'\)/.exec(expressions) ?? [];
    const seconds = new RegExp(pattern);
    expect(["0", "1790000000", "999999999999"].filter((value) => !seconds.test(value))).toEqual([]);
    expect(
      ["", "12x", "x12", "1 2", "-1", "1.5", "1e9", "1234567890123"].filter((value) => seconds.test(value)),
    ).toEqual([]);
  });
});

test("only POST below /sync/ is routed, by HTTPS, through the limits", () => {
  const { spec } = find<IngressRoute>(webhook, "IngressRoute/site-webhook");
  expect(ids(webhook).filter((id) => id.startsWith("IngressRoute"))).toHaveLength(1);
  expect(spec).toMatchObject({ entryPoints: ["websecure"], tls: { secretName: "site-webhook-tls" } });
  expect(spec.routes).toMatchObject([
    {
      match: "Host(`sync.example.org`) && Method(`POST`) && PathPrefix(`/sync/`)",
      middlewares: [{ name: "site-webhook-rate" }, { name: "site-webhook-in-flight" }],
      services: [{ name: "site-webhook", port: 8080 }],
    },
  ]);
});

test("what trusted proxies pass on is counted by its caller's address, all else by the connection's", () => {
  const args = {
    ...webhook,
    platform: {
      ...webhook.platform,
      ingress: { ...webhook.platform.ingress, trustedProxies: ["10.0.0.0/8", "192.0.2.1"] },
    },
  };
  const calls = "Host(`sync.example.org`) && Method(`POST`) && PathPrefix(`/sync/`)";
  expect(find<IngressRoute>(args, "IngressRoute/site-webhook").spec.routes).toMatchObject([
    { match: calls, middlewares: [{ name: "site-webhook-rate" }, { name: "site-webhook-in-flight" }] },
    {
      match: `${calls} && (ClientIP(\`10.0.0.0/8\`) || ClientIP(\`192.0.2.1\`)) && HeaderRegexp(\`X-Forwarded-For\`, \`[^, ]\`)`,
      middlewares: [{ name: "site-webhook-rate-forwarded" }, { name: "site-webhook-in-flight-forwarded" }],
    },
  ]);
  const limit = (name: string) => find<Middleware>(args, `Middleware/site-webhook-${name}`).spec;
  const forwarded = { ipStrategy: { excludedIPs: ["10.0.0.0/8", "192.0.2.1"] } };
  const connection = { ipStrategy: { depth: 0, ipv6Subnet: 64 } };
  expect(limit("rate")).toEqual({ rateLimit: { average: 20, burst: 100, sourceCriterion: connection } });
  expect(limit("rate-forwarded")).toEqual({
    rateLimit: { average: 20, burst: 100, sourceCriterion: forwarded },
  });
  expect(limit("in-flight")).toEqual({
    inFlightReq: { amount: 100, sourceCriterion: connection },
  });
  expect(limit("in-flight-forwarded")).toEqual({ inFlightReq: { amount: 100, sourceCriterion: forwarded } });
});

test("one pod runs the image, and proves nothing but its own account", () => {
  const { spec } = find<Deployment>(webhook, "Deployment/site-webhook");
  expect(spec?.replicas).toBe(1);
  expect(spec?.template.spec).toMatchObject({ serviceAccountName: "site-webhook", automountServiceAccountToken: true });
  expect(container(webhook)).toMatchObject({
    image: "registry.example.org/hearth/site-webhook:1a2b",
    securityContext: { readOnlyRootFilesystem: true },
  });
});

test("with a secret to check, it is generated and mounted where the service looks for it", () => {
  const args = { ...webhook, checkSecret: true };
  expect(plansOf(args).flatMap(({ secrets }) => secrets)).toMatchObject([{ name: "site-webhook-secret" }]);
  const file = container(args).env?.find(({ name }) => name === "WEBHOOK_SECRET_FILE")?.value ?? "";
  const [mount] = container(args).volumeMounts ?? [];
  expect(file).toBe(`${mount?.mountPath}/secret`);
});

describe("sites", () => {
  test("have their spec as it was given, and the specification's interval unless they name one", () => {
    expect(find(webhook, "StaticSite/handbook")).toMatchObject({
      apiVersion: "pages.kup6s.com/v1beta1",
      metadata: { namespace: "pages" },
      spec: { repo: "https://forge.example.org/team/handbook.git", syncInterval: "5m" },
    });
    expect(find(webhook, "StaticSite/blog.team")).toMatchObject({ spec: { syncInterval: "15m" } });
  });

  test("are made without the webhook, too", () => {
    expect(ids({ ...webhook, enabled: false })).toEqual([
      "Namespace/pages",
      "StaticSite/handbook",
      "StaticSite/blog.team",
    ]);
  });

  test("of one name may be in two namespaces, of which an existing one is left alone", () => {
    const sites = ["a", "b"].map((namespace) => ({ namespace, name: "docs" }));
    const args = { ...webhook, namespaces: undefined, sites, existingNamespaces: ["b"] };
    const made = ids(args);
    expect(made.filter((id) => id === "StaticSite/docs")).toHaveLength(2);
    expect(made.filter((id) => id.startsWith("Namespace/"))).toEqual(["Namespace/site-webhook", "Namespace/a"]);
  });

  test("each have the address that a provider has to call", () => {
    expect(siteWebhookComponent.outputs(webhook, () => undefined).urls).toEqual({
      "pages/handbook": "https://sync.example.org/sync/pages/handbook",
      "pages/blog.team": "https://sync.example.org/sync/pages/blog.team",
    });
  });
});
