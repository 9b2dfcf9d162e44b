import { Admission } from "@hearth-platform/hearth/admission/admission";
import { CloudSuite, type CloudSuiteEndpoints } from "@hearth-platform/hearth/cloudsuite/cloudsuite";
import { Forge } from "@hearth-platform/hearth/forge/forge";
import { Hub } from "@hearth-platform/hearth/hub/hub";
import { SiteWebhook } from "@hearth-platform/hearth/site-webhook/site-webhook";
import { Stores } from "@hearth-platform/hearth/stores/shared/stores";
import {
  admission as admissionArgs,
  clusterArgs,
  forge as forgeArgs,
  hub as hubArgs,
  objectStores,
  sharedStores,
  siteWebhook as siteWebhookArgs,
  suites,
} from "@hearth-platform/stack/arguments";
import { runningStack } from "@hearth-platform/stack/running-stack";
import * as aws from "@pulumi/aws/provider.js";
import * as kubernetes from "@pulumi/kubernetes/provider.js";

const stack = runningStack(import.meta.dirname);

const cluster = new kubernetes.Provider("cluster", clusterArgs(stack));

const limits = admissionArgs(stack);
const admission = limits && new Admission("admission", limits, { providers: [cluster] });
// A limit that was raised is raised in the cluster before anything makes use of it.
const dependsOn = admission ? [admission] : [];

const stores = new Map(objectStores(stack).map(({ name, args }) => [name, new aws.Provider(name, args)]));

const options = (store: string) => {
  const buckets = stores.get(store);
  return { providers: buckets ? [cluster, buckets] : [cluster], dependsOn };
};

const shared = sharedStores(stack);
const platform = shared && new Stores("platform", shared.args, options(shared.store));

const forgeOf = forgeArgs(stack);
const codeForge = forgeOf && platform && new Forge("forge", forgeOf, { providers: [cluster], dependsOn: [platform] });

const hubOf = hubArgs(stack);
const imageHub =
  hubOf &&
  platform &&
  // The forge makes the client that the hub signs on with.
  new Hub("hub", hubOf, { providers: [cluster], dependsOn: codeForge ? [platform, codeForge] : [platform] });

const cloudsuites = suites(stack).map(({ name, args, store }) => ({
  name,
  suite: new CloudSuite(name, args, options(store)),
}));

const webhookOf = siteWebhookArgs(stack);
const webhook = webhookOf && new SiteWebhook("site-webhook", webhookOf, { providers: [cluster] });

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
  cloudsuites.map(({ name, suite }) => [name, suite.endpoints]),
);

/** The first administrator of each suite; the password, a secret, only where it was generated. */
export const administrators = Object.fromEntries(
  cloudsuites.map(({ name, suite }) => [name, { user: suite.adminUser, password: suite.adminPassword }]),
);

/** Address of each site that a git hosting provider has to call, the webhook's image, and the digest it was pushed with. Empty in a stack without a webhook. */
export const siteWebhook = webhook
  ? { urls: webhook.urls, image: webhook.image, digest: webhook.digest, secret: webhook.secret }
  : {};
