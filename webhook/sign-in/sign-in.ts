import { createHmac, randomBytes } from "node:crypto";
import type { CallBudget, Standing } from "../call-budget.ts";
import type { Clock } from "../clock.ts";
import { RecentValues } from "../recent-values.ts";
import { pause } from "../servers.ts";
import { askedAccess, neededScope } from "./asked-access.ts";
import { type Core, signedIn, tookForNobody } from "./core.ts";
import type { ForgeClient, ForgeUser } from "./forge.ts";
import type { HubUser, HubUsers } from "./hub-users.ts";
import type { PullRobot } from "./pull-robot.ts";
import { type RegistryToken, registryToken } from "./registry-token.ts";
import type { Serial } from "./serial.ts";
import { denied, unavailable, type Verdict } from "./verdict.ts";

/** A name and a token of the forge, and what is asked with them. */
export interface SignInCall {
  readonly user: string;
  readonly token: string;
  /** The call's query with its question mark, or empty. */
  readonly query: string;
  /** Whether the credentials have opened something before. */
  readonly standing: Standing;
}

/** What signs users in. */
export interface SignInParts {
  readonly forge: ForgeClient;
  readonly users: HubUsers;
  readonly core: Core;
  readonly robot: PullRobot;
  readonly budget: CallBudget;
  readonly serial: Serial;
  readonly clock: Clock;
}

/** Below the time after which docker gives up, 15 s. */
const answerWithin = 13_000;
/** Calls wait so long at most for their turn at the forge. */
const turnWithin = 3_000;
/** So long a registry token is given again for the same call: a push asks for the same several times. */
const rememberIssued = 60_000;
/** So long a refused token is not asked after again. */
const rememberDenied = 10_000;
/** Larger answers of core are not remembered. */
const largestRemembered = 16 * 1024;
/**
 * Core refreshes the user's token at the forge, each of which works once: whoever comes at the same time, from another pod or with the CLI
 * secret, finds the new one when the forge has answered.
 */
const beforeRetries = [300, 900, 1_800];

/** Signs users of the forge in with its access tokens. Keeps no access token: what it remembers goes by keyed hashes. */
export class SignIn {
  readonly #parts: SignInParts;
  readonly #verdicts = new RecentValues<Verdict>(1_000);
  /** Users whose session has ended: none of their calls waits for it again so soon. */
  readonly #ended = new RecentValues<true>(1_000);
  readonly #key = randomBytes(32);

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /** What becomes of the call, which came at `since` (elapsed milliseconds). Never rejects, nor takes more than 13 s from then. */
  async decide(
    call: SignInCall,
    since: number = this.#parts.clock.elapsed(),
  ): Promise<Verdict & { readonly remembered?: boolean }> {
    const { clock } = this.#parts;
    const deadline = since + answerWithin;
    const key = this.#hash(call.user, call.token, call.query);
    const before = this.#verdicts.get(key, clock.elapsed());
    if (before) return { ...before, remembered: true };
    const owner = await this.#owner(call, deadline);
    if ("outcome" in owner) return this.#remember(key, owner);
    const verdict = await this.#parts.serial.run(owner.id, async () => {
      // Whoever stood before in the line may have asked for the same.
      const meanwhile = this.#verdicts.get(key, clock.elapsed());
      return meanwhile ?? this.#remember(key, await this.#exchange(owner, call.query, deadline));
    });
    return verdict ?? { outcome: "shed" };
  }

  /** The user of the forge, where the token is this user's and its scopes are enough. */
  async #owner(call: SignInCall, deadline: number): Promise<(ForgeUser & { readsOnly: boolean }) | Verdict> {
    const { forge, budget, clock } = this.#parts;
    const release = await budget.acquire(call.standing, clock.elapsed() + turnWithin);
    if (!release) return { outcome: "shed" };
    try {
      const token = await forge.token(call.token, deadline);
      if (token === "unavailable") return unavailable("forge");
      if ("denial" in token) return denied(token.denial);
      const readsOnly = !token.scopes.includes("api");
      if (readsOnly && (!token.scopes.includes("read_api") || needed(call.query) === "api")) return denied("scope");
      const user = await forge.user(call.token, deadline);
      if (user === "unavailable") return unavailable("forge");
      if ("denial" in user) return denied(user.denial);
      if (user.id !== token.owner || user.name.toLowerCase() !== call.user.toLowerCase()) return denied("owner");
      return { ...user, readsOnly };
    } finally {
      release();
    }
  }

  async #exchange(owner: ForgeUser & { readsOnly: boolean }, query: string, deadline: number): Promise<Verdict> {
    const { clock } = this.#parts;
    const key = String(owner.id);
    const pauses = this.#ended.get(key, clock.elapsed()) ? [] : beforeRetries;
    for (let attempt = 0; ; attempt++) {
      const user = await this.#parts.users.find(owner, deadline);
      if (user === "absent") return denied("not_signed_on");
      if (typeof user === "string") return unavailable(user);
      const answer = await this.#parts.core.token(user.name, user.secret, query, deadline);
      if (signedIn(answer) && "body" in answer)
        return this.#bounded(answer.body, user, owner.readsOnly, query, deadline);
      if (!tookForNobody(answer)) return unavailable("core");
      const before = pauses[attempt];
      if (before === undefined) {
        this.#ended.set(key, true, clock.elapsed(), rememberDenied);
        return denied("session_ended");
      }
      await pause(clock, before);
    }
  }

  /** Core's answer, bounded to what a token that only reads may do. */
  async #bounded(body: Buffer, user: HubUser, readsOnly: boolean, query: string, deadline: number): Promise<Verdict> {
    const token = registryToken(body);
    // Never another's, whatever core answers.
    if (token?.subject !== user.name) return unavailable("core");
    if (!readsOnly || readable(token)) return { outcome: "issued", body };
    const pulls = pullsOf(token, query);
    const answer = await this.#parts.robot.token(pulls, deadline);
    if (typeof answer === "string") return unavailable(answer);
    if (!("body" in answer) || !signedIn(answer)) return unavailable("core");
    const narrowed = registryToken(answer.body);
    return narrowed && readable(narrowed) ? { outcome: "issued", body: answer.body } : unavailable("core");
  }

  #remember(key: string, verdict: Verdict): Verdict {
    const now = this.#parts.clock.elapsed();
    if (verdict.outcome === "denied") this.#verdicts.set(key, verdict, now, rememberDenied);
    if (verdict.outcome === "issued" && verdict.body.length <= largestRemembered)
      this.#verdicts.set(key, verdict, now, rememberIssued);
    return verdict;
  }

  /** Tells nothing of what it is made of, and takes the same time whatever it is compared with. */
  #hash(...parts: readonly string[]): string {
    return createHmac("sha256", this.#key).update(JSON.stringify(parts)).digest("base64");
  }
}

/** The scope of the forge that a call needs. */
export function needed(query: string): "read_api" | "api" {
  return neededScope(askedAccess(new URLSearchParams(query)));
}

function readable({ access }: RegistryToken): boolean {
  return access.every(({ type, actions }) => type !== "repository" || actions.every((action) => action === "pull"));
}

/** The query for the pulls that a token has among all it may. */
function pullsOf({ access }: RegistryToken, query: string): string {
  const service = new URLSearchParams(query).get("service") ?? "";
  const pulled = access.filter(({ type, actions }) => type === "repository" && actions.includes("pull"));
  const scopes = pulled.map(({ name }): [string, string] => ["scope", `repository:${name}:pull`]);
  return `?${new URLSearchParams([["service", service], ...scopes])}`;
}
