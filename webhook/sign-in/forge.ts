import type { Attempt } from "../http-attempt.ts";
import { jsonOf, type Upstream } from "./upstream.ts";
import type { Denial } from "./verdict.ts";

/** Whose token it is, and what it may. */
export interface ForgeUser {
  readonly id: number;
  readonly name: string;
}

/** What the forge says of a token. */
export type ForgeAnswer<Fact> = Fact | { readonly denial: Denial } | "unavailable";

export interface ForgeToken {
  readonly owner: number;
  readonly scopes: readonly string[];
}

const tokenPath = "/api/v4/personal_access_tokens/self";
const userPath = "/api/v4/user";

/** The forge's API as far as a token asks about itself. (gitlab-org/gitlab lib/api/personal_access_tokens/self_information.rb, lib/api/users.rb) */
export class ForgeClient {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** The token's own record, which it may read whatever its scopes. */
  async token(token: string, deadline: number): Promise<ForgeAnswer<ForgeToken>> {
    const answer = await this.#get(tokenPath, token, deadline);
    if (isRefusal(answer)) return refusal(answer);
    const { user_id: owner, scopes, active } = objectOf(answer);
    if (!Number.isSafeInteger(owner) || !Array.isArray(scopes)) return "unavailable";
    // The forge refuses such a token itself; should it not one day, it opens nothing all the same.
    if (active === false) return { denial: "revoked" };
    return { owner: owner as number, scopes: scopes.map(String) };
  }

  /** The token's owner; takes the scope `read_api`, `api` or `read_user`. */
  async user(token: string, deadline: number): Promise<ForgeAnswer<ForgeUser>> {
    const answer = await this.#get(userPath, token, deadline);
    if (isRefusal(answer)) return refusal(answer);
    const { id, username, state, bot } = objectOf(answer);
    if (!Number.isSafeInteger(id) || typeof username !== "string") return "unavailable";
    if (bot === true) return { denial: "bot" };
    if (state !== undefined && state !== "active") return { denial: "blocked" };
    return { id: id as number, name: username };
  }

  #get(path: string, token: string, deadline: number): Promise<Attempt> {
    const headers = { "private-token": token, accept: "application/json", "user-agent": "hearth-hub-sign-in" };
    return this.#upstream.call({ path, headers, deadline });
  }
}

function isRefusal(answer: Attempt): boolean {
  return !("status" in answer) || answer.status !== 200;
}

/** What a refusal means: the forge's own words tell a token that has ended from one it never knew. (lib/api/api_guard.rb) */
function refusal(answer: Attempt): { denial: Denial } | "unavailable" {
  if (!("status" in answer)) return "unavailable";
  const { error, error_description: description } = objectOf(answer);
  const says = error === "invalid_token" ? String(description) : "";
  switch (answer.status) {
    case 400:
      return { denial: "kind" };
    case 401:
      if (/expired/i.test(says)) return { denial: "expired" };
      return { denial: /revoked/i.test(says) ? "revoked" : "unknown" };
    case 403:
      return { denial: error === "insufficient_scope" ? "scope" : "blocked" };
    default:
      return "unavailable";
  }
}

function objectOf(answer: Attempt): Readonly<Record<string, unknown>> {
  const value = "body" in answer ? jsonOf(answer.body) : undefined;
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
