import { error, type Problem } from "@hearth-platform/hearth/core/problems";
import { clientOfProvider } from "@hearth-platform/hearth/core/sign-on-rules";

/** What a sign-on says of itself, by key; a key without a value is left out of the settings. */
type Own = Readonly<Record<string, unknown>>;
type Path = (key: string) => string;

/** With another provider than the forge: its issuer and its client, whose Secrets are in `whose` namespace. */
export function withProvider({ issuer, ...client }: Own, path: Path, whose: "stack's" | "suite's"): Problem[] {
  const remedy = "Take it from the provider's /.well-known/openid-configuration.";
  return [
    ...(issuer === undefined
      ? [error("required", path("issuer"), "Sign-on with a provider needs issuer.", remedy)]
      : []),
    ...clientOfProvider(client, path, whose),
  ];
}

/** With the forge, which has an issuer and a client of its own. `otherwise` are ways on beside another provider. */
export function withForge(own: Own, path: Path, hasForge: boolean, otherwise = ""): Problem[] {
  const without = error(
    "sign-on",
    path("with"),
    "The stack has no forge to sign on with.",
    `Add hearth:forge, or set with: provider and its issuer and client${otherwise}.`,
  );
  return [
    ...(hasForge ? [] : [without]),
    ...needless(
      own,
      path,
      "is for sign-on with a provider, but sign-on is with the forge, which has its own.",
      "Remove it, or set with: provider.",
    ),
  ];
}

/** Values that this sign-on does not read. */
export function needless(own: Own, path: Path, why: string, remedy: string): Problem[] {
  return Object.entries(own)
    .filter(([, value]) => value !== undefined)
    .map(([key]) => error("sign-on", path(key), `${key} ${why}`, remedy));
}
