/**
 * The forge's API as far as a token asks about itself. The answers are compared with GitLab's own client at every exchange
 * (`test/support/forge-api.ts`); its refusals were read from GitLab's lib/api/api_guard.rb and lib/api/personal_access_tokens/self_information.rb.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { forgeAnswerProblems, forgeOperation } from "../../support/forge-api.ts";

/** A token, and its owner with what the forge says of both. */
export interface FakeToken {
  readonly id: number;
  username: string;
  readonly scopes: readonly string[];
  readonly ended?: "expired" | "revoked";
  /** `blocked` is refused; of others the forge only says that they are so. */
  readonly state?: "active" | "blocked" | "deactivated" | "ldap_blocked";
  readonly bot?: boolean;
  /** Whose number the token's own record has. @default the user's */
  readonly owner?: number;
  /** What the token's own record says. @default true */
  readonly active?: boolean;
  readonly kind?: "oauth";
}

export class FakeForge {
  readonly tokens = new Map<string, FakeToken>();
  /** Paths asked for, in their order. */
  readonly asked: string[] = [];
  /** What went over the wire otherwise than the published API says. */
  readonly problems: string[] = [];
  /** Everything is answered so, if set; `cut` breaks the connection. */
  fails?: number | "cut";
  /** Milliseconds before each answer. */
  latency = 0;
  /** Questions being answered, and the most there were. */
  asking = 0;
  mostAsking = 0;
  readonly #server = createServer(async (request, response) => {
    const path = request.url ?? "";
    this.asked.push(path);
    this.asking += 1;
    this.mostAsking = Math.max(this.mostAsking, this.asking);
    if (this.latency > 0) await new Promise((done) => setTimeout(done, this.latency));
    this.asking -= 1;
    if (this.fails === "cut") return request.socket.destroy();
    if (this.fails !== undefined) return answer(response, this.fails, { message: "broken" });
    const operation = forgeOperation(request.method ?? "", path.replace("/api/v4", ""));
    const [status, body] = this.#answer(operation, String(request.headers["private-token"]));
    if (status === 200) this.problems.push(...forgeAnswerProblems(operation ?? "", body));
    return answer(response, status, body);
  });

  static async start(): Promise<FakeForge> {
    const forge = new FakeForge();
    await new Promise<void>((done) => forge.#server.listen(0, "127.0.0.1", done));
    return forge;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #answer(operation: string | undefined, secret: string): [number, Record<string, unknown>] {
    const token = this.tokens.get(secret);
    if (!token) return [401, { message: "401 Unauthorized" }];
    if (token.ended) {
      const words = {
        expired: "Token is expired. You can either do re-authorization or token refresh.",
        revoked: "Token was revoked. You have to re-authorize from the user.",
      };
      return [401, { error: "invalid_token", error_description: words[token.ended] }];
    }
    if (token.state === "blocked") return [403, { message: "403 Forbidden - Your account has been blocked." }];
    const { id, username, scopes, bot = false, state = "active", owner = id, active = true } = token;
    if (operation === "GetSinglePersonalAccessToken") {
      if (token.kind === "oauth")
        return [400, { message: "400 Bad request - This endpoint requires token type to be a personal access token" }];
      return [
        200,
        {
          ...{ id: 4, name: "laptop", revoked: false, created_at: "2026-11-01T08:00:00.000Z", description: "" },
          ...{ scopes: [...scopes], user_id: owner, last_used_at: null, active, expires_at: "2027-11-01" },
        },
      ];
    }
    if (operation === "CurrentUser") {
      if (!scopes.some((scope) => ["api", "read_api", "read_user"].includes(scope)))
        return [403, { error: "insufficient_scope", error_description: "The request requires higher privileges." }];
      return [200, { id, username, name: "Somebody", state, bot, web_url: `https://forge.example.org/${username}` }];
    }
    return [404, { error: "404 Not Found" }];
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
