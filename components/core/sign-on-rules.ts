import { error, type Problem, warning } from "./problems.ts";
import { addressCredentials, notInUrl } from "./value-rules.ts";

/** Rules on single values of a sign-on by OpenID Connect. */

/** Scopes of OpenID Connect, of which `openid` is one. */
export function signOnScopes(path: string, values: readonly string[] | undefined): Problem[] {
  if (values === undefined) return [];
  const wrong = values.findIndex((value) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value) || value.includes(","));
  if (wrong >= 0)
    return [
      error("scope", `${path}[${wrong}]`, "The value is not one scope.", "Write each scope as a separate entry."),
    ];
  if (values.includes("openid")) return [];
  return [error("scope", path, "Without the scope openid nobody can sign on.", "Add openid, or leave the scopes out.")];
}

/** The address of an OpenID Connect provider as it names itself: by https, and seldom with a slash at its end. */
export function issuerUrl(path: string, value: string | undefined): Problem[] {
  const credentials = addressCredentials(path, value, "`clientSecret` names the Secret that holds the client's.");
  if (value === undefined || credentials.length > 0) return credentials;
  const remedy = "Write it as the provider names itself, e.g. https://forge.example.org.";
  if (URL.parse(value)?.protocol !== "https:")
    return [error("issuer", path, "The value is not an https:// URL.", remedy)];
  if (notInUrl.test(value))
    return [
      error("issuer", path, "The value has a character that no URL has, such as a quote or a backslash.", remedy),
    ];
  // A query may hold a token: it is not shown.
  if (/[?#]/.test(value)) return [error("issuer", path, "The URL has a query or a fragment.", remedy)];
  if (!value.endsWith("/")) return [];
  const document = `${value.replace(/\/+$/, "")}/.well-known/openid-configuration`;
  return [
    warning(
      "issuer-slash",
      path,
      "The value ends with a slash. Few providers name themselves so, and with a wrong name nobody can sign in.",
      `Compare it with \`issuer\` in ${document}, letter by letter.`,
    ),
  ];
}

/** The client at a provider, whose Secrets are in `whose` namespace: each value that is missing. */
export function clientOfProvider(
  client: Readonly<Record<string, unknown>>,
  path: (key: string) => string,
  whose: "stack's" | "suite's",
): Problem[] {
  return Object.entries(client)
    .filter(([, value]) => value === undefined)
    .map(([key]) =>
      error(
        "required",
        path(key),
        `Sign-on with a provider needs ${key}.`,
        `Name the Secret that has it, in the ${whose} namespace, and its key there.`,
      ),
    );
}
