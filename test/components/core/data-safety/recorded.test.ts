import { recorded } from "@hearth-platform/hearth/core/data-safety/recorded";
import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import { expect, test } from "vitest";

const platform: PlatformArgs = {
  profile: "production",
  ingress: { clusterIssuer: "letsencrypt-prod" },
  workloads: { "forge-jobs": { priorityClassName: "batch" } },
  images: { mirrors: { "docker.io": "registry.example.org" }, digests: { "a:1": "sha256:0" } },
  secrets: { generate: true, revisions: { a: 1 }, existing: { "keystore-password": "own" } },
  allowDataLoss: ["team/cloudsuite"],
};

test("a component records its own arguments as they are", () => {
  expect(recorded({ namespace: "team", replicas: { web: 2 }, platform })).toMatchObject({
    namespace: "team",
    replicas: { web: 2 },
  });
});

test("a component records of the platform what a later change is compared with, and what policies judge", () => {
  expect(recorded({ platform }).platform).toEqual({
    secrets: { existing: { "keystore-password": "own" } },
    images: { mirrors: { "docker.io": "registry.example.org" } },
    allowDataLoss: ["team/cloudsuite"],
  });
});
