import type { Known } from "../core/known.ts";
import { error, type Problem, shown, warning } from "../core/problems.ts";
import { fixedSet, hostName } from "../core/value-rules.ts";
import {
  type ForgeAdministrationArgs,
  type ForgeLdapArgs,
  ForgeLdapEncryption,
  ForgeSignInKind,
  type ForgeSignOnArgs,
  type ForgeSmtpArgs,
  ForgeSmtpSecurity,
  ForgeVisibility,
} from "./args.ts";
import { mailAddress } from "./value-rules.ts";

/** Everything wrong with what administrators set. */
export function administrationProblems(administration: Known<ForgeAdministrationArgs> | undefined): Problem[] {
  const { timeZone, defaultProjectVisibility, smtp, signOn } = administration ?? {};
  return [
    ...zone(timeZone),
    ...fixedSet("administration.defaultProjectVisibility", defaultProjectVisibility, Object.values(ForgeVisibility)),
    ...(smtp ? mail(smtp) : []),
    ...(signOn ? externalSignIn(signOn) : []),
  ];
}

function zone(name: string | undefined): Problem[] {
  const known = (zoneName: string) => {
    try {
      return Boolean(new Intl.DateTimeFormat("en", { timeZone: zoneName }));
    } catch {
      return false;
    }
  };
  if (name === undefined || known(name)) return [];
  return [
    error("time-zone", "administration.timeZone", `${shown(name)} is not a time zone.`, "Write it like Europe/Berlin."),
  ];
}

function mail({ host, from, user, password, security }: Known<ForgeSmtpArgs>): Problem[] {
  const path = "administration.smtp";
  const half = (has: string, lacks: string, remedy: string) =>
    error("smtp-half", `${path}.${lacks}`, `Mail has ${has} but no ${lacks}.`, remedy);
  return [
    ...(host === undefined ? [half("settings", "host", "Name the mail server.")] : serverName(`${path}.host`, host)),
    ...(from === undefined ? [half("a server", "from", "Name the sender, e.g. forge@example.org.")] : []),
    ...mailAddress(`${path}.from`, from),
    ...(user !== undefined && password === undefined
      ? [half("a user", "password", "Name the Secret that holds it, or leave the user out.")]
      : []),
    ...(password !== undefined && user === undefined
      ? [half("a password", "user", "Name the user it belongs to, or leave the password out.")]
      : []),
    ...fixedSet(`${path}.security`, security, Object.values(ForgeSmtpSecurity)),
    ...(security === ForgeSmtpSecurity.none && user !== undefined
      ? [
          warning(
            "smtp-plain",
            `${path}.security`,
            "The password would pass the network readable by all.",
            `Write ${ForgeSmtpSecurity.startTls} or ${ForgeSmtpSecurity.tls}.`,
          ),
        ]
      : []),
  ];
}

function externalSignIn({ providers, ldap, autoCreate }: Known<ForgeSignOnArgs>): Problem[] {
  const path = "administration.signOn";
  const names = (providers ?? []).map((provider) => provider?.name);
  const directories = (ldap ?? []).map((server) => server?.name);
  const all = [...names, ...directories].filter((name) => name !== undefined);
  return [
    ...(providers ?? []).flatMap((provider, index) => [
      ...identifier(`${path}.providers[${index}].name`, provider?.name, names.indexOf(provider?.name) !== index),
      ...fixedSet(`${path}.providers[${index}].kind`, provider?.kind, Object.values(ForgeSignInKind)),
    ]),
    ...(ldap ?? []).flatMap((server, index) => [
      ...identifier(`${path}.ldap[${index}].name`, server?.name, directories.indexOf(server?.name) !== index),
      ...directory(`${path}.ldap[${index}]`, server ?? {}),
    ]),
    ...(autoCreate ?? []).flatMap((name, index) =>
      name === undefined || all.includes(name)
        ? []
        : [
            error(
              "unknown-provider",
              `${path}.autoCreate[${index}]`,
              `There is no provider or directory ${shown(name)}.`,
              all.length > 0 ? `Known here: ${all.join(", ")}.` : "Name it among the providers first.",
            ),
          ],
    ),
  ];
}

/** A server's host: unlike a public one its port has a setting. */
function serverName(path: string, host: string): Problem[] {
  const [, name, port] = /^([^:]+):(\d+)$/.exec(host) ?? [];
  if (name === undefined) return hostName(path, host);
  return [
    error("server-port", path, `${shown(host)} has a port.`, `Write ${name}, and the port as \`port: ${port}\`.`),
  ];
}

/** Names are parts of paths and keys in the forge's database. */
function identifier(path: string, name: string | undefined, doubled: boolean): Problem[] {
  if (name === undefined) return [];
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name))
    return [
      error("identifier", path, `${shown(name)} is not a name.`, "Use lower-case letters, digits and underscores."),
    ];
  return doubled ? [error("shared", path, `${shown(name)} is also an earlier one.`, "Each needs its own name.")] : [];
}

function directory(path: string, { host, base, bindDn, password, encryption }: Known<ForgeLdapArgs>): Problem[] {
  return [
    ...(host === undefined ? [] : serverName(`${path}.host`, host)),
    ...(base === undefined || base.includes("=")
      ? []
      : [
          error(
            "ldap-base",
            `${path}.base`,
            `${shown(base)} is not a distinguished name.`,
            "Write it like ou=people,dc=example,dc=org.",
          ),
        ]),
    ...(bindDn !== undefined && password === undefined
      ? [
          error(
            "ldap-half",
            `${path}.password`,
            "The directory has a name to sign in with but no password.",
            "Name the Secret that holds it, or leave the name out.",
          ),
        ]
      : []),
    ...(password !== undefined && bindDn === undefined
      ? [
          error(
            "ldap-half",
            `${path}.bindDn`,
            "The directory has a password but no name to sign in with.",
            "Write the name it belongs to, e.g. cn=forge,dc=example,dc=org, or leave the password out.",
          ),
        ]
      : []),
    ...fixedSet(`${path}.encryption`, encryption, Object.values(ForgeLdapEncryption)),
  ];
}
