import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scriptNames } from "@hearth-platform/hearth/hub/configuration";
import { beforeEach, describe, expect, test } from "vitest";
import { Container } from "../../../support/container.ts";

const scripts = join(import.meta.dirname, "../../../../components/hub/scripts");
let container: Container;

beforeEach(() => {
  container = new Container(scripts);
});

test("every script has a name by which pods run it", () => {
  expect(Object.values(scriptNames).sort()).toEqual(readdirSync(scripts).sort());
});

test("copy-key.sh copies the key under a name of its content, and never over another", () => {
  // The real rclone; its store is a folder.
  const store = {
    RCLONE_CONFIG: "/dev/null",
    RCLONE_CONFIG_STORE_TYPE: "alias",
    RCLONE_CONFIG_STORE_REMOTE: container.folder,
  };
  const copy = (key: string) =>
    container.run("copy-key.sh", { ...store, BUCKET: "backups", KEY: container.file("key", key) });
  for (const key of ["0123456789abcdef", "another key", "0123456789abcdef"])
    expect(copy(key)).toMatchObject({ status: 0, stderr: "" });
  const saved = join(container.folder, "backups/hub-encryption-key");
  const contents = readdirSync(saved).map((name) => readFileSync(join(saved, name), "utf8"));
  expect(contents.sort()).toEqual(["0123456789abcdef", "another key"]);
  expect(readFileSync(join(saved, "9f9f5111f7b27a78"), "utf8")).toBe("0123456789abcdef");
});

describe("migrate.sh", () => {
  const pem = (kind: string) => `-----BEGIN ${kind}-----\nAA==\n-----END ${kind}-----\n`;
  const csrfKey = "c".repeat(32);

  /** What the Job's pod has, changed by what a test says. */
  function migrate({
    key = "0123456789abcdef",
    tokenKey = pem("RSA PRIVATE KEY"),
    core = "",
    ...variables
  }: Record<string, string> = {}) {
    return container.run("migrate.sh", {
      ENCRYPTION_KEY_FILE: container.file("key", key),
      TOKEN_KEY_FILE: container.file("private_key.pem", tokenKey),
      CORE_PROGRAM: container.fake("harbor/harbor_core", core),
      CSRF_KEY: csrfKey,
      ...variables,
    });
  }

  test.each([
    ["keys as the stack makes them", {}],
    ["a key of 24 characters", { key: "k".repeat(24) }],
    ["a key of 32 characters", { key: "k".repeat(32) }],
    ["a token key in PKCS#8", { tokenKey: pem("PRIVATE KEY") }],
    ["a provider's awkward secret", { OIDC_CLIENT_ID: "a b/c", OIDC_CLIENT_SECRET: "p4$$'(~)%&{}=" }],
    ["a keystore's password of its own", { KEYSTORE_PASSWORD: "A-z_0.9~" }],
  ])("migrates by core with %s", (_, given) => {
    const { status, stderr } = migrate(given);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(container.calls()).toEqual(["harbor_core -mode=migrate"]);
  });

  test("ends as core does, whose word on the database it passes on", () => {
    const { status, stderr } = migrate({ core: 'echo "schema is dirty" >&2; exit 7' });
    expect(status).toBe(7);
    expect(stderr).toContain("schema is dirty");
  });

  test.each([
    ["a key with a line break", { key: "0123456789abcdef\n" }, /key has 17 characters: 16, 24 or 32 are needed/],
    ["no key", { key: "" }, /key has 0 characters/],
    ["a public key that shall sign", { tokenKey: pem("PUBLIC KEY") }, /private_key.pem holds no private key/],
    ["an encrypted token key", { tokenKey: pem("ENCRYPTED PRIVATE KEY") }, /private_key.pem holds no private key/],
    ["a short CSRF key", { CSRF_KEY: "short" }, /CSRF_KEY has 5 characters: 32/],
    ["a quote in the provider's secret", { OIDC_CLIENT_SECRET: 'never"shown' }, /OIDC_CLIENT_SECRET has a quote/],
    ["a backslash in the provider's secret", { OIDC_CLIENT_SECRET: "never\\shown" }, /OIDC_CLIENT_SECRET has a/],
    ["a line break after the provider's secret", { OIDC_CLIENT_SECRET: "never-shown\n" }, /OIDC_CLIENT_SECRET has a/],
    ["a line break after the client's id", { OIDC_CLIENT_ID: "never-shown\n" }, /OIDC_CLIENT_ID has a/],
    ["a keystore's password no URL takes", { KEYSTORE_PASSWORD: "never@shown/" }, /KEYSTORE_PASSWORD has characters/],
  ])("does not begin with %s, and says so without any secret", (_, given, message) => {
    const { status, stdout, stderr } = migrate(given);
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
    expect(stdout + stderr).not.toMatch(/never.shown|0123456789abcdef/);
    expect(container.calls()).toEqual([""]);
  });

  test("says all that is wrong at once", () => {
    const { stderr } = migrate({ key: "", tokenKey: "", CSRF_KEY: "", OIDC_CLIENT_SECRET: '"' });
    expect(stderr.trim().split("\n")).toHaveLength(4);
  });
});

describe("wait-for-core.sh", () => {
  const wait = (seconds: number) =>
    container.run("wait-for-core.sh", { CORE_URL: "http://hub-core:8080", WAIT_SECONDS: String(seconds) });
  // Waiting is not what is tested.
  beforeEach(() => container.fake("bin/sleep"));

  test("ends as soon as core answers", () => {
    container.fake("bin/curl", '[ "$(grep -c ^curl "$CALLS")" -ge 3 ]');
    expect(wait(60).status).toBe(0);
    expect(container.calls().map((call) => call.split(" ")[0])).toEqual(["curl", "sleep", "curl", "sleep", "curl"]);
  });

  test("asks core itself, not for the health of all, and takes no error page for an answer", () => {
    container.fake("bin/curl");
    wait(60);
    expect(container.calls()).toEqual([
      "curl --fail --silent --show-error --max-time 5 --output /dev/null http://hub-core:8080/api/v2.0/ping",
    ]);
  });

  test("gives up after its time, and says where to look", () => {
    container.fake("bin/curl", 'echo "connection refused" >&2; exit 7');
    const { status, stderr } = wait(0);
    expect(status).toBe(1);
    expect(stderr).toContain("connection refused");
    expect(stderr).toContain("http://hub-core:8080 did not answer in time: look at the logs of core");
    expect(container.calls()).toHaveLength(1);
  });
});
