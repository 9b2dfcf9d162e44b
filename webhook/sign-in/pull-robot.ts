import { createHmac } from "node:crypto";
import type { Attempt } from "../http-attempt.ts";
import type { AdministratorPassword } from "./administrator-password.ts";
import { type Core, signedIn, tookForNobody } from "./core.ts";
import type { HubApi } from "./hub-api.ts";
import type { Missing } from "./verdict.ts";

const robot = "hub-sign-in";
const fullName = `robot$${robot}`;

/** What the robot is. (goharbor/go-client api/v2.0/swagger.yaml, RobotCreate) */
const robotOf = {
  name: robot,
  description: "Pulls for access tokens of the forge that may read only. Made by hub-sign-in whenever it is needed.",
  level: "system",
  duration: -1,
  disable: false,
  permissions: [{ kind: "project", namespace: "*", access: [{ resource: "repository", action: "pull" }] }],
} as const;

/**
 * A robot of the hub that pulls everywhere and does nothing else. Core gives a token all that its account may do, whatever was asked for; a
 * token that only reads comes from this account, for what its user may pull. Its password follows from the administrator's, so that all pods
 * know it and none keeps it.
 */
export class PullRobot {
  readonly #core: Core;
  readonly #api: HubApi;
  readonly #password: AdministratorPassword;

  constructor(core: Core, api: HubApi, password: AdministratorPassword) {
    this.#core = core;
    this.#api = api;
    this.#password = password;
  }

  /** A token for what `query` asks. Makes the robot where core does not know it. */
  async token(query: string, deadline: number): Promise<Attempt | Missing> {
    const password = await this.#password.current();
    if (password === undefined) return "administrator";
    const secret = derived(password);
    const first = await this.#core.token(fullName, secret, query, deadline);
    if (signedIn(first) || !tookForNobody(first)) return first;
    const missing = await this.#make(secret, deadline);
    return missing ?? this.#core.token(fullName, secret, query, deadline);
  }

  async #make(secret: string, deadline: number): Promise<Missing | undefined> {
    let id = await this.#find(deadline);
    if (id === undefined) {
      // Another pod may be the first: then this is refused, and the robot there.
      await this.#api.call({ method: "POST", path: "/robots", body: robotOf }, isMade, deadline);
      id = await this.#find(deadline);
    }
    if (typeof id !== "number") return id ?? "core";
    const set = await this.#api.call(
      { method: "PATCH", path: `/robots/${id}`, body: { secret } },
      isAnything,
      deadline,
    );
    if (typeof set === "string") return set === "administrator" ? set : "core";
    return undefined;
  }

  async #find(deadline: number): Promise<number | Missing | undefined> {
    for (let page = 1; ; page++) {
      const answer = await this.#api.call({ path: `/robots?page=${page}&page_size=100` }, isRobots, deadline);
      if (typeof answer === "string") return answer === "administrator" ? answer : "core";
      const found = answer.body.find(({ name }) => name === fullName);
      if (found || answer.body.length < 100) return found?.id;
    }
  }
}

/** A password as the hub wants one: with a digit and a letter of each case. */
function derived(password: string): string {
  return `Aa1${createHmac("sha256", password).update("hearth: robot of hub-sign-in").digest("base64url")}`;
}

interface RobotRecord {
  readonly id: number;
  readonly name: string;
}

function isRobots(value: unknown): value is RobotRecord[] {
  return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each?.id) && typeof each.name === "string");
}

function isMade(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isAnything(value: unknown): value is unknown {
  return true;
}
