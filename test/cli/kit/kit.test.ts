import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { decryptWith } from "@hearth-platform/cli/kit/age";
import { kitFiles, readKit } from "@hearth-platform/cli/kit/contents";
import { noteIn } from "@hearth-platform/cli/kit/note";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { checkFiles, withSettings } from "../../support/stack-files.ts";
import { canary, identityOfCluster, KitWorld, keyPair } from "./world.ts";

let one: Awaited<ReturnType<typeof keyPair>>;
let two: typeof one;
let world: KitWorld;

beforeAll(async () => {
  [one, two] = await Promise.all([keyPair(), keyPair()]);
});
beforeEach(async () => {
  world = new KitWorld([one.recipient, two.recipient]);
  writeFileSync(world.path("one.key"), `# created: today\n${one.identity}\n`);
  world.bucket.set("configuration/Mon/config.php", ["2026-11-23T02:17:00.000Z", `<?php ${canary} old`]);
  world.bucket.set("configuration/Tue/config.php", ["2026-11-24T02:17:00.000Z", `<?php ${canary} new`]);
  await world.openStore();
});
afterEach(() => {
  world.close();
  vi.unstubAllEnvs();
});

const make = (...more: string[]) => world.kit("--stack", "dev", "--out", "dev.kit", ...more);
const check = (...more: string[]) => world.kit("check", "dev.kit", "--identity", "one.key", ...more);

async function opened(identity = one.identity) {
  const archive = await decryptWith(identity, readFileSync(world.path("dev.kit")), { file: "kit", identity: "key" });
  return readKit(archive);
}

describe("a recovery kit", () => {
  it("has the state, settings, Secrets, config.php, lines to recover and a page, and opens with either key", async () => {
    const { status, stderr } = await make();
    expect([status, stderr]).toEqual([0, expect.stringContaining("the recovery kit of stack dev, for 2 keys")]);
    const kit = await opened(two.identity);
    expect(kit.damaged).toEqual([]);
    const names = [...kit.files.keys()];
    expect(names.slice(0, 2)).toEqual([kitFiles.page, kitFiles.sums]);
    for (const name of [
      "state.json",
      "recover.yaml",
      "settings/Pulumi.yaml",
      "settings/Pulumi.dev.yaml",
      "settings/suites/team/config.yaml",
      "secrets/stack/platform/forge-rails-secrets.json",
      "secrets/stack/platform/hub-encryption-key.json",
      "secrets/stack/team/cloudsuite-admin.json",
      "secrets/store/team/cloudsuite-s3-credentials.json",
      "suites/team/config.php",
    ])
      expect(names).toContain(name);
    const text = (name: string) => Buffer.from(kit.files.get(name) ?? []).toString();
    expect(text("suites/team/config.php")).toContain("new");
    expect(JSON.parse(text("state.json"))).toEqual(world.state);
    expect(JSON.parse(text("secrets/stack/platform/hub-encryption-key.json"))).toEqual({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "hub-encryption-key", namespace: "platform" },
      type: "Opaque",
      data: { value: expect.any(String) },
    });
    expect(text(kitFiles.page)).toContain("age -d -i KEYFILE FILE | tar x");
    expect(kit.manifest).toMatchObject({
      stack: "dev",
      made: "2026-11-24T12:00:00.000Z",
      backend: "s3://states",
      cluster: { identity: identityOfCluster },
      programs: { pulumi: "v3.270.0", images: expect.arrayContaining([expect.stringContaining("nextcloud")]) },
      buckets: expect.arrayContaining(["data-team-dev1", "backups-team-dev1"]),
      gaps: [],
    });
  });

  it("is for its owner alone, and no value stands in an output or in another file", async () => {
    const { stdout, stderr } = await make("--json");
    expect(stdout + stderr).not.toContain(canary);
    expect(statSync(world.path("dev.kit")).mode & 0o777).toBe(0o600);
    const files = readdirSync(world.folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const plain = files.filter(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`).includes(canary));
    expect(plain).toEqual([]);
    expect(files.map(({ name }) => name)).not.toContain("dev.kit.unfinished");
  });

  it("is told to the cluster without any value: who can open it, and which Secrets it has", async () => {
    await make();
    const [told] = world.applied;
    expect(told?.metadata).toEqual({ name: "hearth-kit", namespace: "platform" });
    expect(noteIn(told as ConfigMap)).toMatchObject({
      made: "2026-11-24T12:00:00.000Z",
      recipients: [one.recipient, two.recipient],
      secrets: expect.arrayContaining([
        {
          namespace: "platform",
          name: "hub-encryption-key",
          uid: "uid of platform/hub-encryption-key",
          written: "2026-11-20T00:00:00Z",
        },
      ]),
    });
    expect(JSON.stringify(world.applied)).not.toMatch(
      new RegExp(`${canary}|${Buffer.from(canary).toString("base64").slice(0, 20)}`),
    );
  });

  it("is complete where the cluster may not be told of it", async () => {
    world.refusal = "configmaps is forbidden";
    const { status, stderr } = await make();
    expect([status, stderr]).toEqual([0, expect.stringContaining("doctor will not know of it")]);
    expect((await check()).status).toBe(0);
  });

  it("says what it lacks where a suite has no copy of its config.php yet", async () => {
    world.bucket.clear();
    const { status, stderr } = await make();
    expect(status).toBe(0);
    expect(stderr).toContain("has no nightly copy yet.");
    expect(stderr).toContain("kubectl -n team create job --from=cronjob/cloudsuite-config-backup config-now");
    const checked = await check("--json");
    expect(checked.status).toBe(1);
    expect(JSON.parse(checked.stdout).findings.map(({ code }: { code: string }) => code)).toEqual(["gap", "gap"]);
  });

  it("replaces a file only where it is told to", async () => {
    writeFileSync(world.path("dev.kit"), "older");
    const refused = await make();
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("is there already")]);
    expect(readFileSync(world.path("dev.kit"), "utf8")).toBe("older");
    expect((await make("--overwrite")).status).toBe(0);
    expect(statSync(world.path("dev.kit")).mode & 0o777).toBe(0o600);
  });
});

describe("no kit is made", () => {
  it.each<[string, () => void, string]>([
    ["of an empty state", () => (world.state = { version: 3, deployment: null }), "The state of stack dev is empty"],
    [
      "without a Secret of the stack, which is named",
      () => world.objects.delete("Secret platform/hub-encryption-key"),
      "- Secret platform/hub-encryption-key",
    ],
  ])("%s", async (_, change, says) => {
    change();
    const { status, stderr } = await make();
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^No kit was made\. /)]);
    expect(stderr).toContain(says);
    expect(readdirSync(world.folder)).not.toContain("dev.kit");
    expect(world.applied).toEqual([]);
  });

  it.each<[string, string[], string]>([
    ["for nobody", [], "hearth:kit.recipients names no key"],
    ["for a key with a wrong letter", [`age1${"q".repeat(58)}`], "is not a public key of age"],
  ])("%s", async (_, recipients, says) => {
    const other = new KitWorld(recipients);
    const { status, stderr } = await other.kit("--stack", "dev", "--out", "dev.kit");
    expect([status, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(readdirSync(other.folder)).not.toContain("dev.kit");
    other.close();
  });

  it("without a stack or a file", async () => {
    expect(await world.kit("--stack", "dev")).toMatchObject({ status: 2 });
  });
});

describe("check", () => {
  beforeEach(async () => {
    await make();
  });

  it("finds nothing where nothing has changed", async () => {
    const { status, stdout } = await check("--stack", "dev");
    expect([status, stdout]).toEqual([0, expect.stringContaining("Nothing is missing.")]);
  });

  const team = "suites/team/config.yaml";
  it.each<[string, () => void, { code: string; subject: string; message?: string }]>([
    [
      "a Secret with another value",
      () => {
        const key = "Secret platform/hub-encryption-key";
        const object = world.objects.get(key);
        if (object) world.objects.set(key, { ...object, data: { value: "bmV3" } });
      },
      { code: "differs", subject: "Secret platform/hub-encryption-key", message: "It must never change." },
    ],
    [
      "a resource that the state has since",
      () => {
        const { deployment } = world.state as { deployment: { resources: object[] } };
        const resources = [...deployment.resources, { urn: "urn:pulumi:dev::hearth::t::new", type: "t" }];
        world.state = { version: 3, deployment: { resources } };
      },
      { code: "older", subject: "state", message: "1 resources" },
    ],
    [
      "a file of the settings that has changed",
      () => writeFileSync(world.path(team), `${readFileSync(world.path(team), "utf8")}# more\n`),
      { code: "differs", subject: team },
    ],
    [
      "another cluster",
      () => {
        world.identity = "00000000-0000-4000-8000-000000000000";
      },
      { code: "other-cluster", subject: "cluster" },
    ],
  ])("finds %s", async (_, change, { code, subject, message = "" }) => {
    change();
    const { status, stdout, stderr } = await check("--stack", "dev", "--json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout).findings).toEqual([{ code, subject, message: expect.stringContaining(message) }]);
    expect(stdout + stderr).not.toMatch(new RegExp(`${canary}|bmV3`));
  });

  it.each<[string, () => void, string]>([
    ["a key that is not among the kit's", () => {}, "No key in other.key opens dev.kit"],
    [
      "a file that was cut off",
      () => writeFileSync(world.path("dev.kit"), readFileSync(world.path("dev.kit")).subarray(0, -100)),
      "dev.kit is damaged or cut off",
    ],
    [
      "a file in which a byte has changed",
      () => {
        const kit = readFileSync(world.path("dev.kit"));
        kit.writeUInt8(kit.readUInt8(5000) ^ 1, 5000);
        writeFileSync(world.path("dev.kit"), kit);
      },
      "dev.kit is damaged or cut off",
    ],
    ["what is no kit", () => writeFileSync(world.path("dev.kit"), "hello"), "dev.kit is not a recovery kit"],
    [
      "a key file without a key",
      () => writeFileSync(world.path("one.key"), "AGE-SECRET-KEY-1QQ\n"),
      "is not an identity file",
    ],
    [
      "a key file that is encrypted",
      () => writeFileSync(world.path("one.key"), "age-encryption.org/v1\n-> scrypt x 18\n"),
      "--identity <(age -d one.key)",
    ],
  ])("names %s", async (_, change, says) => {
    writeFileSync(world.path("other.key"), (await keyPair()).identity);
    change();
    const key = says.includes("other.key") ? "other.key" : "one.key";
    const { status, stdout, stderr } = await world.kit("check", "dev.kit", "--identity", key);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(says);
    expect(stderr).not.toContain("AGE-SECRET-KEY-1QQ\n");
  });
});

it("the lines to recover make sound settings, each database from its own archive", async () => {
  await make();
  const lines = parse(Buffer.from((await opened()).files.get("recover.yaml") ?? []).toString()).config;
  const suites = lines["hearth:cloudsuites"];
  expect(suites).toContainEqual({
    name: "team",
    config: "suites/team/config.yaml",
    recover: { suffix: "r20261124", source: "cloudsuite-db", keepSource: false },
  });
  const files = world.files;
  const merged = (files.settings.cloudsuites as { name: string }[]).map((suite) => ({
    ...suite,
    ...suites.find(({ name }: { name: string }) => name === suite.name),
  }));
  const { problems } = checkFiles(withSettings(files, { cloudsuites: merged }));
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
});
