import { error, type Problem, shown } from "../core/problems.ts";
import { addressCredentials } from "../core/value-rules.ts";

/** Rules on single values of a hub's arguments; its schema names them. */

/** A regular expression as Go takes it, as far as JavaScript's grammar can tell. */
export function goExpression(path: string, value: string | undefined): Problem[] {
  if (value === undefined) return [];
  try {
    new RegExp(value.replace(/^\(\?[imsU]+\)/, "").replaceAll("(?P<", "(?<"));
    return [];
  } catch {
    return [
      error(
        "expression",
        path,
        `${shown(value)} is not a regular expression.`,
        "Write it like ^team-.*$ for all that start so.",
      ),
    ];
  }
}

/** Scopes of OpenID Connect, of which `openid` is one. */
export function signOnScopes(path: string, values: readonly string[] | undefined): Problem[] {
  if (values === undefined) return [];
  const wrong = values.findIndex((value) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value) || value.includes(","));
  if (wrong >= 0)
    return [
      error(
        "scope",
        `${path}[${wrong}]`,
        `${shown(values[wrong])} is not one scope.`,
        "Write each scope as an entry of its own.",
      ),
    ];
  if (values.includes("openid")) return [];
  return [error("scope", path, "Without the scope openid nobody can sign on.", "Add openid, or leave the scopes out.")];
}

/** The address of an OpenID Connect provider, by https and no more than its name. */
export function issuerUrl(path: string, value: string | undefined): Problem[] {
  const credentials = addressCredentials(path, value, "`clientSecret` names the Secret that holds the client's.");
  if (value === undefined || credentials.length > 0) return credentials;
  const remedy = "Write it as the provider names itself, e.g. https://forge.example.org.";
  if (URL.parse(value)?.protocol !== "https:")
    return [error("issuer", path, `${shown(value)} is not a URL by https.`, remedy)];
  // A query may hold a token: it is not shown.
  return /[?#]/.test(value) ? [error("issuer", path, "The URL has a query or a fragment.", remedy)] : [];
}
