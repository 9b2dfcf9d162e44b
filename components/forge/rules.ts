import { judged, repeated, rulesOn } from "../core/arguments.ts";
import { error, type Problem, shown, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import { resolve } from "../core/resolve.ts";
import { parseVersion } from "../core/versions.ts";
import { callerProblems, listenerProblems, publicListeners } from "../exposure/rendering.ts";
import { limits } from "../limits/table.ts";
import { profileProblems } from "../limits/value-rules.ts";
import { regionProblems } from "../stores/object-storage/rules.ts";
import { signOnProblems } from "./administration-rules.ts";
import { type ForgeArgs, ForgeRepositoryBackup } from "./args.ts";
import { forge, forgeBackup, forgeSsh } from "./schema.ts";
import { Awaited, awaitedMigrations } from "./start-up.ts";
import { forgeRelease } from "./value-rules.ts";
import { forgeDatabases, forgeVersion, shellVersion } from "./versions.ts";

const rule = rulesOn(forge);

/** Rules between several of a forge's arguments. */
export const forgeRules = [
  rule(["version", "shellVersion"], sshServer),
  rule(["version", "downtime"], startUp),
  rule(["version", "databaseVersion"], database),
  rule(["objectStore"], ({ objectStore: { endpoint, region } }) =>
    regionProblems("objectStore.region", endpoint, region),
  ),
  rule(["ssh", "platform"], sshEntryPoint),
  rule(["ssh", "platform"], ({ ssh, platform }) =>
    ssh
      ? [
          ...listenerProblems(platform.ingress, "ssh", ssh),
          ...callerProblems(platform.ingress, "ssh.proxyProtocol", ssh.proxyProtocol),
        ]
      : [],
  ),
  rule(["pages", "domain"], pagesDomain),
  rule(["pages", "platform"], wildcardIssuer),
  rule(["runner", "namespace"], jobNamespace),
  rule(["replicas", "platform"], ({ replicas, platform: { profile } }, widening) =>
    profileProblems(limits.forgeWebReplicas, "replicas.webservice", replicas?.webservice, {
      profile,
      limits: widening,
    }),
  ),
  rule(["applications"], applications),
  rule(["backup", "repositorySize"], scratchSpace),
  rule(["administration"], ({ administration }) => signOnProblems(administration?.signOn)),
];

/** Everything wrong with a forge's arguments, before anything is created. */
export const forgeProblems = judged(forge, forgeRules);

function sshServer(forge: Pick<ForgeArgs, "version" | "shellVersion">): Problem[] {
  if (forgeRelease("", forge.version).length > 0 || shellVersion(forge) !== undefined) return [];
  return [
    error(
      "shell-version",
      "shellVersion",
      `hearth does not know which version of the SSH server belongs to forge ${forgeVersion(forge)}.`,
      "Set it to the content of the file GITLAB_SHELL_VERSION in the forge's sources of that version, e.g. 14.45.3.",
    ),
  ];
}

/** Without downtime the last migrations run after the new pods; images that wait for those never start. */
function startUp(forge: Pick<ForgeArgs, "version" | "downtime">): Problem[] {
  if (forge.downtime || awaitedMigrations(forge) === Awaited.regularMigrations) return [];
  return [
    error(
      "forge-start",
      "version",
      `Web and job pods of forge ${forgeVersion(forge)} wait for all migrations. Without downtime the last migrations run after these pods, so the pods would never start.`,
      "Set `downtime: true`, which runs all migrations first, or use 18.5 or later.",
    ),
  ];
}

function database(forge: Pick<ForgeArgs, "version" | "databaseVersion">): Problem[] {
  if (forgeRelease("", forge.version).length > 0) return [];
  const [major = 0] = parseVersion(forge.databaseVersion) ?? [];
  const { oldest, newest } = forgeDatabases(forge);
  if (major >= oldest && major <= newest) return [];
  const range = newest > oldest ? `${oldest} to ${newest}` : `${oldest}`;
  return [
    error(
      "forge-database",
      "databaseVersion",
      `Forge ${forgeVersion(forge)} runs on PostgreSQL ${range}, and the database is ${forge.databaseVersion}.`,
      major > newest
        ? `Write ${newest}.`
        : `Write ${oldest}. Where a forge runs already, name the \`version\` that it has, and upgrade the database first: docs/how-to/gitlab-19.md has every step.`,
    ),
  ];
}

function sshEntryPoint({ ssh, platform }: Pick<ForgeArgs, "ssh" | "platform">): Problem[] {
  const taken = publicListeners(platform.ingress);
  const port = ssh?.listenerPort ?? resolve(forgeSsh.shape.port, ssh?.port);
  if (ssh && taken.includes(port))
    return [
      error(
        "ssh-entry-point",
        ssh.listenerPort === undefined ? "ssh.port" : "ssh.listenerPort",
        `${port} is the port of the public hosts. SSH would take their connections.`,
        "Give the listener for SSH its own port, e.g. 22.",
      ),
    ];
  if (!ssh || !taken.includes(ssh.entryPoint)) return [];
  return [
    error(
      "ssh-entry-point",
      "ssh.entryPoint",
      `${shown(ssh.entryPoint)} is the entry point of the public hosts. SSH would take their connections.`,
      "Name the entry point for SSH in Traefik's static configuration: for `--entryPoints.ssh.address=:2222/tcp` it is `ssh`. hearth can't add it.",
    ),
  ];
}

function pagesDomain({ pages, domain }: Pick<ForgeArgs, "pages" | "domain">): Problem[] {
  const host = pages?.domain;
  if (host === undefined || (host !== domain && !domain.endsWith(`.${host}`))) return [];
  return [
    error(
      "pages-domain",
      "pages.domain",
      `The forge's own host ${shown(domain)} is below the sites' ${shown(host)}, so a site could read the forge's sessions.`,
      `Use a separate domain, e.g. pages.${domain.split(".").slice(1).join(".")}.`,
    ),
  ];
}

function wildcardIssuer({ pages, platform }: Pick<ForgeArgs, "pages" | "platform">): Problem[] {
  if (!pages || platform.ingress.wildcardClusterIssuer !== undefined) return [];
  return [
    error(
      "wildcard-issuer",
      "platform.ingress.wildcardClusterIssuer",
      `The sites' certificate is for *.${pages.domain}. Only an issuer with a DNS-01 solver can issue it, and the stack names none.`,
      "Name a ClusterIssuer with a DNS-01 solver, or remove pages.",
    ),
  ];
}

function jobNamespace({ runner, namespace }: Pick<ForgeArgs, "runner" | "namespace">): Problem[] {
  if (runner?.jobNamespace !== namespace) return [];
  return [
    error(
      "job-namespace",
      "runner.jobNamespace",
      "CI jobs would run in the forge's own namespace, beside its Secrets.",
      "Use a separate namespace.",
    ),
  ];
}

function applications({ applications: all = [] }: Pick<ForgeArgs, "applications">): Problem[] {
  const names = all.map(({ name }) => name);
  return repeated(names, (name, index) =>
    error(
      "shared",
      `applications[${index}].name`,
      `${shown(name)} is the name of another application too.`,
      "Each needs its own name.",
    ),
  );
}

/** Repositories in the archive: the tool writes them to the scratch space, then packs them there. How large objects are is not known. */
function scratchSpace({ backup, repositorySize }: Pick<ForgeArgs, "backup" | "repositorySize">): Problem[] {
  const { repositories, scratchSize } = resolve(forgeBackup, backup ?? {});
  const volume = resolve(forge.shape.repositorySize, repositorySize);
  const [scratch, most] = [parseQuantity(scratchSize), parseQuantity(volume)];
  if (repositories === ForgeRepositoryBackup.bucket || scratch === undefined || most === undefined) return [];
  if (scratch >= 2 * most) return [];
  return [
    warning(
      "scratch-size",
      "backup.scratchSize",
      `${scratchSize} of scratch space hold no archive of a full volume of repositories, which has ${volume}.`,
      "Set it to twice that, or leave `backup.repositories` out: the git store then puts repositories into the bucket itself.",
    ),
  ];
}
