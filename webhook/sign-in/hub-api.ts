import type { Clock } from "../clock.ts";
import { pause } from "../servers.ts";
import type { AdministratorPassword } from "./administrator-password.ts";
import { basic, jsonOf, type Upstream } from "./upstream.ts";

/** An answer of the hub's API: `missing` where there is nothing of that name. */
export type HubAnswer<Body> = { readonly body: Body } | "missing" | "core" | "administrator";

/** After a wrong password core refuses the right one too, for 1.5 s. (goharbor/harbor src/core/auth/authenticator.go) */
const lockedFor = 1_700;

/** The hub's API as its administrator. */
export class HubApi {
  readonly #upstream: Upstream;
  readonly #administrator: string;
  readonly #password: AdministratorPassword;
  readonly #clock: Clock;

  constructor(upstream: Upstream, administrator: string, password: AdministratorPassword, clock: Clock) {
    this.#upstream = upstream;
    this.#administrator = administrator;
    this.#password = password;
    this.#clock = clock;
  }

  /**
   * Calls the API. Never rejects: `core` where it does not answer as described, `administrator` where it refuses its administrator.
   * @param path below `/api/v2.0`
   * @param shape of the answer's body
   */
  async call<Body>(
    { method = "GET", path, body }: { method?: string; path: string; body?: object },
    shape: (body: unknown) => body is Body,
    deadline: number,
  ): Promise<HubAnswer<Body>> {
    const first = await this.#send(method, path, body, shape, deadline);
    if (first !== "administrator" || this.#clock.elapsed() + lockedFor >= deadline) return first;
    await pause(this.#clock, lockedFor);
    return this.#send(method, path, body, shape, deadline);
  }

  async #send<Body>(
    method: string,
    path: string,
    body: object | undefined,
    shape: (body: unknown) => body is Body,
    deadline: number,
  ): Promise<HubAnswer<Body>> {
    const password = await this.#password.current();
    if (password === undefined) return "administrator";
    const text = body === undefined ? "" : JSON.stringify(body);
    const answer = await this.#upstream.call({
      method,
      path: `/api/v2.0${path}`,
      headers: {
        authorization: basic(this.#administrator, password),
        accept: "application/json",
        "user-agent": "hearth-hub-sign-in",
        ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
      },
      body: text,
      deadline,
    });
    if (!("status" in answer)) return "core";
    if (answer.status === 401 || answer.status === 403) return "administrator";
    if (answer.status === 404) return "missing";
    if (answer.status < 200 || answer.status > 299) return "core";
    const value = jsonOf(answer.body);
    return shape(value) ? { body: value } : "core";
  }
}
