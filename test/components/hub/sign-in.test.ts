import { objectId } from "@hearth-platform/hearth/core/plan";
import type { HubArgs } from "@hearth-platform/hearth/hub/args";
import { edges } from "@hearth-platform/hearth/hub/network";
import { hubProblems } from "@hearth-platform/hearth/hub/rules";
import { readSignInSettings } from "@hearth-platform/site-webhook/sign-in/settings";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import { expect, test } from "vitest";
import { planHub, resolvedHub } from "../../support/plans.ts";
import { completeHub, minimalHub } from "./hub.ts";

const image = "registry.example.org/hearth/site-webhook:1a2b";
const withTokens: HubArgs = { ...completeHub, forgeTokens: { image } };
const objects = (args: HubArgs) => planHub(args).objects.map(({ object }) => object);
const ids = (args: HubArgs) => objects(args).map((object) => objectId(object));
const pod = (args: HubArgs) =>
  (objects(args).find((object) => objectId(object) === "Deployment/hub-sign-in") as unknown as Deployment).spec
    ?.template.spec;

test("a hub without it has nothing of it; with it two pods in production, one in development", () => {
  expect(ids(completeHub).filter((id) => id.includes("sign-in"))).toEqual([]);
  expect(ids(withTokens).filter((id) => /sign-in|hub-forge/.test(id))).toEqual([
    "NetworkPolicy/allow-hub-sign-in",
    "NetworkPolicy/allow-hub-forge",
    "Deployment/hub-sign-in",
    "Service/hub-sign-in",
    "PodDisruptionBudget/hub-sign-in",
    "PodMonitor/hub-sign-in",
  ]);
  const development: HubArgs = { ...withTokens, platform: { ...withTokens.platform, profile: "development" } };
  expect(ids(development)).not.toContain("PodDisruptionBudget/hub-sign-in");
  expect(objects(development)).toContainEqual(
    expect.objectContaining({ kind: "Deployment", spec: expect.objectContaining({ replicas: 1 }) }),
  );
});

test("the token endpoint alone goes to it, and before core", () => {
  const routes = objects(withTokens).find((object) => objectId(object) === "IngressRoute/hub-core") as never as {
    spec: { routes: { match: string; priority?: number; services: { name: string }[] }[] };
  };
  const [first, ...rest] = routes.spec.routes;
  expect(first?.services).toMatchObject([{ name: "hub-sign-in", port: 8080 }]);
  expect(first?.match).toContain("Path(`/service/token`)");
  expect(first?.match).toMatch(/\) && Path\(`\/service\/token`\)$/);
  expect(rest.map(({ match }) => match).join()).not.toContain("/service/token");
  expect(rest.flatMap(({ services }) => services.map(({ name }) => name))).not.toContain("hub-sign-in");
});

test("its environment is all that the service asks for, and holds no secret", () => {
  const container = pod(withTokens)?.containers[0];
  expect(container).toMatchObject({ image, args: ["/site-webhook.mjs", "sign-in"] });
  const env = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
  expect(Object.values(env)).not.toContain(undefined);
  expect(readSignInSettings(env)).toMatchObject({
    issuer: "https://forge.example.org",
    hub: "https://hub.example.org",
    administrator: "admin",
    passwordFile: "/secret/password",
  });
});

test("its pods have longer to end than calls are still taken and the last of them may take", () => {
  const drain = pod(withTokens)?.containers[0]?.env?.find(({ name }) => name === "DRAIN_SECONDS")?.value;
  // A call takes 13 seconds, and its answer has one more to leave.
  expect(pod(withTokens)?.terminationGracePeriodSeconds).toBeGreaterThan(Number(drain) + 14);
});

test("its right is the administrator's password: no account of the cluster, no other Secret", () => {
  const spec = pod({
    ...withTokens,
    platform: { ...withTokens.platform, secrets: { existing: { "hub-admin": "theirs" } } },
  });
  expect(spec).toMatchObject({ automountServiceAccountToken: false });
  expect(spec?.serviceAccountName).toBeUndefined();
  expect(spec?.volumes?.map(({ secret }) => secret)).toEqual([
    { secretName: "theirs", defaultMode: 0o440, items: [{ key: "password", path: "password" }] },
  ]);
});

test("it reaches core and the forge, and is reached by the ingress; nothing else", () => {
  const own = edges(resolvedHub(withTokens)).filter(({ from, to }) => from === "hub-sign-in" || to === "hub-sign-in");
  expect(own.map(({ from, to, ports }) => `${from} ${to} ${ports}`)).toEqual([
    "ingress hub-sign-in 8080",
    "hub-sign-in hub-core 8080",
    "hub-sign-in hub-forge 8181",
    "prometheus hub-sign-in 9090",
  ]);
});

test.each<[mistake: string, args: HubArgs, problem: string]>([
  ["without sign-on", { ...minimalHub, forgeTokens: { image } }, "forge-tokens forgeTokens"],
  [
    "beside a registry that asks for no tokens",
    { ...withTokens, registryRoute: "registry" },
    "forge-tokens forgeTokens",
  ],
  [
    "of an image in this hub",
    { ...withTokens, forgeTokens: { image: "hub.example.org/a/b:1" } },
    "forge-tokens forgeTokens.image",
  ],
  [
    "of an image that moves",
    { ...withTokens, forgeTokens: { image: "registry.example.org/a/b:latest" } },
    "image forgeTokens.image",
  ],
])("tokens of a forge %s are refused", (_, args, problem) => {
  const found = hubProblems(args).filter(({ severity }) => severity === "error");
  expect(found.map(({ code, path }) => `${code} ${path}`)).toEqual([problem]);
});
