import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { registriesConf } from "@hearth-platform/sandbox/plugins/docker-build/builder";
import { hashContext } from "@hearth-platform/sandbox/plugins/docker-build/context";
import { buildImage, checkImage, diffImage } from "@hearth-platform/sandbox/plugins/docker-build/image";
import { nodeBase, standInFor } from "@hearth-platform/sandbox/plugins/docker-build/node-base";
import { parseReference, SandboxRegistry, withDigest } from "@hearth-platform/sandbox/plugins/docker-build/reference";
import { type Properties, UNKNOWN } from "@hearth-platform/sandbox/plugins/grpc";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const resource = { urn: "", type: "docker-build:index:Image", name: "image" };
let context: string;

beforeEach(async () => {
  context = await mkdtemp(join(tmpdir(), "hearth-context-"));
  await put("Dockerfile", "FROM scratch\nCOPY . /app\n");
  await put("main.js", "1");
});
afterEach(() => rm(context, { recursive: true }));

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(context, path)), { recursive: true });
  await writeFile(join(context, path), content);
}

const inputs = (more: Properties = {}): Properties => ({
  context: { location: context },
  push: true,
  buildOnPreview: false,
  tags: ["registry.example.org/team/hook:1"],
  ...more,
});

describe("an image's reference", () => {
  test.each([
    ["node:24", { host: "docker.io", path: "library/node", tag: "24" }],
    ["team/hook", { host: "docker.io", path: "team/hook", tag: "latest" }],
    ["registry.example.org/team/hook:1.0_a", { host: "registry.example.org", path: "team/hook", tag: "1.0_a" }],
    ["127.0.0.1:5000/hook:1", { host: "127.0.0.1:5000", path: "hook", tag: "1" }],
    ["localhost/hook", { host: "localhost", path: "hook", tag: "latest" }],
  ])("%s is taken apart", (text, reference) => {
    expect(parseReference(text)).toEqual(reference);
  });

  test("what is none is refused", () => {
    expect(() => parseReference("registry.example.org/Team/hook")).toThrow("is not an image reference");
  });

  test("only a reference with its host gets a digest", () => {
    expect(withDigest("registry.example.org/hook", "sha256:1")).toBe("registry.example.org/hook:latest@sha256:1");
    expect(withDigest("hook:1", "sha256:1")).toBeUndefined();
  });

  test("every host is the sandbox's registry", () => {
    const registry = new SandboxRegistry("127.0.0.1:1");

    expect(registry.mapped("registry.example.org/team/hook:1")).toBe("127.0.0.1:1/team/hook:1");
    expect(registry.mapped("node:24")).toBe("127.0.0.1:1/library/node:24");
    expect(() => new SandboxRegistry("")).toThrow("HEARTH_SANDBOX_REGISTRY is not set");
  });
});

test("the stand-in for the base is built from whatever digest a lock has; another image is none of its business", () => {
  const digest = `@sha256:${"0".repeat(64)}`;
  expect([nodeBase, `${nodeBase}${digest}`].map(standInFor)).toEqual([nodeBase, nodeBase]);
  expect(standInFor(`docker.io/library/node:24${digest}`)).toBe(`docker.io/library/node:24${digest}`);
});

describe("hashContext", () => {
  const hash = () => hashContext(context, { location: join(context, "Dockerfile") });

  test("stays the same when only times change", async () => {
    const before = hash();
    await utimes(join(context, "main.js"), 1, 1);
    expect(hash()).toBe(before);
  });

  test.each([
    ["a file's content", () => put("main.js", "2")],
    ["a new file", () => put("lib/a.js", "")],
    ["a file's mode", () => chmod(join(context, "main.js"), 0o755)],
    ["the Dockerfile", () => put("Dockerfile", "FROM scratch\n")],
  ])("changes with %s", async (_, change) => {
    const before = hash();
    await change();
    expect(hash()).not.toBe(before);
  });

  test("does not see what .dockerignore leaves out; the last pattern that matches decides", async () => {
    await put(".dockerignore", "# comment\n/logs\n**/*.log\n!keep.log\nnode_modules/\n");
    const before = hash();

    await put("logs/a", "1");
    await put("deep/b.log", "1");
    await put("node_modules/a/index.js", "1");
    expect(hash()).toBe(before);
    await put("keep.log", "1");
    expect(hash()).not.toBe(before);
  });

  test("prefers the Dockerfile's own ignore file", async () => {
    await put(".dockerignore", "main.js\n");
    await put("Dockerfile.dockerignore", "other.js\n*ignore\n");
    const before = hash();

    await put("other.js", "1");
    expect(hash()).toBe(before);
    await put("main.js", "2");
    expect(hash()).not.toBe(before);
  });
});

describe("the check of a build", () => {
  const failures = (news: Properties) =>
    checkImage({ ...resource, olds: undefined, news, randomSeed: new Uint8Array() }).failures;

  test("accepts an image for this machine among others, and caches that it has no use for", () => {
    const platforms = ["linux/amd64", "linux/arm64"];

    expect(
      failures(inputs({ platforms, cacheFrom: [{ gha: {} }], exports: [], load: false, network: "default" })),
    ).toEqual([]);
  });

  test.each<[string, Properties, string]>([
    ["context.location", { context: { location: "/nowhere" } }, '"/nowhere": not a valid directory or URL'],
    ["platforms", { platforms: ["linux/s390x"] }, "the sandbox's stand-in builds for this machine only"],
    ["tags", { tags: [] }, "at least one tag is needed when pushing to a registry"],
    ["tags[0]", { tags: ["Bad"] }, '"Bad" is not an image reference'],
    ["secrets", { secrets: { a: "b" } }, "the sandbox's stand-in for docker-build does not do it"],
    ["push", { push: undefined }, "Missing required property 'push'"],
  ])("names %s", (property, change, reason) => {
    expect(failures(inputs(change))).toEqual([{ property, reason: expect.stringContaining(reason) }]);
  });

  test("names a Dockerfile that is not there", async () => {
    await rm(join(context, "Dockerfile"));
    expect(failures(inputs())?.[0]?.property).toBe("dockerfile.location");
  });

  test("lets through what is not known yet", () => {
    expect(failures(inputs({ context: { location: UNKNOWN }, tags: UNKNOWN }))).toEqual([]);
  });
});

describe("diff and preview", () => {
  async function diff(change: Properties = {}) {
    const before = inputs();
    const { state } = await buildImage("image", before, true);
    const request = { ...resource, id: "id", ignoreChanges: [], oldInputs: before, oldState: state };
    return (news = inputs(change)) => diffImage({ ...request, news });
  }

  test("a preview knows the context's hash and builds nothing", async () => {
    const { id, state } = await buildImage("image", inputs(), true);

    expect(id).toBe("");
    expect(state).toMatchObject({
      contextHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      digest: UNKNOWN,
      ref: UNKNOWN,
    });
  });

  test("the same inputs and context are no change", async () => {
    expect(await (await diff())()).toEqual({ changes: false, replaces: [], detailed: {} });
  });

  test("a changed file is an update of the context's hash", async () => {
    const compare = await diff();
    await put("main.js", "2");

    expect(await compare()).toEqual({ changes: true, replaces: [], detailed: { contextHash: { kind: "update" } } });
  });

  test("a changed argument is an update, a registry's new password is none", async () => {
    const { detailed } = await (await diff({ buildArgs: { A: "1" } }))();
    expect(detailed).toEqual({ buildArgs: { kind: "add", inputDiff: true } });
    const registries = (password: string) => [{ address: "registry.example.org", username: "u", password }];
    const before = inputs({ registries: registries("old") });
    const { state } = await buildImage("image", before, true);
    const request = { ...resource, id: "id", ignoreChanges: [], oldInputs: before, oldState: state };
    const { changes } = await diffImage({ ...request, news: inputs({ registries: registries("new") }) });
    expect(changes).toBe(false);
  });
});

test("base images of public registries are looked for in the sandbox's first", () => {
  expect(registriesConf("127.0.0.1:1")).toContain(
    '[[registry]]\nlocation = "docker.io"\n[[registry.mirror]]\nlocation = "127.0.0.1:1"\ninsecure = true\n',
  );
  expect(registriesConf(undefined)).not.toContain("mirror");
});

describe("the sandbox's registry", () => {
  let server: Server;
  let registry: SandboxRegistry;
  const requests: string[] = [];
  let status = 200;

  beforeEach(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.writeHead(status, { "docker-content-digest": "sha256:1" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    registry = new SandboxRegistry(`127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
    requests.length = 0;
  });

  test("says what a tag holds, or that it holds nothing", async () => {
    status = 200;
    expect(await registry.digest("registry.example.org/team/hook:1")).toBe("sha256:1");
    expect(requests).toEqual(["HEAD /v2/team/hook/manifests/1"]);
    status = 404;
    expect(await registry.digest("team/hook:1", "sha256:2")).toBeUndefined();
    status = 500;
    await expect(registry.digest("team/hook:1")).rejects.toThrow("answered 500 for team/hook:1");
  });

  test("deleting what is gone is fine", async () => {
    status = 404;
    await registry.remove("team/hook:1", "sha256:1");
    expect(requests).toEqual(["DELETE /v2/team/hook/manifests/sha256:1"]);
  });
});
