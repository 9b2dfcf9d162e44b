import * as components from "@hearth-platform/hearth";
import type { CloudSuiteEndpoints } from "@hearth-platform/hearth/cloudsuite/component";
import { today } from "@hearth-platform/hearth/core/days";
import { preflight } from "@hearth-platform/stack/live/preflight/preflight";
import { nameTroubles } from "@hearth-platform/stack/live/trouble/name-troubles";
import { createParts, stackParts } from "@hearth-platform/stack/parts";
import { clusterArgs, objectStores } from "@hearth-platform/stack/providers";
import { runningStack } from "@hearth-platform/stack/running-stack";
import { clusterOptions, recordsCluster } from "@hearth-platform/stack/state/cluster-identity";
import { tellFirstPolicies } from "@hearth-platform/stack/state/first-policies";
import { healFirst } from "@hearth-platform/stack/state/interrupted";
import { refuseDataLoss } from "@hearth-platform/stack/state/left-out";
import * as aws from "@pulumi/aws/provider.js";
import * as kubernetes from "@pulumi/kubernetes/provider.js";
import { runtime } from "@pulumi/pulumi";

// The stacks may be outside hearth's folder, in a project whose main file is in it.
const stack = runningStack(runtime.getRootDirectory(), today());
// Cluster and state are asked at once. Where both refuse, the loss of data is told, whichever answered first.
const [looked, kept] = await Promise.allSettled([preflight(stack), refuseDataLoss(stack)]);
if (kept.status === "rejected") throw kept.reason;
if (looked.status === "rejected") throw looked.reason;
const identity = looked.value;
await healFirst();
await tellFirstPolicies(stack);
nameTroubles(stack);

const cluster = new kubernetes.Provider("cluster", clusterArgs(stack), await clusterOptions(stack, identity));
const stores = new Map(objectStores(stack).map(({ name, args }) => [name, new aws.Provider(name, args)]));

const providers = (objectStore = "") => {
  const buckets = stores.get(objectStore);
  return buckets ? [cluster, buckets] : [cluster];
};
const created = createParts(stackParts(stack), components, providers, [recordsCluster(identity)]);
const codeForge = created.forge.get("forge");
const imageHub = created.hub.get("hub");
const image = created.serviceImage.get("service-image");
const webhook = created.siteWebhook.get("site-webhook");

/** Public addresses of the forge, and how its first administrator signs in; the password, a secret, only where it was generated. Empty in a stack without a forge. */
export const forge = codeForge
  ? {
      endpoints: codeForge.endpoints,
      administrator: { user: codeForge.adminUser, password: codeForge.adminPassword },
    }
  : {};

/** Public addresses of the hub, how to sign in with docker, and as its administrator; the password, a secret, only where it was generated. Empty in a stack without a hub. */
export const hub = imageHub
  ? {
      endpoints: imageHub.endpoints,
      login: imageHub.login,
      robots: imageHub.robots,
      administrator: { user: imageHub.adminUser, password: imageHub.adminPassword },
    }
  : {};

/** Public URLs of each suite by its name. */
export const endpoints: Record<string, CloudSuiteEndpoints> = Object.fromEntries(
  [...created.suites].map(([name, suite]) => [name, suite.endpoints]),
);

/** The first administrator of each suite; the password, a secret, only where it was generated. */
export const administrators = Object.fromEntries(
  [...created.suites].map(([name, suite]) => [name, { user: suite.adminUser, password: suite.adminPassword }]),
);

/** Address of each site that a git hosting provider has to call, the webhook's image, and the digest it was pushed with. Empty in a stack without a webhook. */
export const siteWebhook = webhook
  ? { urls: webhook.urls, image: webhook.image, digest: image?.digest, secret: webhook.secret }
  : {};
