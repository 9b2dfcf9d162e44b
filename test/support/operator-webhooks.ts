import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { waitUntil } from "@hearth-platform/sandbox/health";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { portIsFree } from "@hearth-platform/sandbox/ports";
import { ensureJudges, type Judge } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { execa, type ResultPromise } from "execa";
import { parseAllDocuments } from "yaml";
import { freePort } from "./free-ports.ts";
import type { TestCluster } from "./test-cluster.ts";

interface Webhook {
  name: string;
  clientConfig: { service?: { path: string }; url?: string; caBundle?: string };
  [field: string]: unknown;
}

type Configuration = Omit<KubernetesObject, "metadata"> & { metadata: { name: string }; webhooks: Webhook[] };

const judged = ["cloudnative-pg", "cert-manager", "external-secrets"] as const satisfies readonly Judge[];
type WebhookJudge = (typeof judged)[number];

/** As the charts of cert-manager 1.21.2 and External Secrets 1.3.2 have them; CloudNativePG's come with its module. */
const otherWebhooks = {
  "cert-manager": { path: "/validate", group: "cert-manager.io", resource: "*/*" },
  "external-secrets": {
    path: "/validate-external-secrets-io-v1-externalsecret",
    group: "external-secrets.io",
    resource: "externalsecrets",
  },
} as const;

/**
 * The operators' own webhooks, one process an operator, registered at an API server for one namespace: what is tried there
 * passes them first.
 */
export class OperatorWebhooks {
  readonly #folder: string;
  readonly #authority: CertificateAuthority;
  readonly #processes: ResultPromise[] = [];
  readonly #configurations: Configuration[] = [];
  readonly #cluster: TestCluster;

  private constructor(folder: string, authority: CertificateAuthority, cluster: TestCluster) {
    this.#folder = folder;
    this.#authority = authority;
    this.#cluster = cluster;
  }

  /** Builds them where that is still to be done. */
  static async start(cluster: TestCluster, namespace: string): Promise<OperatorWebhooks> {
    const folders = await ensureJudges(judged, createProgress());
    const folder = await mkdtemp(join(tmpdir(), "hearth-webhooks-"));
    const authority = await CertificateAuthority.open(folder);
    const webhooks = new OperatorWebhooks(folder, authority, cluster);
    try {
      await webhooks.#writeCertificate();
      await Promise.all(judged.map((judge, index) => webhooks.#register(judge, folders[index] ?? "", namespace)));
      return webhooks;
    } catch (error) {
      await webhooks[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #writeCertificate(): Promise<void> {
    const { certificate, privateKey } = await this.#authority.issue({
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      lifetime: 24 * 3_600_000,
      key: { algorithm: "ECDSA", curve: "P-256" },
    });
    await writeFile(join(this.#folder, "tls.crt"), certificate);
    await writeFile(join(this.#folder, "tls.key"), privateKey, { mode: 0o600 });
  }

  async #register(judge: WebhookJudge, program: string, namespace: string): Promise<void> {
    const port = await this.#serve(judge, program);
    const configurations =
      judge === "cloudnative-pg" ? await published(join(program, "manifests.yaml")) : [configurationOf(judge)];
    for (const configuration of configurations) {
      for (const webhook of configuration.webhooks) {
        const url = `https://127.0.0.1:${port}${webhook.clientConfig.service?.path}`;
        webhook.clientConfig = { url, caBundle: Buffer.from(this.#authority.certificate).toString("base64") };
        // The most the API server allows: a machine with much to do is no complaint.
        webhook.timeoutSeconds = 30;
        webhook.namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
      }
      configuration.metadata = { name: `test-${judge}-${configuration.kind.toLowerCase()}` };
      this.#configurations.push(configuration);
      // A killed run leaves its own, which lead nowhere.
      await this.#cluster.delete(configuration);
      await this.#cluster.create(configuration);
    }
  }

  async #serve(judge: WebhookJudge, program: string): Promise<number> {
    const port = await freePort();
    const options = ["-port", String(port), "-certs", this.#folder];
    const [name, ...command] = judge === "cloudnative-pg" ? ["operator", "webhooks"] : ["webhooks"];
    const started = execa(join(program, name), [...command, ...options], {
      all: true,
      reject: false,
      stdin: "ignore",
    });
    this.#processes.push(started);
    let ended: string | undefined;
    started.then(({ all }) => {
      ended = all;
    });
    const listens = await waitUntil(async () => ended !== undefined || !(await portIsFree(port)), 30_000);
    if (!listens) throw new Error(`The webhooks of ${judge} do not listen within 30 s.`);
    if (ended !== undefined) throw new Error(`The webhooks of ${judge} ended:\n${ended}`);
    return port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const configuration of this.#configurations) await this.#cluster.delete(configuration);
    for (const process of this.#processes) process.kill();
    await Promise.all(this.#processes);
    await rm(this.#folder, { recursive: true });
  }
}

async function published(file: string): Promise<Configuration[]> {
  return parseAllDocuments(await readFile(file, "utf8")).map((document) => document.toJS() as Configuration);
}

function configurationOf(judge: keyof typeof otherWebhooks): Configuration {
  const { path, group, resource } = otherWebhooks[judge];
  const rule = {
    apiGroups: [group],
    apiVersions: ["v1"],
    operations: ["CREATE", "UPDATE"],
    resources: [resource],
    scope: "Namespaced",
  };
  const webhook = {
    name: `validate.${group}`,
    clientConfig: { service: { path } },
    rules: [rule],
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    failurePolicy: "Fail",
  };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: judge },
    webhooks: [webhook],
  };
}
