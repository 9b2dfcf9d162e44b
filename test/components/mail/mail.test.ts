import { mkdtempSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { suiteEnvironment } from "@hearth-platform/hearth/cloudsuite/environment";
import type { MailArgs } from "@hearth-platform/hearth/core/mail-args";
import { secretPath } from "@hearth-platform/hearth/forge/configuration";
import { podConfiguration } from "@hearth-platform/hearth/forge/configuration/pod-configuration";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { execa } from "execa";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolvedSuite } from "../../support/plans.ts";
import { minimalSuite, onPlatform } from "../cloudsuite/suite.ts";
import { configurationOf, minimalForge } from "../forge/forge.ts";

/** Mail that is really sent: by Rails' mailer and by Nextcloud's, to a server with TLS of a private authority and a login. */

const password = "p@ss %w0rd'\\";

/** A mail as the server took it. */
interface Taken {
  readonly from: string;
  readonly to: string[];
  readonly user: string | undefined;
  readonly encrypted: boolean;
  readonly text: string;
}

const folder = mkdtempSync(join(tmpdir(), "hearth-mail-"));
const authority = join(folder, "ca.crt");
const servers: SMTPServer[] = [];
const taken: Taken[] = [];
let ports: Record<"starttls" | "tls" | "open", number>;

/** A server that takes mail from its user alone, or, where it is open, from everybody. */
async function serve(options: ConstructorParameters<typeof SMTPServer>[0]): Promise<number> {
  const server = new SMTPServer({
    ...options,
    onAuth: ({ username, password: given }, _, answer) =>
      given === password ? answer(null, { user: username ?? "" }) : answer(new Error("Wrong password")),
    onData: (stream, session, answer) => {
      let text = "";
      stream.setEncoding("utf8");
      stream.on("data", (part: string) => {
        text += part;
      });
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          encrypted: session.secure,
          text,
        });
        answer();
      });
    },
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const ca = await CertificateAuthority.open(join(folder, "authority"));
  const { certificate: cert, privateKey: key } = await ca.issue({
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: [],
    lifetime: 86_400_000,
    key: { algorithm: "ECDSA", curve: "P-256" },
  });
  writeFileSync(authority, ca.certificate);
  ports = {
    starttls: await serve({ cert, key }),
    tls: await serve({ cert, key, secure: true }),
    open: await serve({ authOptional: true, hideSTARTTLS: true, disabledCommands: ["AUTH"] }),
  };
});

afterAll(() => Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(resolve)))));

const signedIn = (security: "starttls" | "tls"): MailArgs => ({
  host: "localhost",
  port: ports[security],
  security,
  from: "team@example.org",
  user: "team",
  password: { name: "mail", key: "password" },
});
const toAnybody = (): MailArgs => ({ host: "localhost", port: ports.open, security: "none", from: "team@example.org" });

/** Variables of a suite's pods, Secrets filled in. */
function variables(suite: CloudSuiteArgs): Record<string, string> {
  const mail = suiteEnvironment(resolvedSuite(suite)).filter(({ name }) => name.startsWith("NC_mail_"));
  return Object.fromEntries(mail.map(({ name, value }) => [name, value ?? password]));
}

function bySuite(suite: CloudSuiteArgs) {
  const script = join(import.meta.dirname, "send-by-symfony.php");
  return execa("php", ["-d", `openssl.cafile=${authority}`, script], {
    env: { PATH: process.env.PATH, ...variables(suite) },
    extendEnv: false,
    all: true,
  });
}

function byForge(mail: MailArgs) {
  const configuration = configurationOf({ ...minimalForge, platform: { ...minimalForge.platform, mail } });
  const settings = join(folder, "smtp_settings.rb");
  const secret = join(folder, "smtp-password");
  writeFileSync(secret, `${password}\n`);
  const text = podConfiguration("jobs", configuration)["smtp_settings.rb"] ?? "";
  writeFileSync(
    settings,
    text
      .replace(secretPath("jobs", "smtpPassword"), secret)
      // Where pods mount the bundle with the private authority.
      .replace("/etc/ssl/certs/ca-certificates.crt", authority),
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
    expect(taken.splice(0)).toEqual([
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
    expect(taken.splice(0)).toEqual([expect.objectContaining({ user: undefined, encrypted: false })]);
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
