import { jsonOf } from "./upstream.ts";

/** What a token of core's is about. (goharbor/harbor src/core/service/token/authutils.go) */
export interface RegistryToken {
  /** Name of the account; empty for nobody. */
  readonly subject: string;
  readonly access: readonly { readonly type: string; readonly name: string; readonly actions: readonly string[] }[];
}

/** Reads core's answer; undefined where it holds no token. Core alone checks the signature: nothing is decided for others here. */
export function registryToken(body: Buffer): RegistryToken | undefined {
  const answer = jsonOf(body) as { token?: unknown } | undefined;
  if (typeof answer?.token !== "string") return undefined;
  const claims = jsonOf(Buffer.from(answer.token.split(".")[1] ?? "", "base64url")) as
    | { sub?: unknown; access?: unknown }
    | undefined;
  if (typeof claims !== "object" || claims === null) return undefined;
  return {
    subject: typeof claims.sub === "string" ? claims.sub : "",
    access: Array.isArray(claims.access) ? claims.access.map(accessOf) : [],
  };
}

function accessOf(
  entry: { type?: unknown; name?: unknown; actions?: unknown } | null,
): RegistryToken["access"][number] {
  const { type, name, actions } = entry ?? {};
  return { type: String(type), name: String(name), actions: Array.isArray(actions) ? actions.map(String) : [] };
}
