import { lookup } from "node:dns/promises";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { look } from "@hearth-platform/stack/live/preflight/facts";
import { findings, isWrong } from "@hearth-platform/stack/live/preflight/finding";
import type { Secret } from "kubernetes-types/core/v1.d.ts";
import { askPlainly, greetingOf, httpsCaller, seeCertificate, type Ways } from "./ask.ts";
import { certificateRow, dnsRow, redirectRow, requestRow, requestText, type SmokeRow, sshRow } from "./judgement.ts";
import { type MailMeans, type MailSender, sendMails } from "./mail.ts";
import type { Account, SshTarget, Target } from "./targets.ts";

/** How the world is reached. */
export interface SmokeMeans {
  readonly ways: Ways;
  /** The cluster with the Secrets; undefined: nothing is asked signed in. */
  readonly cluster: Pick<LiveCluster, "read"> | undefined;
  readonly now: Date;
  /** Programs that send a mail, the address, and how they are reached; undefined: nothing is sent. */
  readonly mail?: { readonly senders: readonly MailSender[]; readonly to: string; readonly by: MailMeans | undefined };
}

/** What the public endpoints of a stack answered. */
export interface SmokeReport {
  readonly stack: string;
  /** When, as RFC 3339. */
  readonly at: string;
  /** Nothing answers otherwise than the specification says; warnings may be there. */
  readonly sound: boolean;
  readonly rows: readonly SmokeRow[];
}

/** Asks every host: all at once, each one thing after another. */
export async function smoke(
  stack: string,
  targets: readonly Target[],
  ssh: SshTarget | undefined,
  means: SmokeMeans,
): Promise<SmokeReport> {
  const { mail } = means;
  const [byHost, greeting, mails] = await Promise.all([
    Promise.all(targets.map((target) => askTarget(target, means))),
    ssh && greetingOf(ssh.host, means.ways),
    mail ? sendMails(mail.senders, mail.to, mail.by) : [],
  ]);
  const rows = [...byHost.flat(), ...(ssh && greeting !== undefined ? [sshRow(ssh.host, greeting)] : []), ...mails];
  return { stack, at: means.now.toISOString(), sound: !rows.some(isWrong), rows };
}

async function askTarget(target: Target, means: SmokeMeans): Promise<SmokeRow[]> {
  const { host, requests, redirects, account } = target;
  const { ways, now } = means;
  const rows: SmokeRow[] = [];
  if (ways.address === undefined) {
    const found = await lookup(host, { all: true }).catch(() => []);
    rows.push(dnsRow(host, [...new Set(found.map(({ address }) => address))]));
    // Without an address nothing else can be asked.
    if (found.length === 0) return rows;
  }
  const certificate = await seeCertificate(host, ways);
  rows.push(certificateRow(host, certificate, now));
  if ("failure" in certificate) return rows;
  const isTrusted = certificate.refusal === undefined;
  const caller = httpsCaller(host, ways, isTrusted);
  try {
    const password = account && isTrusted ? await passwordOf(account, means) : undefined;
    for (const request of requests) {
      const { method, path, headers = {}, signedIn } = request;
      if (signedIn && password === undefined) {
        rows.push({ ...unsigned(request, isTrusted), host });
        continue;
      }
      const sent = signedIn && password !== undefined ? { ...headers, authorization: password } : headers;
      rows.push(requestRow(host, request, await caller.send(method ?? "GET", path, sent)));
    }
  } finally {
    caller.close();
  }
  if (redirects) rows.push(redirectRow(host, await askPlainly(host, ways)));
  return rows;
}

function unsigned(request: Target["requests"][number], isTrusted: boolean) {
  const { unknown } = findings("request");
  return isTrusted
    ? unknown(requestText(request), "It was not asked: the Secret with the password can't be read.")
    : unknown(
        requestText(request),
        "It was not asked: no password is sent to a host whose certificate is not trusted.",
      );
}

/** The header that signs in; undefined where the Secret can't be read, or has no such keys. */
async function passwordOf({ namespace, name, keys }: Account, { cluster }: SmokeMeans): Promise<string | undefined> {
  if (!cluster) return undefined;
  const found = await look<Secret>(cluster, `/api/v1/namespaces/${namespace}/secrets/${name}`);
  if (typeof found === "string") return undefined;
  const value = (key: string) => found.data?.[key] && Buffer.from(found.data[key], "base64").toString();
  const [user, password] = [value(keys.user), value(keys.password)];
  if (!user || !password) return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
