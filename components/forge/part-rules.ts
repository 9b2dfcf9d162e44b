import { isIP } from "node:net";
import type { Known } from "../core/known.ts";
import { error, type Problem, shown } from "../core/problems.ts";
import { hostName, namespaceName } from "../core/value-rules.ts";
import { entryPoints } from "../exposure/traefik.ts";
import type { ForgeArgs } from "./args.ts";

type Forge = Known<ForgeArgs>;

/** Everything wrong with the parts that a forge may have: proxies before it, SSH, static sites, the runner. */
export function partProblems(forge: Forge): Problem[] {
  return [...proxies(forge), ...ssh(forge), ...pages(forge), ...runner(forge)];
}

/** Rails reads the ranges at its start, and ends where one is none. */
function proxies({ platform }: Forge): Problem[] {
  return (platform?.ingress?.trustedProxies ?? []).flatMap((range, index) => {
    const [, address = "", bits = ""] = /^([^/]+)\/(\d{1,3})$/.exec(range ?? "") ?? [];
    const version = isIP(address);
    if (range === undefined || (version !== 0 && Number(bits) <= (version === 4 ? 32 : 128))) return [];
    const path = `platform.ingress.trustedProxies[${index}]`;
    return [error("cidr", path, `${shown(range)} is not a range of addresses.`, "Write it like 10.0.0.0/8.")];
  });
}

function ssh({ ssh: settings, platform }: Forge): Problem[] {
  if (!settings) return [];
  const entryPoint = (message: string) => [
    error(
      "ssh-entry-point",
      "ssh.entryPoint",
      message,
      "Name the one that Traefik's static configuration has for SSH, e.g. `--entryPoints.ssh.address=:2222/tcp` is `ssh`; this program can't add it.",
    ),
  ];
  const taken = Object.values(entryPoints(platform?.ingress ?? {}));
  return [
    ...(settings.entryPoint ? [] : entryPoint("Git over SSH has no entry point.")),
    ...(settings.entryPoint !== undefined && taken.includes(settings.entryPoint)
      ? entryPoint(
          `${shown(settings.entryPoint)} is the entry point of the public hosts, whose connections SSH would take.`,
        )
      : []),
    ...hostName("ssh.domain", settings.domain),
    ...whole("ssh.port", settings.port, 1, 65535),
    ...whole("ssh.sessionsPerConnection", settings.sessionsPerConnection, 1),
  ];
}

function pages({ pages: settings, domain, platform }: Forge): Problem[] {
  if (!settings) return [];
  const host = settings.domain;
  const problems = hostName("pages.domain", host);
  if (host !== undefined && domain !== undefined && (host === domain || domain.endsWith(`.${host}`)))
    problems.push(
      error(
        "pages-domain",
        "pages.domain",
        `The forge's own host ${shown(domain)} is within the sites' ${shown(host)}: a site could read its sessions.`,
        `Take a domain of its own, e.g. pages.${domain.split(".").slice(1).join(".")}.`,
      ),
    );
  if (platform?.ingress && platform.ingress.wildcardClusterIssuer === undefined)
    problems.push(
      error(
        "wildcard-issuer",
        "platform.ingress.wildcardClusterIssuer",
        `The sites' certificate is for *.${host}, which only an issuer with a DNS-01 solver can issue, and none is named.`,
        "Name a ClusterIssuer that proves by DNS, or leave pages out.",
      ),
    );
  return [...problems, ...whole("pages.replicas", settings.replicas, 1)];
}

function runner({ runner: settings, namespace }: Forge): Problem[] {
  if (!settings) return [];
  return [
    ...namespaceName("runner.jobNamespace", settings.jobNamespace),
    ...(settings.jobNamespace !== undefined && settings.jobNamespace === namespace
      ? [
          error(
            "job-namespace",
            "runner.jobNamespace",
            "CI jobs would run in the forge's own namespace, among its Secrets.",
            "Take a namespace of its own.",
          ),
        ]
      : []),
    ...whole("runner.concurrent", settings.concurrent, 1),
    ...toolVersion("runner.version", settings.version, "18.9.0"),
  ];
}

/** The version of a program beside the forge that is not three numbers: its tag is made of them, and another would move. */
export function toolVersion(path: string, found: string | undefined, example: string): Problem[] {
  if (found === undefined || /^\d+\.\d+\.\d+$/.test(found)) return [];
  return [
    error("tool-version", path, `${shown(found)} is not a version of three numbers.`, `Write it like ${example}.`),
  ];
}

/** A number that is not whole, or not from `least` to `most`. */
export function whole(
  path: string,
  found: number | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): Problem[] {
  if (found === undefined || (Number.isInteger(found) && found >= least && found <= most)) return [];
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  return [error("number", path, `${shown(found)} is not allowed.`, `Write a whole number, ${range}.`)];
}
