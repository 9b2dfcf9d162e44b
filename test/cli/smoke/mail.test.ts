import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MailMeans, mailSenders, sendMails } from "@hearth-platform/cli/smoke/mail";
import { suiteEnvironment } from "@hearth-platform/hearth/cloudsuite/environment";
import type { MailArgs } from "@hearth-platform/hearth/core/mail-args";
import { secretPath } from "@hearth-platform/hearth/forge/configuration";
import { podConfiguration } from "@hearth-platform/hearth/forge/configuration/pod-configuration";
import { Refusal } from "@hearth-platform/stack/live/cluster/cluster";
import type { Ended } from "@hearth-platform/stack/live/cluster/run-in-pod";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minimalSuite, onPlatform } from "../../components/cloudsuite/suite.ts";
import { configurationOf, minimalForge } from "../../components/forge/forge.ts";
import { hearth } from "../../support/caller.ts";
import { MailServers } from "../../support/mail-server.ts";
import { resolvedSuite } from "../../support/plans.ts";
import { checkFiles, committedStack, withSettings } from "../../support/stack-files.ts";

/** `hearth smoke --mail`: what it runs in the pods is run here, by the real PHP and Ruby, and sends to a real server with TLS and a login. */

const standIns = join(import.meta.dirname, "../../components/mail");
const folder = mkdtempSync(join(tmpdir(), "hearth-smoke-mail-"));
let servers: MailServers;

beforeAll(async () => {
  servers = await MailServers.start(folder);
});
afterAll(() => servers.close());

const server = { host: "smtp.example.org", from: "team@example.org" };
const { stack } = checkFiles(withSettings(committedStack("prod"), { mail: server }));
if (!stack) throw new Error("Stack prod has problems.");
const senders = mailSenders(stack);

const mailOf = (more: Partial<MailArgs>): MailArgs => ({
  ...{ host: "localhost", port: servers.ports.starttls, security: "starttls", from: "team@example.org" },
  ...{ user: "team", password: { name: "mail", key: "password" } },
  ...more,
});

/** The forge's settings file of a mail server, with a password in the place of the Secret's. */
function settingsFile(mail: MailArgs, password: string): string {
  const configuration = configurationOf({ ...minimalForge, platform: { ...minimalForge.platform, mail } });
  const [file, secret] = [join(folder, "smtp_settings.rb"), join(folder, "smtp-password")];
  writeFileSync(secret, `${password}\n`);
  const text = podConfiguration("toolbox", configuration)["smtp_settings.rb"] ?? "";
  writeFileSync(
    file,
    text
      .replace(secretPath("toolbox", "smtpPassword"), secret)
      .replace("/etc/ssl/certs/ca-certificates.crt", servers.authority),
  );
  return file;
}

/** Pods in which these programs have these settings of mail; each place is noted. */
function pods(mail: MailArgs, password = servers.password) {
  const places: string[] = [];
  const variables = suiteEnvironment(resolvedSuite(onPlatform(minimalSuite, { mail })))
    .filter(({ name }) => name.startsWith("NC_mail_") || name === "NC_overwritehost")
    .map(({ name, value }) => [name, value ?? password]);
  const ready = { conditions: [{ type: "Ready", status: "True" }] };
  const means: MailMeans = {
    cluster: {
      read: async <T>(path: string) => {
        const [, namespace, workload] = /namespaces\/(.*)\/pods\?labelSelector=.*%3D(.*)$/.exec(path) ?? [];
        const pod = (name: string, status: object, more = {}) => ({ metadata: { name, ...more }, status });
        const items = [
          pod("old", ready, { deletionTimestamp: "2026-11-26T00:00:00Z" }),
          pod("starting", { conditions: [{ type: "Ready", status: "False" }] }),
          // Of a node that says nothing any more.
          pod("lost", { conditions: [{ type: "Ready", status: "Unknown" }] }),
          pod(`${namespace}-${workload}-0`, ready),
        ];
        return { items } as T;
      },
    },
    run: async ({ namespace, pod, container }, [program = "", ...rest]) => {
      places.push(`${namespace}/${pod} ${container}`);
      const isPhp = program === "php";
      const { exitCode, stdout, stderr } = await execa(
        isPhp ? "php" : join(standIns, program),
        isPhp ? ["-d", `openssl.cafile=${servers.authority}`, ...rest] : rest,
        {
          env: {
            PATH: process.env.PATH,
            HTML: join(standIns, "html"),
            SMTP_SETTINGS: settingsFile(mail, password),
            ...Object.fromEntries(variables),
          },
          extendEnv: false,
          reject: false,
        },
      );
      return { status: exitCode ?? 1, stdout, stderr };
    },
  };
  return { means, places };
}

const shown = (rows: Awaited<ReturnType<typeof sendMails>>) =>
  rows.map(({ host, status, subject, message }) => `${status} ${host} ${subject}: ${message}`);

test.each(["starttls", "tls"] as const)("forge and suite each send a mail, signed in by %s", async (security) => {
  const { means, places } = pods(mailOf({ security, port: servers.ports[security] }));
  const rows = await sendMails(senders, "anna@example.org", means);
  expect(rows.map(({ host, status }) => `${status} ${host}`)).toEqual(["ok forge.example.org", "ok cloud.example.org"]);
  expect(places.sort()).toEqual([
    "cloud/cloud-cloudsuite-0 cloudsuite",
    "platform/platform-forge-toolbox-0 forge-toolbox",
  ]);
  const taken = servers.taken.splice(0).sort((one, other) => one.text.localeCompare(other.text));
  expect(taken.map(({ to, user, encrypted }) => [to, user, encrypted])).toEqual(
    Array(2).fill([["anna@example.org"], "team", true]),
  );
  const all = taken.map(({ text }) => text).join("\n");
  expect(all).toContain("Subject: Test mail of forge.example.org");
  expect(all).toContain("Subject: Test mail of cloud.example.org");
});

test("a wrong password is told of each, without the password", async () => {
  const { means } = pods(mailOf({}), "wrong-one");
  const rows = await sendMails(senders, "anna@example.org", means);
  expect(shown(rows)).toEqual([
    expect.stringMatching(/^problem forge\.example\.org mail to anna@example\.org: It was not sent: .*535/),
    "problem cloud.example.org mail to anna@example.org: It was not sent: The mail server did not take it. Nextcloud logs the reason, at log level 0.",
  ]);
  expect(JSON.stringify(rows)).not.toContain("wrong-one");
  expect(servers.taken).toEqual([]);
});

const ended = (run: MailMeans["run"]): MailMeans => ({ ...pods(mailOf({})).means, run });
const failing = async (): Promise<Ended> => {
  throw new Error("the API server refuses it (403)");
};

test.each<[string, () => MailMeans | undefined, RegExp]>([
  ["the cluster does not answer", () => undefined, /^unknown .*: the cluster does not answer\.$/],
  ["it may not be run", () => ended(failing), /^unknown .* is not known: the API server refuses it \(403\)\.$/],
  [
    "the command says nothing",
    () => ended(async () => ({ status: 3, stdout: "", stderr: "" })),
    /^problem .*: the command ended with 3\.$/,
  ],
  [
    "the command gives its reason among other lines",
    () => ended(async () => ({ status: 1, stdout: "Loading\n\nLogin refused.\nBye\n", stderr: "at line 7\n" })),
    /^problem .*: It was not sent: Login refused\.$/,
  ],
  [
    "the command says several things, none of which is named as an error: the last of them",
    () => ended(async () => ({ status: 1, stdout: "Loading\n", stderr: "Who are you?\nGood bye\n\n" })),
    /^problem .*: It was not sent: Good bye\.$/,
  ],
  [
    "no pod is ready",
    () => ({ ...ended(failing), cluster: { read: async <T>() => ({ items: [] }) as T } }),
    /^problem .*: no pod of (forge-toolbox|cloudsuite) is ready\.$/,
  ],
  [
    "the pods may not be seen",
    () => ({
      ...ended(failing),
      cluster: {
        read: async () => {
          throw new Refusal(403, {});
        },
      },
    }),
    /^unknown .*: you may not see the pods of (platform|cloud)\.$/,
  ],
])("says so where %s", async (_, means, expected) => {
  for (const row of shown(await sendMails(senders, "anna@example.org", means()))) expect(row).toMatch(expected);
});

test("only programs with a mail server of their own or the stack's are asked", () => {
  const workloads = (settings: Parameters<typeof withSettings>[1]) => {
    const { stack: other } = checkFiles(withSettings(committedStack("prod"), settings));
    return other && mailSenders(other).map(({ workload }) => workload);
  };
  expect(workloads({ mail: server, "forge.administration.smtp": undefined })).toEqual(["forge-toolbox", "cloudsuite"]);
  expect(workloads({ "forge.administration.smtp": server })).toEqual(["forge-toolbox"]);
  expect(workloads({ "forge.administration.smtp": undefined, "cloudsuites[0].mail": server })).toEqual(["cloudsuite"]);
  expect(workloads({ "forge.administration.smtp": undefined })).toEqual([]);
});

test.each([
  [["--mail", "Anna"], "The value is not an address."],
  [["--mail", "anna@example.org"], "No program of stack dev sends mail"],
])("the command refuses %j", async (more, message) => {
  const { status, stderr } = await hearth(".", "smoke", "--stack", "dev", "--kubeconfig", "none.yaml", ...more);
  expect([status === 0, stderr]).toEqual([false, expect.stringContaining(message)]);
});
