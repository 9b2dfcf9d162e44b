import { createHash } from "node:crypto";
import { registryDigest } from "@hearth-platform/cli/images/registry";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { expect, it } from "vitest";

const registry = sandboxEnvironment(await openSandbox()).HEARTH_SANDBOX_REGISTRY ?? "";
const repository = "image-lock/app";
const api = `http://${registry}/v2/${repository}`;

/** Where content is, as manifests refer to it. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

function descriptor(mediaType: string, content: string): Descriptor {
  const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
  return { mediaType, digest, size: Buffer.byteLength(content) };
}

async function pushBlob(mediaType: string, content: string): Promise<Descriptor> {
  const pushed = descriptor(mediaType, content);
  const upload = await fetch(`${api}/blobs/uploads/`, { method: "POST" });
  const { status } = await fetch(`${upload.headers.get("location")}&digest=${pushed.digest}`, {
    method: "PUT",
    body: content,
  });
  expect(status).toBe(201);
  return pushed;
}

async function pushManifest(
  tag: string,
  manifest: Record<string, unknown> & { mediaType: string },
): Promise<Descriptor> {
  const { mediaType } = manifest;
  const body = JSON.stringify({ schemaVersion: 2, ...manifest });
  const request = { method: "PUT", headers: { "content-type": mediaType }, body };
  expect((await fetch(`${api}/manifests/${tag}`, request)).status).toBe(201);
  return descriptor(mediaType, body);
}

const digestOf = (tag: string) =>
  registryDigest(`${registry}/${repository}:${tag}`, () => undefined, AbortSignal.timeout(30_000));

it("a real registry gives the digest of an image, of several platforms' index, and of a tag that has moved", async () => {
  const config = await pushBlob("application/vnd.oci.image.config.v1+json", "{}");
  const image = { mediaType: "application/vnd.oci.image.manifest.v1+json", config, layers: [] };
  const first = await pushManifest("1", image);
  expect(await digestOf("1")).toBe(first.digest);
  const index = await pushManifest("2", {
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [{ ...first, platform: { architecture: "amd64", os: "linux" } }],
  });
  expect(await digestOf("2")).toBe(index.digest);
  const moved = await pushManifest("1", { ...image, annotations: { "org.opencontainers.image.version": "1.0.1" } });
  expect(moved.digest).not.toBe(first.digest);
  expect(await digestOf("1")).toBe(moved.digest);
  await expect(digestOf("3")).rejects.toThrow(`is not in ${registry}`);
});
