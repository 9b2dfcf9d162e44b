import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { choosePorts } from "@hearth-platform/sandbox/ports";
import { ensurePrograms } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { container } from "../components/cloudsuite/objects.ts";
import { completeSuite, onPlatform } from "../components/cloudsuite/suite.ts";

/** The nightly copy of config.php, by the real rclone, against a real S3 server whose certificate is of a private authority. */

const scripts = join(import.meta.dirname, "../../components/cloudsuite/scripts");
const folder = mkdtempSync(join(tmpdir(), "hearth-private-store-"));
const keys = { AWS_ACCESS_KEY_ID: "access", AWS_SECRET_ACCESS_KEY: "secret-key" };
const suite = onPlatform(completeSuite, { privateCa: { configMap: "company-ca" } });
const bucket = suite.s3.buckets.backups;

let server: ChildProcess;
let endpoint: string;

beforeAll(async () => {
  const { versitygw } = await ensurePrograms(createProgress());
  const { ports } = await choosePorts({});
  const port = ports["object-storage"];
  endpoint = `https://127.0.0.1:${port}`;
  const authority = await CertificateAuthority.open(join(folder, "authority"));
  const issued = await authority.issue({
    dnsNames: [],
    ipAddresses: ["127.0.0.1"],
    lifetime: 3_600_000,
    key: { algorithm: "ECDSA", curve: "P-256" },
  });
  for (const each of ["objects", join("objects", bucket), "trusted", "nothing", "config"])
    mkdirSync(join(folder, each));
  writeFileSync(join(folder, "trusted/private-ca.crt"), authority.certificate);
  writeFileSync(join(folder, "config/config.php"), "<?php $CONFIG = ['secret' => 'of the suite'];");
  writeFileSync(join(folder, "tls.crt"), issued.certificate);
  writeFileSync(join(folder, "tls.key"), issued.privateKey, { mode: 0o600 });
  const options = ["--port", `127.0.0.1:${port}`, "--region", suite.s3.region, "--health", "/_health", "--quiet"];
  const tls = ["--cert", join(folder, "tls.crt"), "--key", join(folder, "tls.key")];
  server = spawn(versitygw, [...options, ...tls, "posix", join(folder, "objects")], {
    env: { PATH: process.env.PATH, ROOT_ACCESS_KEY_ID: "access", ROOT_SECRET_ACCESS_KEY: "secret-key" },
    stdio: "ignore",
  });
  await vi.waitFor(async () => expect(await answers(authority.certificate)).toBe(true), { timeout: 30_000 });
});

afterAll(() => {
  server?.kill();
  rmSync(folder, { recursive: true });
});

function answers(ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    request(`${endpoint}/_health`, { ca }, (response) => resolve(response.resume().statusCode === 200))
      .on("error", () => resolve(false))
      .end();
  });
}

/** Runs the copy with the variables of its container. @param certificates folder in the place of the container's /etc/ssl/certs */
function copy(certificates: string) {
  const variables = container(suite, "backup").env?.map(({ name, value, valueFrom }): [string, string | undefined] => [
    name,
    valueFrom?.secretKeyRef ? keys[valueFrom.secretKeyRef.key as keyof typeof keys] : value,
  ]);
  const { status, stderr } = spawnSync("sh", [join(scripts, "copy-configuration.sh")], {
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(variables ?? []),
      CONFIGURATION: join(folder, "config"),
      RCLONE_CONFIG: join(folder, "rclone.conf"),
      RCLONE_CONFIG_STORE_ENDPOINT: endpoint,
      RCLONE_LOW_LEVEL_RETRIES: "1",
      RCLONE_RETRIES: "1",
      SSL_CERT_FILE: join(folder, "nothing/none"),
      SSL_CERT_DIR: join(folder, certificates),
    },
  });
  return { status, stderr };
}

test("config.php is copied where the folder of certificates has the private authority, and nowhere else", () => {
  const { volumeMounts = [] } = container(suite, "backup");
  expect(volumeMounts.find(({ mountPath }) => mountPath.startsWith("/etc/ssl/certs/"))?.subPath).toBe("ca.crt");

  const refused = copy("nothing");
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toMatch(/certificate signed by unknown authority/);

  expect(copy("trusted")).toMatchObject({ status: 0 });
  const copies = join(folder, "objects", bucket, "configuration");
  const [weekday = ""] = readdirSync(copies);
  expect(readFileSync(join(copies, weekday, "config.php"), "utf8")).toContain("of the suite");
});
