import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { storageClasses } from "@hearth-platform/hearth/limits/sets";
import { limits } from "@hearth-platform/hearth/limits/table";
import { imagesToLock } from "@hearth-platform/stack/locked-stack";
import type { Stack, Suite } from "@hearth-platform/stack/stack-settings";
import { describe, expect, test } from "vitest";
import { committedStack } from "./baseline/planned-stack.ts";
import { violationsOf } from "./support/whole-stack.ts";

const dev = committedStack("dev");
const prod = committedStack("prod");

const withSettings = (stack: Stack, more: Partial<Stack["settings"]>): Stack => ({
  ...stack,
  settings: { ...stack.settings, ...more },
});
const forge = (more: object) => ({ forge: { ...prod.settings.forge, ...more } });
const withSuites = (stack: Stack, change: (suite: Suite) => Suite): Stack => ({
  ...stack,
  suites: stack.suites.map(change),
});
const withConfig = (stack: Stack, more: Partial<Suite["config"]>) =>
  withSuites(stack, (suite) => ({ ...suite, config: { ...suite.config, ...more } }));
const replicas = { ...prod.suites[0]?.config.replicas, cloudsuite: 1 } as Suite["config"]["replicas"];
const storage = { ...prod.suites[0]?.config.storage, storageClass: "replicated-block" } as Suite["config"]["storage"];
const recover = { targetTime: "2026-11-20 08:30:00" };

/** The committed stacks, and every option of theirs that changes objects a policy looks at. */
const stacks: Readonly<Record<string, Stack>> = {
  dev,
  prod,
  "dev in profile production": withConfig(withSettings(dev, { profile: "production" }), {
    replicas: { ...dev.suites[0]?.config.replicas, db: 2 } as Suite["config"]["replicas"],
  }),
  "prod in profile development": withSettings(prod, { profile: "development" }),
  "without office and whiteboard": withConfig(prod, { office: { enabled: false }, whiteboard: { enabled: false } }),
  "with push and Imaginary": withSuites(prod, (suite) => ({
    ...suite,
    settings: { ...suite.settings, push: { enabled: true }, previews: { enabled: true } },
  })),
  "with OnlyOffice": withSuites(prod, (suite) => ({
    ...suite,
    settings: { ...suite.settings, officeEngine: "onlyoffice" },
  })),
  "one web pod on block storage": withConfig(prod, { replicas, storage }),
  "suites under maintenance": withSuites(prod, (suite) => ({
    ...suite,
    settings: { ...suite.settings, maintenance: true },
  })),
  "forge under maintenance": withSettings(prod, forge({ maintenance: true })),
  "forge with autoscaling": withSettings(prod, forge({ replicas: { autoscaleFactor: 3 } })),
  "by the Gateway API": withSettings(prod, { ingress: { ...prod.settings.ingress, kind: "gateway" } }),
  "by Istio's Gateways, whose proxies stand among our pods": withSettings(prod, {
    ingress: { ...prod.settings.ingress, kind: "gateway", gateway: { className: "istio" } },
  }),
  "by Cilium's, which no policy can name": withSettings(prod, {
    ingress: { ...prod.settings.ingress, kind: "gateway", gateway: { className: "cilium" } },
  }),
  "one class for all volumes": withConfig(
    withSettings(prod, {
      storageClass: "cephfs",
      limits: { storageClasses: [{ name: "cephfs", multiWriter: true, expandable: true, reason: "It is there." }] },
    }),
    { storage: { ...storage, storageClass: "cephfs" } },
  ),
  "single instances, which the stack allows": withConfig(
    withSettings(prod, {
      database: { ...prod.settings.database, instances: 1 },
      ...forge({ replicas: { webservice: 1 } }),
      limits: {
        databaseReplicas: { least: 1, most: 2, reason: "One node." },
        forgeWebReplicas: { least: 1, reason: "One node." },
      },
    }),
    { replicas: { ...prod.suites[0]?.config.replicas, db: 1 } as Suite["config"]["replicas"] },
  ),
  "no network policies": withSettings(prod, { networkPolicies: false }),
  "neither runner nor pages nor SSH": withSettings(
    prod,
    forge({ runner: undefined, pages: undefined, ssh: undefined }),
  ),
  "databases recovered": withSuites(
    withSettings(prod, { database: { ...prod.settings.database, recover } }),
    (suite) => ({ ...suite, settings: { ...suite.settings, recover } }),
  ),
  "buckets by a resource manager": withSettings(prod, {
    objectStorage: { ...prod.settings.objectStorage, provisioner: "cluster" },
  }),
  "data that may be lost": withSettings(prod, { allowDataLoss: ["platform/forge-db", "cloud"] }),
  "secrets generated": withSettings(prod, { secrets: { store: { name: "hearth" }, generate: true } }),
  "images locked": {
    ...withSettings(prod, { images: { ...prod.settings.images, lock: "images.lock.json" } }),
    imageDigests: Object.fromEntries(imagesToLock(prod).map((image) => [image, `sha256:${"0".repeat(64)}`])),
  },
  "without forge": withSettings(prod, { forge: undefined, hub: { ...prod.settings.hub, signOn: undefined } }),
  "without hub": withSettings(prod, { hub: undefined }),
};

/** The suites alone, in every profile, with and without their parts, on each storage class. */
const combinations = Object.values(Profile).flatMap((profile) =>
  Object.values(storageClasses).flatMap((storageClass) =>
    [true, false].flatMap((office) =>
      [true, false].map((whiteboard): [string, Stack] => {
        const alone = withSettings(prod, { profile, forge: undefined, hub: undefined, siteWebhook: undefined });
        const stack = withSuites(alone, (suite) => {
          const { config } = suite;
          const disk = { ...config.storage, storageClass } as Suite["config"]["storage"];
          const cloudsuite = limits.cloudsuiteReplicas.most({ storageClass });
          const counts = { ...config.replicas, cloudsuite } as Suite["config"]["replicas"];
          return {
            ...suite,
            config: {
              ...config,
              storage: disk,
              replicas: counts,
              office: office ? config.office : { enabled: false },
              whiteboard: whiteboard ? config.whiteboard : { enabled: false },
            },
          };
        });
        return [`suites: ${JSON.stringify({ profile, storageClass, office, whiteboard })}`, stack];
      }),
    ),
  ),
);

describe.each([...Object.entries(stacks), ...combinations])("%s", (_, stack) => {
  test("keeps every policy, and leaves none unjudged", () => {
    expect(violationsOf(stack)).toEqual([]);
  });
});
