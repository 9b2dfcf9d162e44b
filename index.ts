import * as aws from "@pulumi/aws/provider.js";
import * as kubernetes from "@pulumi/kubernetes/provider.js";
import { CloudSuite } from "./components/cloudsuite/cloudsuite.ts";
import { runningStack } from "./settings/engine.ts";
import { clusterArgs, objectStores, suites } from "./stack.ts";

const stack = runningStack(import.meta.dirname);

const cluster = new kubernetes.Provider("cluster", clusterArgs(stack));

const stores = new Map(objectStores(stack).map(({ name, args }) => [name, new aws.Provider(name, args)]));

const cloudsuites = suites(stack).map(({ name, args, store }) => {
  const buckets = stores.get(store);
  return { name, suite: new CloudSuite(name, args, { providers: buckets ? [cluster, buckets] : [cluster] }) };
});

/** Public URLs by suite and part, e.g. `team.web`: `https://team.example.org`. */
export const endpoints = Object.fromEntries(cloudsuites.map(({ name, suite }) => [name, suite.endpoints]));
