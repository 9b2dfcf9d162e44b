import { chmod, copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildahStorage } from "@hearth-platform/sandbox/container-builder";
import { buildBundle } from "@hearth-platform/site-webhook/build";
import { execa } from "execa";
import { expect, test } from "vitest";

const dockerfile = join(import.meta.dirname, "..", "..", "webhook", "Dockerfile");

interface Descriptor {
  readonly digest: string;
}

// The real buildah; the sandbox's Pulumi, for one, writes files that are its owner's alone.
test("the image's user can read the service, whatever the mode of its file here", async () => {
  const folder = await mkdtemp(join(tmpdir(), "site-webhook-image-"));
  const bundle = join(folder, "context", "dist", "site-webhook.mjs");
  const layout = join(folder, "layout");
  const json = async <T>(...path: string[]): Promise<T> => JSON.parse(await readFile(join(layout, ...path), "utf8"));
  try {
    await mkdir(join(folder, "context"));
    await copyFile(dockerfile, join(folder, "context", "Dockerfile"));
    buildBundle(bundle);
    await chmod(bundle, 0o600);
    const { options, env } = buildahStorage(folder);
    const build = ["build", "--build-arg", "BASE=scratch", "--tag", "localhost/webhook:test", join(folder, "context")];
    await execa("buildah", [...options, ...build], { env });
    await execa("buildah", [...options, "push", "localhost/webhook:test", `oci:${layout}`], { env });

    const [manifest] = (await json<{ manifests: Descriptor[] }>("index.json")).manifests;
    const { layers } = await json<{ layers: Descriptor[] }>("blobs", ...(manifest?.digest.split(":") ?? []));
    const layer = join(layout, "blobs", ...(layers[0]?.digest.split(":") ?? []));
    const { stdout } = await execa("tar", ["--list", "--verbose", "--gzip", "--file", layer]);
    expect(stdout).toMatch(/^-rw-r--r-- .* site-webhook\.mjs$/m);
  } finally {
    await rm(folder, { recursive: true });
  }
});
