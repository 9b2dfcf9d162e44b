import * as aws from "@pulumi/aws/provider.js";
import * as kubernetes from "@pulumi/kubernetes/provider.js";
import { CloudSuite, type CloudSuiteEndpoints } from "./components/cloudsuite/cloudsuite.ts";
import { runningStack } from "./settings/engine.ts";
import { clusterArgs, objectStores, suites } from "./stack.ts";

const stack = runningStack(import.meta.dirname);

const cluster = new kubernetes.Provider("cluster", clusterArgs(stack));

const stores = new Map(objectStores(stack).map(({ name, args }) => [name, new aws.Provider(name, args)]));

const cloudsuites = suites(stack).map(({ name, args, store }) => {
  const buckets = stores.get(store);
  return { name, suite: new CloudSuite(name, args, { providers: buckets ? [cluster, buckets] : [cluster] }) };
});

/** Public URLs of each suite by its name. */
export const endpoints: Record<string, CloudSuiteEndpoints> = Object.fromEntries(
  cloudsuites.map(({ name, suite }) => [name, suite.endpoints]),
);

/** The first administrator of each suite; the password, a secret, only where it was generated. */
export const administrators = Object.fromEntries(
  cloudsuites.map(({ name, suite }) => [name, { user: suite.adminUser, password: suite.adminPassword }]),
);
