/**
 * The sandbox's operators: one process that stands in for the visible effects of those a real cluster has.
 *
 * It takes no arguments; the environment says where everything is. KUBECONFIG: the sandbox's; folder `operators` beside it
 * keeps the certificate authority and the fake store's seed. AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID,
 * AWS_SECRET_ACCESS_KEY: the sandbox's S3 server. SIGTERM and SIGINT end it.
 */
import { dirname, join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { KubeClient } from "../kubernetes/client.ts";
import { buckets } from "./bucket.ts";
import { certificates } from "./certificate.ts";
import { CertificateAuthority } from "./certificate-authority.ts";
import { runOperators } from "./controller.ts";
import { databaseClusters } from "./database-cluster.ts";
import { externalSecrets } from "./external-secret.ts";
import { FakeStore } from "./fake-store.ts";
import { gateways } from "./gateway.ts";
import { loadBalancers } from "./load-balancer.ts";
import { podReferences } from "./pod-references.ts";
import { poolers } from "./pooler.ts";
import { reload, setupHash } from "./reload.ts";
import { scheduledBackups } from "./scheduled-backup.ts";
import { volumes } from "./volumes.ts";

const { KUBECONFIG: kubeconfig, AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: region = "us-east-1" } = process.env;
const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;

if (!kubeconfig) {
  console.error("KUBECONFIG is not set: the sandbox's operators are started by the sandbox.");
  process.exit(2);
}

const stop = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());

const client = KubeClient.fromKubeconfig(kubeconfig);
const authority = await CertificateAuthority.open(join(dirname(kubeconfig), "operators", "certificate-authority"));
const fake = await FakeStore.open(join(dirname(kubeconfig), "operators", "fake-store.seed"), {
  AWS_ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY,
});
const s3 = new S3Client({ endpoint, region, forcePathStyle: true });

console.log(`${new Date().toISOString()} started`);
await runOperators(
  client,
  [
    certificates(client, authority),
    externalSecrets(client, fake),
    databaseClusters(client),
    poolers(client),
    scheduledBackups(client),
    podReferences(client),
    volumes(client),
    loadBalancers(client),
    gateways(client),
    buckets(client, s3),
    // The same process with the code of now: the sandbox knows it by its pid.
    reload(await setupHash(client), () => process.execve?.(process.execPath, process.argv, process.env)),
  ],
  stop.signal,
);
process.exit(0);
