import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { suiteEnvironment } from "@hearth-platform/hearth/cloudsuite/environment";
import type { MailArgs } from "@hearth-platform/hearth/core/mail-args";
import { secretPath } from "@hearth-platform/hearth/forge/configuration";
import { podConfiguration } from "@hearth-platform/hearth/forge/configuration/pod-configuration";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MailServers } from "../../support/mail-server.ts";
import { resolvedSuite } from "../../support/plans.ts";
import { minimalSuite, onPlatform } from "../cloudsuite/suite.ts";
import { configurationOf, minimalForge } from "../forge/forge.ts";

/** Mail that is really sent: by Rails' mailer and by Nextcloud's, to a server with TLS of a private authority and a login. */

const folder = mkdtempSync(join(tmpdir(), "hearth-mail-"));
let servers: MailServers;

beforeAll(async () => {
  servers = await MailServers.start(folder);
});
afterAll(() => servers.close());

const signedIn = (security: "starttls" | "tls"): MailArgs => ({
  host: "localhost",
  port: servers.ports[security],
  security,
  from: "team@example.org",
  user: "team",
  password: { name: "mail", key: "password" },
});
const toAnybody = (): MailArgs => ({
  host: "localhost",
  port: servers.ports.open,
  security: "none",
  from: "team@example.org",
});

/** Variables of a suite's pods, Secrets filled in. */
function variables(suite: CloudSuiteArgs): Record<string, string> {
  const mail = suiteEnvironment(resolvedSuite(suite)).filter(({ name }) => name.startsWith("NC_mail_"));
  return Object.fromEntries(mail.map(({ name, value }) => [name, value ?? servers.password]));
}

function bySuite(suite: CloudSuiteArgs) {
  const script = join(import.meta.dirname, "send-by-symfony.php");
  return execa("php", ["-d", `openssl.cafile=${servers.authority}`, script], {
    env: { PATH: process.env.PATH, ...variables(suite) },
    extendEnv: false,
    all: true,
  });
}

function byForge(mail: MailArgs) {
  const configuration = configurationOf({ ...minimalForge, platform: { ...minimalForge.platform, mail } });
  const settings = join(folder, "smtp_settings.rb");
  const secret = join(folder, "smtp-password");
  writeFileSync(secret, `${servers.password}\n`);
  const text = podConfiguration("jobs", configuration)["smtp_settings.rb"] ?? "";
  writeFileSync(
    settings,
    text
      .replace(secretPath("jobs", "smtpPassword"), secret)
      // Where pods mount the bundle with the private authority.
      .replace("/etc/ssl/certs/ca-certificates.crt", servers.authority),
  );
  return execa("ruby", [join(import.meta.dirname, "send-by-rails.rb"), settings, mail.from], { all: true });
}

const senders = [
  ["a suite", "From the suite.", (mail: MailArgs) => bySuite(onPlatform(minimalSuite, { mail }))],
  ["the forge", "From the forge.", byForge],
] as const;

describe.each(senders)("mail of %s", (_, body, send) => {
  test.each(["starttls", "tls"] as const)("signs in to the platform's server by %s", async (security) => {
    await send(signedIn(security));
    expect(servers.taken.splice(0)).toEqual([
      {
        from: "team@example.org",
        to: ["member@example.org"],
        user: "team",
        encrypted: true,
        text: expect.stringContaining(body),
      },
    ]);
  });

  test("goes to a server that asks for nothing", async () => {
    await send(toAnybody());
    expect(servers.taken.splice(0)).toEqual([expect.objectContaining({ user: undefined, encrypted: false })]);
  });
});

test("a suite's own mail server comes before the platform's", () => {
  const suite = onPlatform(
    { ...minimalSuite, mail: { host: "mail.team.org", from: "us@team.org" } },
    { mail: toAnybody() },
  );
  expect(variables(suite)).toEqual({
    NC_mail_smtpmode: "smtp",
    NC_mail_smtphost: "mail.team.org",
    NC_mail_smtpport: "587",
    NC_mail_from_address: "us",
    NC_mail_domain: "team.org",
  });
});

test("the forge's own mail server comes before the platform's", () => {
  const own = { host: "mail.forge.org", from: "forge@forge.org" };
  const { administration } = configurationOf({
    ...minimalForge,
    administration: { smtp: own },
    platform: { ...minimalForge.platform, mail: toAnybody() },
  });
  expect(administration.smtp).toMatchObject({ ...own, displayName: "Forge", replyTo: "forge@forge.org" });
});
