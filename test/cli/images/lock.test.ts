import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceBase } from "@hearth-platform/hearth/catalogue/images";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { sharedOf } from "@hearth-platform/stack/areas/shared";
import type { StackImage } from "@hearth-platform/stack/delivery/stack-images";
import { buildProblems, checkLockedStack } from "@hearth-platform/stack/locked-stack";
import { formatProblem } from "@hearth-platform/stack/settings/report";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hearthIn } from "../../support/caller.ts";
import { type Changes, committedStack, withSettings, writeStack } from "../../support/stack-files.ts";
import { type Behaviour, digestFor, startRegistry } from "./registry-server.ts";

const { repository: built } = committedStack("prod").settings.siteWebhook as { repository: string };
const file = "images.lock.json";
const keystore = `docker.io/valkey/valkey:${programs.valkey.deployed}`;
const makers = ["docker.io", "ghcr.io", "registry.gitlab.com", "gcr.io"];

let project = "";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "hearth-lock-"));
  // Nobody has signed in.
  vi.stubEnv("DOCKER_CONFIG", project);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(project, { recursive: true });
});

/** Writes stack `prod` as `test`, its images from the registry at `host`. */
function writeProject(host: string, settings: Changes = { "images.lock": file }) {
  const mirrors = Object.fromEntries(makers.map((maker) => [maker, `${host}/${maker}`]));
  const files = withSettings(committedStack("prod"), { "images.mirrors": mirrors, ...settings });
  writeStack(files, project, "Pulumi.test.yaml");
}

const images = (...args: string[]) => hearthIn(project, "images", ...args, "--stack", "test");
const written = () => JSON.parse(readFileSync(join(project, file), "utf8")) as Record<string, string>;

async function locked(behaviour: Behaviour = {}) {
  await using registry = await startRegistry(behaviour);
  writeProject(registry.host);
  return { ...(await images("lock")), host: registry.host, asked: registry.asked };
}

/** Problems of the stack as a person reads them. */
function problems(): string[] {
  const { source } = sourceFromFile(project, "test");
  return source ? checkLockedStack(project, source).problems.map(formatProblem) : [];
}

describe("./hearth images lock", () => {
  it("writes the digest of every image, by the name its maker gives it, sorted", async () => {
    const { status, stderr } = await locked({ signIn: "token" });
    const lock = written();
    const names = Object.keys(lock);
    expect([status, stderr]).toEqual([0, `${names.length} images are locked in ${file}.\n`]);
    expect(names).toEqual([...names].sort());
    expect(names).toContain(serviceBase);
    expect(names.length).toBeGreaterThan(15);
    for (const [image, digest] of Object.entries(lock)) expect(digest, image).toBe(digestFor(image));
  });

  it("locks what the stack then pulls: each image, but of the one it builds what that starts from", async () => {
    const { host } = await locked();
    const listed: StackImage[] = JSON.parse((await images("list", "--json")).stdout);
    expect(listed.length).toBe(Object.keys(written()).length);
    for (const { image, repository, tag, digest } of listed)
      if (repository === built) expect(digest).toBeUndefined();
      else expect(image).toBe(`${repository}:${tag}@${digestFor(`${repository.slice(host.length + 1)}:${tag}`)}`);
  });

  it("tells programs what it wrote, or why it wrote nothing", async () => {
    await using registry = await startRegistry();
    writeProject(registry.host);
    const { stdout } = await images("lock", "--json");
    expect(JSON.parse(stdout)).toEqual({ file: join(project, file), digests: written(), problems: [] });
    await using broken = await startRegistry({ problems: { valkey: "gone" } });
    writeProject(broken.host);
    const { status, stdout: refusal } = await images("lock", "--json");
    expect([status, JSON.parse(refusal)]).toEqual([1, { problems: [expect.stringContaining("valkey")] }]);
  });

  it("gives the same file again, and asks for each image once", async () => {
    await locked();
    const before = readFileSync(join(project, file), "utf8");
    const { status, asked } = await locked();
    expect([status, readFileSync(join(project, file), "utf8")]).toEqual([0, before]);
    expect(new Set(asked).size).toBe(Object.keys(written()).length);
  });

  it("tells of all images that have no digest, and leaves the lock as it was", async () => {
    const { status, stderr } = await locked({ problems: { nextcloud: "gone", valkey: "broken" } });
    expect([status, readdirSync(project)]).toEqual([1, expect.not.arrayContaining([file])]);
    expect(stderr).toMatch(/^No lock was written\.\n/);
    expect(stderr).toMatch(/docker\.io\/library\/nextcloud:\S+ is not in 127/);
    expect(stderr).toMatch(/docker\.io\/valkey\/valkey:\S+ can't be resolved: \S+ answered 503/);
  });

  it("writes where it is told to, and says how to use it", async () => {
    await using registry = await startRegistry();
    writeProject(registry.host, {});
    expect(await images("lock")).toMatchObject({ status: 2, stderr: expect.stringContaining("Name the file") });
    const { status, stderr } = await images("lock", "--out", file);
    expect([status, stderr]).toEqual([0, expect.stringContaining("Name it in hearth:images.lock.")]);
    expect(Object.keys(written()).length).toBeGreaterThan(15);
  });

  it.each([
    [["list", "--out", "x"], "Unknown option '--out'"],
    [["lock", "list"], "Too many arguments for 'lock'"],
  ])("is a usage error with %j", async (args, problem) => {
    expect(await images(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(problem) });
  });
});

describe("a stack with a lock", () => {
  const remedy = "./hearth images lock --stack test";

  it("is refused without the file, at the place that names it", () => {
    writeProject("registry.example.org");
    expect(problems()).toEqual([
      expect.stringMatching(
        /^Pulumi\.test\.yaml:\d+:\d+: error: hearth:images\.lock: The file does not exist\. \[file\]\n/,
      ),
    ]);
    expect(problems()[0]).toContain(remedy);
  });

  it("is refused where an image is missing in the lock, which an update of the platform brings about", async () => {
    await locked();
    const { [keystore]: gone, ...rest } = written();
    expect(gone).toBeDefined();
    writeFileSync(join(project, file), JSON.stringify(rest));
    const [problem, ...others] = problems();
    expect(others).toEqual([]);
    expect(problem).toContain(`hearth:images.lock: ${file} has no digest for ${keystore}. [unlocked]`);
    expect(problem).toContain(remedy);
  });

  const digest = `sha256:${"0".repeat(64)}`;
  it.each([
    ["{", /^images\.lock\.json:1:2: error: .*\[yaml-syntax\]/],
    ["[]", /^images\.lock\.json:1:1: error/],
    [`{ "docker.io/app": "${digest}" }`, /^images\.lock\.json:1:\d+: error: .*is not an image with a tag/],
    [`{ "app:1@${digest}": "${digest}" }`, /is not an image with a tag/],
    [`{ "docker.io/a/B:1": "${digest}" }`, /is not an image with a tag/],
    [`{\n "app:1": "${digest}0" }`, /^images\.lock\.json:2:11: error: .*is not a digest/],
    ['{ "app:1": "sha256:0" }', /is not a digest/],
    [`{ "app:1": "${digest.replace("256", "512")}" }`, /is not a digest/],
    ['{ "app:1": 7 }', /is not a digest/],
    ['{ "app:1": { "digest": "x" } }', /is not a digest/],
  ])("is refused with the lock %s", (content, problem) => {
    writeProject("registry.example.org");
    writeFileSync(join(project, file), content);
    expect(problems()).toEqual([expect.stringMatching(problem)]);
  });

  it("may have images in its lock that it no longer runs", async () => {
    await locked();
    writeFileSync(join(project, file), JSON.stringify({ ...written(), "registry.example.org:5000/a/b:1": digest }));
    expect(problems()).toEqual([]);
  });
});

describe("the image that the stack builds", () => {
  const stackOf = () => {
    const { source } = sourceFromFile(project, "test");
    const { stack } = source ? checkLockedStack(project, source) : {};
    if (!stack) throw new Error("The stack has problems.");
    return { stack, file: source?.file ?? "", built: sharedOf(stack).serviceImage.built };
  };
  const warnings = () => {
    const { stack, file } = stackOf();
    return buildProblems(stack, file).map(({ message, remedy }) => `${message} ${remedy}`);
  };

  it("starts from the locked digest, through the mirrors, and has another tag for another digest", async () => {
    const { host } = await locked();
    const first = stackOf().built;
    expect(first?.build.baseImage).toBe(`${host}/${serviceBase}@${digestFor(serviceBase)}`);
    const digest = `sha256:${"1".repeat(64)}`;
    writeFileSync(join(project, file), JSON.stringify({ ...written(), [serviceBase]: digest }));
    const second = stackOf().built;
    expect(second?.build.baseImage).toBe(`${host}/${serviceBase}@${digest}`);
    expect(second?.image).not.toBe(first?.image);
    expect(second?.image.split(":")[0]).toBe(first?.image.split(":")[0]);
  });

  it("gives one warning before a build from a tag in production, with the way to lock it", async () => {
    writeProject("registry.example.org", {});
    expect(warnings()).toEqual([
      expect.stringMatching(/starts from registry\.example\.org\/gcr\.io\/\S+:nonroot, .*images lock --stack test/),
    ]);
  });

  it("gives none where its base has a digest, in the lock or in the settings, nor in development, nor where nothing is built", async () => {
    await locked();
    expect(warnings()).toEqual([]);
    const digest = `@sha256:${"1".repeat(64)}`;
    const image = { "siteWebhook.image": "registry.example.org/hook:1.0.0", "siteWebhook.repository": undefined };
    for (const settings of [
      { "siteWebhook.baseImage": `${serviceBase}${digest}` },
      { profile: "development" },
      image,
    ]) {
      writeProject("registry.example.org", settings);
      expect(warnings(), JSON.stringify(settings)).toEqual([]);
    }
  });

  it("is refused where the lock does not have its base", async () => {
    await locked();
    const { [serviceBase]: gone, ...rest } = written();
    expect(gone).toBeDefined();
    writeFileSync(join(project, file), JSON.stringify(rest));
    expect(problems()).toEqual([expect.stringContaining(`has no digest for ${serviceBase}. [unlocked]`)]);
  });
});
