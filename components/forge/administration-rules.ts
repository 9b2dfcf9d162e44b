import { repeated } from "../core/arguments.ts";
import { error, type Problem, shown } from "../core/problems.ts";
import type { ForgeLdapArgs, ForgeSignOnArgs } from "./args.ts";

/** Rules between what administrators set. */

/** Providers and directories have names of their own, and accounts are made for those that there are. */
export function signOnProblems({ providers = [], ldap = [], autoCreate = [] }: ForgeSignOnArgs = {}): Problem[] {
  const path = "administration.signOn";
  const names = [...providers, ...ldap].map(({ name }) => name);
  return [
    ...doubled(`${path}.providers`, providers),
    ...doubled(`${path}.ldap`, ldap),
    ...ldap.flatMap((server, index) => directory(`${path}.ldap[${index}]`, server)),
    ...autoCreate.flatMap((name, index) =>
      names.includes(name)
        ? []
        : [
            error(
              "unknown-provider",
              `${path}.autoCreate[${index}]`,
              `There is no provider or directory ${shown(name)}.`,
              names.length > 0 ? `Known here: ${names.join(", ")}.` : "Name it among the providers first.",
            ),
          ],
    ),
  ];
}

function doubled(path: string, entries: readonly { readonly name: string }[]): Problem[] {
  const names = entries.map(({ name }) => name);
  return repeated(names, (name, index) =>
    error("shared", `${path}[${index}].name`, `${shown(name)} is also an earlier one.`, "Each needs its own name."),
  );
}

function directory(path: string, { bindDn, password }: ForgeLdapArgs): Problem[] {
  if (bindDn !== undefined && password === undefined)
    return [
      error(
        "ldap-half",
        `${path}.password`,
        "The directory has a name to sign in with but no password.",
        "Name the Secret that holds it, or leave the name out.",
      ),
    ];
  if (password !== undefined && bindDn === undefined)
    return [
      error(
        "ldap-half",
        `${path}.bindDn`,
        "The directory has a password but no name to sign in with.",
        "Write the name it belongs to, e.g. cn=forge,dc=example,dc=org, or leave the password out.",
      ),
    ];
  return [];
}
