import { awsProviderArgs, CloudSuite } from "@hearth-platform/hearth";
import { Provider as ObjectStore } from "@pulumi/aws/provider.js";
import { Provider as Cluster } from "@pulumi/kubernetes/provider.js";

const store = { endpoint: "https://fsn1.your-objectstorage.com", region: "fsn1" };
const small = {
  requests: { cpu: "100m", memory: "512Mi" },
  limits: { cpu: "1000m", memory: "2Gi" },
};

const suite = new CloudSuite(
  "team",
  {
    namespace: "team",
    domain: "cloud.example.org",
    versions: { cloudsuite: "34.0.4-apache", db: "16", keystore: "8.1.9-alpine" },
    s3: { ...store, buckets: { data: "data-team-ex1", backups: "backups-team-ex1" } },
    storage: { storageClass: "replicated-block", dbSize: "10Gi", keystoreSize: "5Gi" },
    resources: { cloudsuite: small, db: small, keystore: small },
    replicas: { cloudsuite: 1, db: 1, keystore: 1 },
    platform: {
      profile: "development",
      ingress: { clusterIssuer: "letsencrypt-prod" },
      // You make this Secret with the object store's two keys.
      secrets: { existing: { "cloudsuite-s3-credentials": "s3-keys" } },
    },
  },
  {
    providers: [
      new Cluster("cluster", { context: "hearth-sandbox" }),
      new ObjectStore("store", awsProviderArgs(store)),
    ],
  },
);

/** Where the suite answers. */
export const endpoints = suite.endpoints;
/** How its administrator signs in for the first time. */
export const administrator = { user: suite.adminUser, password: suite.adminPassword };
