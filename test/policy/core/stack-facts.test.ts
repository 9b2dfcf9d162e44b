import { stackFacts, strictest } from "@hearth-platform/policy/core/stack-facts";
import { expect, test } from "vitest";

const facts = (config: Record<string, unknown>, environment: Record<string, string> = {}) => {
  const values = Object.entries(config).map(([key, value]) => [`hearth:${key}`, JSON.stringify(value)]);
  return stackFacts({
    PULUMI_CONFIG: JSON.stringify({ ...Object.fromEntries(values), "hearth:profile": config.profile }),
    ...environment,
  });
};

test("a stack that says nothing, or nothing that can be read, is held to the strictest", () => {
  expect(stackFacts({})).toEqual(strictest);
  for (const config of [
    "",
    "none",
    "[]",
    "null",
    '{"hearth:cloudsuites": "{", "hearth:forge": "7", "hearth:images": "[]"}',
  ])
    expect(stackFacts({ PULUMI_CONFIG: config }), config).toEqual(strictest);
});

test("a stack's own profile counts, but the one that is asked for is stronger", () => {
  expect(facts({ profile: "development" }).profile).toBe("development");
  expect(facts({ profile: "development" }, { HEARTH_POLICY_PROFILE: "production" }).profile).toBe("production");
  expect(facts({ profile: "development" }, { HEARTH_POLICY_PROFILE: "none" }).profile).toBe("development");
});

test("a forge under maintenance puts its stack under maintenance, and so does who asks for it", () => {
  expect(facts({ forge: { maintenance: true } }).maintenance).toBe(true);
  expect(facts({ forge: {} }).maintenance).toBe(false);
  expect(facts({}, { HEARTH_POLICY_PROFILE: "maintenance" }).maintenance).toBe(true);
});

test("suites tell what they are meant to carry, mirrors and the webhook where images come from", () => {
  const { loads, imageSources } = facts({
    cloudsuites: [{ name: "cloud", users: 40, files: "many" }],
    images: { mirrors: { "docker.io": "registry.example.org/dockerhub", "ghcr.io": 7 } },
    siteWebhook: { repository: "registry.example.org/hearth/site-webhook" },
  });
  expect(loads).toEqual({ cloud: { users: 40, files: undefined } });
  expect(imageSources).toEqual(["registry.example.org/dockerhub", "registry.example.org/hearth/site-webhook"]);
});

test("images that the settings name are sources, with the registry that runtimes fill in, and so is an existing Gateway one with TLS", () => {
  expect(
    facts({
      siteWebhook: { image: "registry.example.org:5000/hearth/site-webhook:1.0.0" },
      hub: { jobImage: "node:24.21.0-alpine" },
      cloudsuites: [{ name: "cloud", appsImage: "registry.example.org/team/apps:1.0.0" }, { name: "other" }],
      ingress: { gateway: { existing: { name: "shared", namespace: "gateways" } } },
    }),
  ).toMatchObject({
    imageSources: [
      "registry.example.org:5000/hearth/site-webhook",
      "docker.io/library/node",
      "registry.example.org/team/apps",
    ],
    existingGateway: "gateways/shared",
  });
  expect(facts({ ingress: { gateway: { existing: { name: "shared" } } } })).not.toHaveProperty("existingGateway");
});

test("names of what may be lost are taken as they stand there", () => {
  expect(facts({ allowDataLoss: ["platform/forge-db", "team", 7] }).allowDataLoss).toEqual([
    "platform/forge-db",
    "team",
  ]);
});

test("a stack with a lock has its images locked, and the one it builds is known by the name nodes pull", () => {
  const images = { lock: "images.lock.json", mirrors: { "registry.example.org": "mirror.example.org/own" } };
  const siteWebhook = { repository: "registry.example.org/hearth/site-webhook" };
  expect(facts({ images, siteWebhook })).toMatchObject({
    imagesLocked: true,
    builtImage: "mirror.example.org/own/hearth/site-webhook",
  });
  expect(facts({ images: { mirrors: {} } }).imagesLocked).toBe(false);
});
