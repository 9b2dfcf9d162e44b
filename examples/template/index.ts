import { awsProviderArgs, CloudSuite } from "@hearth-platform/hearth";
import { Provider as ObjectStore } from "@pulumi/aws/provider.js";
import { Provider as Cluster } from "@pulumi/kubernetes/provider.js";
import { Config } from "@pulumi/pulumi";

const config = new Config();
const store = { endpoint: config.require("endpoint"), region: config.require("region") };
const suffix = config.require("bucketSuffix");
const amounts = {
  requests: { cpu: "100m", memory: "512Mi" },
  limits: { cpu: "1000m", memory: "2Gi" },
};

const suite = new CloudSuite(
  "team",
  {
    namespace: "team",
    domain: config.require("domain"),
    versions: { cloudsuite: "34.0.4-apache", db: "16", keystore: "8.1.9-alpine" },
    s3: { ...store, buckets: { data: `data-team-${suffix}`, backups: `backups-team-${suffix}` } },
    storage: { storageClass: "replicated-block", dbSize: "10Gi", keystoreSize: "5Gi" },
    resources: { cloudsuite: amounts, db: amounts, keystore: amounts },
    replicas: { cloudsuite: 1, db: 1, keystore: 1 },
    platform: {
      profile: "development",
      ingress: { clusterIssuer: config.require("clusterIssuer") },
      // Create this Secret with the object store's two keys as soon as the namespace exists.
      secrets: { existing: { "cloudsuite-s3-credentials": "s3-keys" } },
    },
  },
  // The cluster of your kubeconfig.
  { providers: [new Cluster("cluster"), new ObjectStore("store", awsProviderArgs(store))] },
);

/** Where the suite answers. */
export const endpoints = suite.endpoints;
/** How its administrator signs in for the first time. */
export const administrator = { user: suite.adminUser, password: suite.adminPassword };
