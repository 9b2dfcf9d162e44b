import { checkArguments } from "@hearth-platform/hearth/core/arguments";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { forgeProblems } from "@hearth-platform/hearth/forge/rules";
import { forge } from "@hearth-platform/hearth/forge/schema";
import { describe, expect, test } from "vitest";
import { completeForge, minimalForge } from "./forge.ts";

const problems = (change: object) =>
  checkArguments(forge, { ...completeForge, ...change } as ForgeArgs, forgeProblems).map(
    ({ code, path }) => `${code} ${path}`,
  );
const administration = (change: object) => ({ administration: { ...completeForge.administration, ...change } });
const { ingress } = completeForge.platform;
const directory = { name: "main", host: "ldap.example.org", base: "dc=example,dc=org" };

test("a complete and a minimal forge have no problems", () => {
  expect(forgeProblems(completeForge)).toEqual([]);
  expect(forgeProblems(minimalForge)).toEqual([]);
});

describe("SSH through a Gateway", () => {
  const platform = { ...completeForge.platform, ingress: { ...ingress, kind: "gateway" } };
  const ssh = (change: object) => problems({ platform, ssh: { entryPoint: "ssh", ...change } });

  test("is not told who calls, unless the settings say that it is, or that it need not be", () => {
    expect(ssh({})).toEqual(["ingress-callers ssh.proxyProtocol"]);
    expect(ssh({ proxyProtocol: true })).toEqual([]);
    expect(ssh({ proxyProtocol: false })).toEqual([]);
  });

  test("has a listener with a name and a port, which Traefik has no use for", () => {
    expect(ssh({ proxyProtocol: false, entryPoint: "Git_SSH" })).toEqual(["object-name ssh.entryPoint"]);
    expect(problems({ ssh: { entryPoint: "Git_SSH", listenerPort: 2222 } })).toEqual(["unused ssh.listenerPort"]);
  });

  test("has a port of its own", () => {
    expect(ssh({ proxyProtocol: false, port: 443 })).toEqual(["ssh-entry-point ssh.port"]);
    expect(ssh({ proxyProtocol: false, port: 443, listenerPort: 2222 })).toEqual([]);
    expect(ssh({ proxyProtocol: false, listenerPort: 80 })).toEqual(["ssh-entry-point ssh.listenerPort"]);
  });
});

describe("a likely mistake has a clear refusal", () => {
  test.each<[string, object, string[]]>([
    [
      "static sites without an issuer of wildcards",
      { platform: { ...completeForge.platform, ingress: { clusterIssuer: ingress.clusterIssuer } } },
      ["wildcard-issuer platform.ingress.wildcardClusterIssuer"],
    ],
    [
      "no session on an SSH connection",
      { ssh: { entryPoint: "ssh", sessionsPerConnection: 0 } },
      ["value ssh.sessionsPerConnection"],
    ],
    ["SSH without an entry point", { ssh: {} }, ["missing ssh.entryPoint"]],
    [
      "mail half set",
      administration({ smtp: { host: "mail.example.org", from: "forge@example.org", user: "forge" } }),
      ["mail-half administration.smtp.password"],
    ],
    [
      "buckets in another region",
      { objectStore: { ...completeForge.objectStore, region: "nbg1" } },
      ["region-location objectStore.region"],
    ],
    ["a database that is too old", { databaseVersion: "15" }, ["forge-database databaseVersion"]],
    ["the next major, which needs a newer database", { version: "19.0.0" }, ["forge-database databaseVersion"]],
    ["an older major", { version: "17.11.2" }, ["forge-major version"]],
    [
      "a major whose configuration is not known",
      { version: "20.0.0", shellVersion: "14.60.0" },
      ["forge-major version"],
    ],
    ["a version without its patch", { version: "18.5" }, ["forge-version version"]],
    ["a version as its image is tagged", { version: "v18.5.2" }, ["forge-version version"]],
    ["a database that is too new", { databaseVersion: "18" }, ["forge-database databaseVersion"]],
    [
      "jobs that may reach what is no range",
      { runner: { allowedNetworks: ["10.1.2.3"] } },
      ["cidr runner.allowedNetworks[0]"],
    ],
    [
      "jobs that may reach the cloud's metadata",
      { runner: { allowedNetworks: ["10.1.2.3/32", "0.0.0.0/0", "169.254.0.0/16", "169.254.20.10/32"] } },
      ["job-networks runner.allowedNetworks[1]", "job-networks runner.allowedNetworks[2]"],
    ],
    ["a runner by a tag that moves", { runner: { version: "latest" } }, ["tool-version runner.version"]],
    ["an SSH server by a tag that moves", { shellVersion: "v14.45.3" }, ["tool-version shellVersion"]],
    [
      "a mail server with its port",
      administration({ smtp: { host: "mail.example.org:465", from: "forge@example.org" } }),
      ["server-port administration.smtp.host"],
    ],
    [
      "proxies that are no addresses",
      {
        platform: {
          ...completeForge.platform,
          ingress: { ...ingress, trustedProxies: ["10.0.0.0/8", "10.0.0.0/33", "proxy"] },
        },
      },
      ["cidr platform.ingress.trustedProxies[1]", "cidr platform.ingress.trustedProxies[2]"],
    ],
    ["a version whose SSH server is not known", { version: "18.12.0" }, ["shell-version shellVersion"]],
    ["sites on the forge's own host", { pages: { domain: completeForge.domain } }, ["pages-domain pages.domain"]],
    ["sites above the forge's own host", { pages: { domain: "example.org" } }, ["pages-domain pages.domain"]],
    [
      "CI jobs among the forge's Secrets",
      { runner: { jobNamespace: "platform" } },
      ["job-namespace runner.jobNamespace"],
    ],
    ["a schedule with seconds", { backup: { schedule: "0 0 1 * * *" } }, ["backup-schedule backup.schedule"]],
    ["a schedule by words", { backup: { schedule: "every night at 1 o'clock" } }, ["backup-schedule backup.schedule"]],
    ["a schedule beyond the clock", { backup: { schedule: "0 24 * * *" } }, ["backup-schedule backup.schedule"]],
    ["a time zone by its abbreviation", administration({ timeZone: "Berlin" }), ["time-zone administration.timeZone"]],
    [
      "accounts for a provider there is not",
      administration({ signOn: { ...completeForge.administration?.signOn, autoCreate: ["google"] } }),
      ["unknown-provider administration.signOn.autoCreate[0]"],
    ],
    [
      "two directories of one name",
      administration({ signOn: { ldap: [directory, directory] } }),
      ["shared administration.signOn.ldap[1].name"],
    ],
    [
      "a directory's password without a name to sign in with",
      administration({ signOn: { ldap: [{ ...directory, password: { name: "ldap", key: "password" } }] } }),
      ["ldap-half administration.signOn.ldap[0].bindDn"],
    ],
    ["SSH at the entry point of HTTPS", { ssh: { entryPoint: "websecure" } }, ["ssh-entry-point ssh.entryPoint"]],
    [
      "SSH at the entry point of HTTP, which has a name of its own",
      {
        ssh: { entryPoint: "http" },
        platform: { ...completeForge.platform, ingress: { ...ingress, httpEntryPoint: "http" } },
      },
      ["ssh-entry-point ssh.entryPoint"],
    ],
    [
      "an application without TLS",
      { applications: [{ name: "hub", redirectUri: "http://hub.example.org/" }] },
      ["redirect-uri applications[0].redirectUri"],
    ],
    ["a public host with a scheme", { domain: "https://forge.example.org" }, ["host-name domain"]],
  ])("%s", (_, change, expected) => {
    expect(problems(change)).toEqual(expected);
  });

  test.each(["*/15 1-5 * * MON-FRI", "0 1,13 1 JAN *", "30 2 * * 0"])("the schedule %s is none", (schedule) => {
    expect(problems({ backup: { schedule } })).toEqual([]);
  });

  test("a host with a scheme is told of once, where it stands", () => {
    expect(problems({ domain: "https://forge.example.org", ssh: { entryPoint: "ssh" } })).toEqual(["host-name domain"]);
  });

  test("users of a directory may get an account at their first sign-in, as those of a provider", () => {
    expect(problems(administration({ signOn: { ldap: [directory], autoCreate: ["main"] } }))).toEqual([]);
  });

  test("a single web pod in production is a warning, unless the stack allows it", () => {
    const one = { ...completeForge, replicas: { webservice: 1 } };
    const [problem] = forgeProblems(one);
    expect(problem).toMatchObject({ severity: "warning", code: "replicas-profile" });
    expect(forgeProblems(one, { forgeWebReplicas: { least: 1, reason: "One node." } })).toEqual([]);
  });

  test("repositories in the archive get a warning where a full volume of them would not fit the scratch space", () => {
    const said = (change: Partial<ForgeArgs>) =>
      forgeProblems({ ...completeForge, ...change }).map(({ severity, path, code }) => `${severity} ${path} ${code}`);
    const small = ["warning backup.scratchSize scratch-size"];
    expect(said({ backup: { repositories: "archive" } })).toEqual(small);
    expect(said({ backup: { repositories: "archive", scratchSize: "99Gi" }, repositorySize: "50Gi" })).toEqual(small);
    expect(said({ backup: { repositories: "archive", scratchSize: "100Gi" }, repositorySize: "50Gi" })).toEqual([]);
    expect(said({ backup: { scratchSize: "1Gi" } })).toEqual([]);
  });

  test("19 on an older database is refused with the way on", () => {
    const [problem] = forgeProblems({ ...completeForge, version: "19.0.0" });
    expect(problem?.message).toBe("Forge 19.0.0 runs on PostgreSQL 17, and the database is 16.");
    expect(problem?.remedy).toContain("name the `version` that it has");
    expect(problem?.remedy).toContain("docs/how-to/gitlab-19.md");
  });
});
