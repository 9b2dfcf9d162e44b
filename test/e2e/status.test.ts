import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { statusCommand } from "@hearth-platform/cli/status/command";
import { StatusOutput } from "@hearth-platform/cli/status/schema";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { call, hearth } from "../support/caller.ts";
import { sandboxObjectStore } from "../support/object-store.ts";
import { type DevStack, kubernetesObjects, runningPlatform, sandbox } from "../support/stack.ts";

/** `hearth status` of the whole platform on the sandbox: sound, and broken in ways that are mended again. */

let stack: DevStack;
const options = () => ["--stack", "dev", "--sandbox", "--config-file", stack.stackFile];
const status = (...more: string[]) => hearth(stack.folder, "status", ...options(), ...more);

beforeAll(async () => {
  stack = await runningPlatform();
}, 900_000);

/** The rows of the subject, as `status: message`. */
async function rows(subject: string): Promise<string[]> {
  const { stdout, stderr } = await status("--json");
  const { checks } = StatusOutput.parse(JSON.parse(stdout || `{"error": ${JSON.stringify(stderr)}}`));
  return checks.filter((each) => each.subject === subject).map((each) => `${each.status}: ${each.message}`);
}

const kubectl = async (...args: string[]) => {
  const { exitCode, all } = await sandbox("kubectl", ...args);
  expect(exitCode, all).toBe(0);
};

const soon = { timeout: 60_000, interval: 500 };

describe("a sound platform", () => {
  it("is sound: each component with its version, pods and primary on a screen", async () => {
    await vi.waitFor(async () => expect((await status()).status).toBe(0), soon);
    const { stdout } = await status();
    expect(stdout).toMatch(/^ok {7}platform-db +PostgreSQL 17\.11 \(fixes until 2029-11-08\)/m);
    expect(stdout).toMatch(/^ok {7}Secrets +All \d+ are there; \d+ are synced/m);
    expect(stdout).toMatch(/^ok {7}certificates +\d+ are issued; the first to end is/m);
    expect(stdout).toMatch(/^ok {7}backup of platform\/forge-db/m);
    expect(stdout).toMatch(/\nStack dev is sound.*\.\n$/);
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });

  it("has the size of its last base backup from the object store", async () => {
    const ids = await kubernetesObjects("-n", "team", "backups.postgresql.cnpg.io");
    const id = String(
      ids
        .map(({ status }) => status?.backupId)
        .sort()
        .at(-1),
    );
    // The plugin that writes a backup is simulated; here stands one as it names it.
    const place = { Bucket: "backups-team-dev1", Key: `cloudsuite-db/base/${id}/data.tar` };
    const s3 = await sandboxObjectStore();
    await s3.send(new PutObjectCommand({ ...place, Body: "x".repeat(3000) }));
    try {
      const [row] = await rows("backup of team/cloudsuite-db");
      expect(row).toMatch(/^ok: The last ended \d+ (minute|hour)s? ago; 2\.9 KiB\.$/);
    } finally {
      await s3.send(new DeleteObjectCommand(place));
    }
  });

  it("is looked at again and again, until somebody ends it", async () => {
    let looks = 0;
    const watch = (session: Parameters<typeof statusCommand>[0]) =>
      statusCommand(session, async () => {
        looks += 1;
        return looks < 2;
      });
    const { stdout, status: ended } = await call(watch, stack.folder, [...options(), "--watch"]);
    expect([looks, ended]).toEqual([2, 0]);
    expect(stdout.match(/^Stack dev is sound/gm)).toHaveLength(2);
  });
});

describe("a platform", () => {
  it("with a Secret that somebody deleted is not sound, until it is back", async () => {
    const { stdout } = await sandbox("kubectl", "-n", "platform", "get", "secret", "hub-core-secret", "-o", "json");
    const { resourceVersion, uid, ...metadata } = JSON.parse(stdout).metadata;
    // Gone again with the test: no Secret is left in a file.
    const file = join(stack.folder, "secret.json");
    writeFileSync(file, JSON.stringify({ ...JSON.parse(stdout), metadata }), { mode: 0o600 });
    await kubectl("-n", "platform", "delete", "secret", "hub-core-secret");
    try {
      expect(await rows("Secret platform/hub-core-secret")).toEqual([
        "problem: It is not in the cluster. Pods that start now wait.",
      ]);
      const { status: ended, stdout: screen } = await status();
      expect([ended, screen]).toEqual([1, expect.stringContaining("Stack dev is not sound: 1 problem")]);
    } finally {
      // An applied Secret would have all its values in an annotation, which the state keeps in the clear.
      await kubectl("create", "-f", file);
      rmSync(file);
    }
    expect(await rows("Secret platform/hub-core-secret")).toEqual([]);
  });

  it("with a web that is scaled to 0 is not sound, and its command scales it back", async () => {
    await kubectl("-n", "platform", "scale", "deploy", "hub-core", "--replicas=0");
    const [row] = await rows("hub");
    expect(row).toMatch(/^problem: Deployment platform\/hub-core is scaled to 0, and the settings ask for 1\./);
    const { checks } = StatusOutput.parse(JSON.parse((await status("--json")).stdout));
    const remedy = checks.find(({ subject }) => subject === "hub")?.remedy ?? "";
    const [, command = ""] = /kubectl (-n platform scale deployment hub-core --replicas=1)/.exec(remedy) ?? [];
    expect(command, remedy).not.toBe("");
    await kubectl(...command.split(" "));
    await vi.waitFor(async () => expect((await rows("hub"))[0]).toMatch(/^ok: /), soon);
  });

  it("whose settings somebody changed by hand says who and what, until an update takes it back", async () => {
    const image = "registry.example.org/mine/harbor-core:v2.15.2";
    await kubectl("-n", "platform", "set", "image", "deploy/hub-core", `core=${image}`);
    expect(await rows("Deployment platform/hub-core")).toContainEqual(
      expect.stringMatching(
        /^warning: By hand: spec\.template\.spec\.containers\[name=core\]\.image by kubectl-set, 20\d\d-.* UTC\.$/,
      ),
    );
    const update = () => stack.pulumi("up", "--yes", "--skip-preview", "--refresh");
    const taken = await update();
    expect(taken.exitCode, taken.all).toBe(0);
    expect(await rows("Deployment platform/hub-core")).toEqual([]);
    // From its first update on, the provider's preview refuses what somebody else has set.
    await kubectl("-n", "platform", "set", "image", "deploy/hub-core", `core=${image}`);
    const refused = await stack.pulumi("preview", "--refresh");
    expect(refused.exitCode, refused.all).not.toBe(0);
    expect(refused.all).toContain('Deployment platform/hub-core was changed by "kubectl-set", by hand with kubectl.');
    expect(refused.all).toContain("run `PULUMI_K8S_ENABLE_PATCH_FORCE=true pulumi up --refresh`, once.");
    vi.stubEnv("PULUMI_K8S_ENABLE_PATCH_FORCE", "true");
    try {
      const forced = await stack.pulumi("preview", "--refresh");
      expect(forced.exitCode, forced.all).toBe(0);
      const { exitCode, all } = await update();
      expect(exitCode, all).toBe(0);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(await rows("Deployment platform/hub-core")).toEqual([]);
  });

  it("whose route somebody deleted is not sound, until an update brings it back", async () => {
    await kubectl("-n", "platform", "delete", "ingressroute", "hub-core");
    expect(await rows("IngressRoute platform/hub-core")).toEqual(["problem: It is not in the cluster."]);
    const { exitCode, all } = await stack.pulumi("up", "--yes", "--skip-preview", "--refresh");
    expect(exitCode, all).toBe(0);
    await vi.waitFor(async () => expect((await status()).status).toBe(0), soon);
  });

  it("whose certificates have ended and whose backups are old is not sound", async () => {
    // The operator would renew them at once: it is the clock of the look that is a year ahead.
    const inAYear = (session: Parameters<typeof statusCommand>[0]) =>
      statusCommand(session, undefined, () => new Date(Date.now() + 365 * 86_400_000));
    const { stdout, status: ended } = await call(inAYear, stack.folder, [...options(), "--json"]);
    const { checks } = StatusOutput.parse(JSON.parse(stdout));
    const messages = (subject: string) =>
      checks.filter((each) => each.subject === subject).map(({ message }) => message);
    expect(ended).toBe(1);
    expect(messages("certificate platform/hub-tls")).toEqual([expect.stringMatching(/^It ended 27\d days ago\.$/)]);
    expect(messages("backup of platform/forge-db")).toEqual([expect.stringMatching(/^The last ended 36\d days ago; /)]);
  });
});

it("a cluster that can't be reached is an error, and a URL that is none a usage error", async () => {
  expect((await hearth(stack.folder, "status", "--stack", "dev", "--kubeconfig", "none.yaml")).status).toBe(1);
  const wrong = await status("--prometheus", "ftp://x");
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining("It takes a URL")]);
});
