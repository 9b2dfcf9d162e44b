import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KitMeans, kitCommand } from "@hearth-platform/cli/kit/command";
import type { HeldObject } from "@hearth-platform/cli/kit/contents";
import type { KitCluster } from "@hearth-platform/cli/kit/gather";
import { keptKey, keptOf } from "@hearth-platform/cli/kit/kept";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { vi } from "vitest";
import { type Answer, call } from "../../support/caller.ts";
import { checkFiles, committedStack, type StackFiles, withSettings, writeStack } from "../../support/stack-files.ts";

/** A stack with its cluster, state and object store, for tests of recovery kits. */

/** A pair of age's keys. */
export async function keyPair() {
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** Text that no output may have: it is in the values of all Secrets and of the state. */
export const canary = "cAnArY0123456789cAnArY";
export const identityOfCluster = "8c6b2c1e-0000-4000-8000-000000000000";
export const now = new Date("2026-11-24T12:00:00Z");

const state = {
  version: 3,
  deployment: {
    resources: [
      { urn: "urn:pulumi:dev::hearth::pulumi:pulumi:Stack::hearth-dev", type: "pulumi:pulumi:Stack" },
      { urn: "urn:pulumi:dev::hearth::hearth:index:Hub::hub", type: "hearth:index:Hub", inputs: { secret: canary } },
    ],
  },
};

export class KitWorld {
  readonly folder = mkdtempSync(join(tmpdir(), "hearth-kit-test-"));
  readonly objects = new Map<string, HeldObject>();
  /** What was applied. */
  readonly applied: KubernetesObject[] = [];
  state: object = state;
  identity = identityOfCluster;
  /** Why the cluster refuses to take objects. */
  refusal: string | undefined;
  /** Objects of the bucket by their names: when they were written, and what they are. */
  readonly bucket = new Map<string, readonly [written: string, content: string]>();
  readonly files: StackFiles;
  #store: Server | undefined;

  constructor(recipients: readonly string[], files = committedStack("dev")) {
    this.files = withSettings(files, { "kit.recipients": recipients });
    writeStack(this.files, this.folder, "Pulumi.dev.yaml");
    writeFileSync(join(this.folder, "Pulumi.yaml"), "name: hearth\n");
    const { stack } = checkFiles(this.files);
    if (!stack) throw new Error("The stack of the test has problems.");
    for (const each of keptOf(stack).filter(({ isNeeded }) => isNeeded)) {
      const { kind, namespace, name } = each;
      const data = { value: Buffer.from(`${canary} of ${name}`).toString("base64") };
      const managedFields = [{ time: "2026-11-20T00:00:00Z", fieldsV1: { "f:data": { "f:value": {} } } }];
      const metadata = { name, namespace, uid: `uid of ${namespace}/${name}`, managedFields };
      this.objects.set(keptKey(each), { apiVersion: "v1", kind, metadata, type: "Opaque", data });
    }
  }

  /** Starts the object store, and makes it that of the environment. */
  async openStore(): Promise<void> {
    this.#store = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://store");
      const [, , ...key] = pathname.split("/");
      const object = this.bucket.get(key.join("/"));
      const listed = [...this.bucket].map(
        ([name, [written]]) => `<Contents><Key>${name}</Key><LastModified>${written}</LastModified></Contents>`,
      );
      response.end(object ? object[1] : `<?xml version="1.0"?><ListBucketResult>${listed.join("")}</ListBucketResult>`);
    });
    await new Promise<void>((resolve) => this.#store?.listen(0, "127.0.0.1", resolve));
    vi.stubEnv("AWS_ENDPOINT_URL_S3", `http://127.0.0.1:${(this.#store.address() as AddressInfo).port}`);
  }

  close(): void {
    this.#store?.close();
    rmSync(this.folder, { recursive: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Runs `./hearth kit ARGS` on the stack. */
  kit(...args: string[]): Promise<Answer> {
    return call((session) => kitCommand(session, this.#means()), this.folder, args, this.folder);
  }

  #means(): KitMeans {
    const cluster: KitCluster = {
      server: "https://10.0.0.1:6443",
      get: async ({ kind, metadata: { namespace = "", name } }) =>
        this.objects.get(keptKey({ kind: kind as "Secret", namespace, name })),
      read: async <T>() => ({ metadata: { uid: this.identity } }) as T,
      apply: async (object) => {
        if (this.refusal !== undefined) throw new Error(this.refusal);
        this.applied.push(object);
        return object;
      },
      close: () => {},
    };
    const answers: Readonly<Record<string, () => string>> = {
      "stack export": () => JSON.stringify(this.state),
      "whoami --json": () => JSON.stringify({ url: "s3://states" }),
      "version --non-interactive": () => "v3.270.0\n",
    };
    return {
      open: async () => cluster,
      pulumi: async (args) => {
        const stdout = answers[args.slice(0, 2).join(" ")]?.();
        return { stdout: stdout ?? "", stderr: "", succeeded: stdout !== undefined };
      },
      now: () => now,
    };
  }
}
