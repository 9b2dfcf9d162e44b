import { createHmac } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secrets } from "@hearth-platform/site-webhook/secrets";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { call, startWithApi } from "./support/service.ts";
import { VirtualClock } from "./support/virtual-clock.ts";

const body = JSON.stringify({ ref: "refs/heads/main" });
const sign = (secret: string, text = body, hash = "sha256") => createHmac(hash, secret).update(text).digest("hex");

describe("a webhook with secrets:", () => {
  let service: Awaited<ReturnType<typeof startWithApi>>;
  let folder: string;
  let number = 0;
  let path = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "site-webhook-secrets-"));
    await writeFile(join(folder, "secrets"), "old secret\nnew secret\n");
    service = await startWithApi({ WEBHOOK_SECRET_FILE: join(folder, "secrets"), API_WRITES_BURST: "1000" });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    number += 1;
    service.api.addSite("pages", `site-${number}`);
    path = `/sync/pages/site-${number}`;
    service.api.requests.length = 0;
  });

  test.each<[string, Record<string, string>]>([
    [
      "GitHub",
      {
        "x-github-event": "push",
        "x-hub-signature": `sha1=${sign("new secret", body, "sha1")}`,
        "x-hub-signature-256": `sha256=${sign("new secret")}`,
      },
    ],
    ["GitHub, with the secret before", { "x-hub-signature-256": `sha256=${sign("old secret")}` }],
    ["GitLab", { "x-gitlab-event": "Push Hook", "x-gitlab-token": "new secret" }],
    ["Gitea", { "x-gitea-event": "push", "x-gitea-signature": sign("new secret") }],
    ["Forgejo", { "x-forgejo-event": "push", "x-forgejo-signature": sign("new secret") }],
    ["Gogs", { "x-gogs-event": "push", "x-gogs-signature": sign("new secret") }],
    ["Bitbucket", { "x-event-key": "repo:push", "x-hub-signature": `sha256=${sign("new secret")}` }],
  ])("a call of %s passes that knows one", async (_, headers) => {
    expect((await call(service.port, path, { headers, body })).status).toBe(202);
  });

  test.each<[string, Record<string, string>]>([
    ["nothing", {}],
    ["another secret", { "x-hub-signature-256": `sha256=${sign("wrong")}` }],
    ["another body's signature", { "x-hub-signature-256": `sha256=${sign("new secret", "other")}` }],
    ["SHA-1 alone", { "x-hub-signature": `sha1=${sign("new secret", body, "sha1")}` }],
    ["an empty signature", { "x-hub-signature-256": "sha256=" }],
    ["a signature cut short", { "x-hub-signature-256": `sha256=${sign("new secret").slice(0, 63)}` }],
    ["another token", { "x-gitlab-token": "new secre" }],
    ["an empty token", { "x-gitlab-token": "" }],
    [
      "a wrong token beside a right signature",
      { "x-gitlab-token": "wrong", "x-hub-signature-256": `sha256=${sign("new secret")}` },
    ],
  ])("a call with %s is 403 and asks the API server nothing", async (_, headers) => {
    expect((await call(service.port, path, { headers, body })).status).toBe(403);
    expect(service.api.requests).toEqual([]);
  });

  test("a missing site can't be told from one that is there", async () => {
    expect((await call(service.port, "/sync/pages/missing", { body })).status).toBe(403);
  });

  test("a large body is signed as a whole", async () => {
    const large = "x".repeat(3 * 1024 * 1024);
    const headers = { "x-hub-signature-256": `sha256=${sign("new secret", large)}` };
    expect((await call(service.port, path, { headers, body: large })).status).toBe(202);
  });

  test("no secret is ever logged", () => {
    expect(service.lines.join("\n")).not.toMatch(/old secret|new secret/);
  });
});

test.each(["missing", "empty"])("with a secret file that is %s no call passes", async (how) => {
  const folder = await mkdtemp(join(tmpdir(), "site-webhook-secrets-"));
  const file = join(folder, "secrets");
  if (how === "empty") await writeFile(file, "\n");
  const service = await startWithApi({ WEBHOOK_SECRET_FILE: file });
  service.api.addSite("pages", "docs");
  expect((await call(service.port, "/sync/pages/docs", { headers: { "x-gitlab-token": "" } })).status).toBe(500);
  expect(service.api.requests).toEqual([]);
  await service.stop();
  await rm(folder, { recursive: true });
});

describe("the file of secrets", () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "site-webhook-secrets-"));
    file = join(folder, "secrets");
  });
  afterEach(() => rm(folder, { recursive: true }));
  const passes = async (secrets: Secrets, token: string) => (await secrets.check({ "x-gitlab-token": token })).passes();

  test("may come from any editor: blanks and other line ends are none of a secret", async () => {
    await writeFile(file, "  first \r\nsecond\r\n\r\n");
    const secrets = new Secrets(file, new VirtualClock());
    for (const token of ["first", "second"]) expect(await passes(secrets, token), token).toBe(true);
    for (const token of ["first ", "\r", ""]) expect(await passes(secrets, token), token).toBe(false);
  });

  test("is read again after ten seconds, and until then what was read counts, also where the file is gone", async () => {
    const clock = new VirtualClock();
    await writeFile(file, "before");
    const secrets = new Secrets(file, clock);
    expect(await passes(secrets, "before")).toBe(true);
    await writeFile(file, "after");
    await clock.advance(9_999);
    expect(await passes(secrets, "before")).toBe(true);
    await clock.advance(1);
    expect([await passes(secrets, "before"), await passes(secrets, "after")]).toEqual([false, true]);
    await rm(file);
    expect(await passes(secrets, "after")).toBe(true);
    await clock.advance(10_000);
    await expect(passes(secrets, "after")).rejects.toThrow("ENOENT");
  });
});
