import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import type { Answered, SeenCertificate, Unanswered } from "./ask.ts";
import type { PublicRequest } from "./requests.ts";

/** A finding about a host. */
export interface SmokeRow extends Finding {
  /** The public host; its subject is what was asked of it. */
  readonly host: string;
}

const day = 24 * 60 * 60 * 1000;
/** Days before its end from which on a certificate should long have been renewed. */
const lateDays = 14;

const look = "See what runs: `./hearth status --stack STACK`.";

/** Whether a name leads somewhere. @param addresses none: it has no record */
export function dnsRow(host: string, addresses: readonly string[]): SmokeRow {
  const { ok, problem } = findings("dns");
  const found =
    addresses.length === 0
      ? problem(
          "DNS",
          "The name has no record.",
          "Make an A or AAAA record for the load balancer: `./hearth doctor` knows its address.",
        )
      : ok("DNS", `It leads to ${addresses.join(", ")}.`);
  return { ...found, host };
}

/** Whether clients trust a host's certificate, and for how long. */
export function certificateRow(host: string, seen: SeenCertificate | Unanswered, now: Date): SmokeRow {
  const { ok, warning, problem } = findings("certificate");
  const subject = "certificate";
  if ("failure" in seen) return { ...problem(subject, `No TLS connection: ${ended(seen.failure)}`, look), host };
  if (seen.refusal !== undefined) {
    const remedy =
      "See `kubectl describe certificates.cert-manager.io`. An authority of your own is named with --ca-file.";
    return { ...problem(subject, `Clients refuse it: ${ended(seen.refusal)}`, remedy), host };
  }
  const days = Math.floor((seen.ends - now.valueOf()) / day);
  const says = `Of ${seen.issuer}, for ${days} more days.`;
  return {
    ...(days < lateDays ? warning(subject, says, "It should have been renewed by now.") : ok(subject, says)),
    host,
  };
}

/** A request as people name it, e.g. `GET /v2/ signed in`. */
export function requestText({ method, path, signedIn }: PublicRequest): string {
  return [method ?? "GET", path, ...(signedIn ? ["signed in"] : [])].join(" ");
}

/** Whether what came back is what the table says. */
export function requestRow(host: string, request: PublicRequest, answer: Answered | Unanswered): SmokeRow {
  const { ok, warning, problem } = findings("request");
  const subject = requestText(request);
  const { to, signedIn, status = [to === undefined ? 404 : 200] } = request;
  if ("failure" in answer) return { ...problem(subject, `No answer: ${ended(answer.failure)}`, look), host };
  if (!status.includes(answer.status)) {
    const wanted = `It answers ${answer.status}, not ${status.join(" or ")}.`;
    // Who changed the password need not have changed the Secret.
    if (signedIn && answer.status === 401)
      return {
        ...warning(
          subject,
          `${wanted} The Secret has the first password.`,
          "If it was changed, that is as it should be.",
        ),
        host,
      };
    const remedy =
      to === undefined
        ? "Only the inside of the cluster needs it: see the routes of this host."
        : (request.remedy ?? look);
    return { ...problem(subject, wanted, remedy), host };
  }
  const fault = headerFault(host, request, answer) ?? bodyFault(host, request, answer) ?? request.fault?.(answer);
  return {
    ...(fault === undefined
      ? ok(subject, `${answer.status}`)
      : problem(subject, `${answer.status}, but ${fault}`, request.remedy ?? look)),
    host,
  };
}

function headerFault(host: string, { header }: PublicRequest, { headers }: Answered): string | undefined {
  const [name, pattern] = header?.(host) ?? [];
  if (name === undefined || pattern === undefined) return undefined;
  const value = String(headers[name] ?? "");
  return pattern.test(value) ? undefined : `its header ${name} is "${value}".`;
}

function bodyFault(host: string, { json, words }: PublicRequest, { body }: Answered): string | undefined {
  if (words !== undefined && !body.includes(words)) return `its body has no "${words}".`;
  if (!json) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return "its body is no JSON.";
  }
  const { error } = json(host).safeParse(value);
  const [issue] = error?.issues ?? [];
  if (!issue) return undefined;
  const message = (value as { message?: unknown }).message;
  // A health that failed says why.
  return `of its body ${issue.path.join(".") || "all"} is wrong: ${ended(issue.message)}${typeof message === "string" ? ` ${ended(message)}` : ""}`;
}

/** Whether plain HTTP leads to HTTPS. */
export function redirectRow(host: string, answer: Answered | Unanswered): SmokeRow {
  const { ok, problem } = findings("redirect");
  const subject = "HTTP";
  if ("failure" in answer) return { ...problem(subject, `No answer: ${ended(answer.failure)}`, "Open port 80."), host };
  const { status, headers } = answer;
  const to = URL.parse(String(headers.location));
  const isRight = [301, 308].includes(status) && to?.protocol === "https:" && to.hostname === host;
  const says = `It answers ${status}${headers.location ? ` to ${headers.location}` : ""}.`;
  return {
    ...(isRight
      ? ok(subject, "It is sent to HTTPS.")
      : problem(subject, says, "It has to be sent to HTTPS: see the redirect's route.")),
    host,
  };
}

/** Whether an SSH server greets. */
export function sshRow(host: string, greeting: string | Unanswered): SmokeRow {
  const { ok, problem } = findings("ssh");
  const subject = "SSH";
  const remedy =
    "See the TCP route, its entry point and `kubectl -n platform get pods -l app.kubernetes.io/name=forge-shell`.";
  if (typeof greeting !== "string")
    return { ...problem(subject, `No answer: ${ended(greeting.failure)}`, remedy), host };
  const isSsh = /^SSH-2\.0-/.test(greeting);
  return {
    ...(isSsh ? ok(subject, greeting) : problem(subject, `It greets with "${greeting.slice(0, 60)}".`, remedy)),
    host,
  };
}

function ended(text: string): string {
  return `${text.trim().replace(/[.\s]+$/, "")}.`;
}
