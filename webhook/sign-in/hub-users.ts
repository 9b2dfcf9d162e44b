import type { Clock } from "../clock.ts";
import type { ForgeUser } from "./forge.ts";
import type { HubAnswer, HubApi } from "./hub-api.ts";
import type { Missing } from "./verdict.ts";

/** A user of the hub who signed on with the forge. */
export interface HubUser {
  readonly id: number;
  /** The hub's name, which stays when the forge's changes. */
  readonly name: string;
  /** What core takes for a password. */
  readonly secret: string;
}

/** The fields looked at of a user. (goharbor/go-client api/v2.0/swagger.yaml, UserResp) */
interface UserRecord {
  readonly user_id: number;
  readonly username: string;
  readonly oidc_user_meta?: { readonly subiss?: string; readonly secret?: string } | null;
}
type UserItem = Pick<UserRecord, "user_id" | "username">;

/** Users remembered by the forge's number of them: a few megabytes. */
const mostUsers = 100_000;
const pageSize = 100;
/** New users are looked for no more often than this. */
const restBetweenReads = 3_000;

/**
 * Finds the hub's user of a user of the forge by `subiss`, the forge's number of the user and its issuer: a name may be another's tomorrow.
 * The hub finds users by name alone, so what was found is remembered, and users of other names are read once each, by their rising numbers.
 */
export class HubUsers {
  readonly #api: HubApi;
  readonly #issuer: string;
  readonly #clock: Clock;
  /** The forge's number of a user to the hub's; the oldest goes first. */
  readonly #known = new Map<number, number>();
  /** All users up to this number were read. */
  #readTo = 1;
  #restedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<Missing | "read"> | undefined;

  constructor(api: HubApi, issuer: string, clock: Clock) {
    this.#api = api;
    this.#issuer = issuer;
    this.#clock = clock;
  }

  /** Users that are remembered. */
  get remembered(): number {
    return this.#known.size;
  }

  /** The hub's user, read anew; `absent` for who never signed on. Never rejects. */
  async find(user: ForgeUser, deadline: number): Promise<HubUser | "absent" | Missing> {
    const known = await this.#byNumber(user, deadline);
    if (known !== "absent") return known;
    const named = await this.#byName(user, deadline);
    if (named !== "absent") return named;
    const read = await this.#readNew(deadline);
    return read === "read" ? this.#byNumber(user, deadline) : read;
  }

  async #byNumber(user: ForgeUser, deadline: number): Promise<HubUser | "absent" | Missing> {
    const id = this.#known.get(user.id);
    if (id === undefined) return "absent";
    const found = await this.#read(id, deadline);
    if (typeof found === "string" && found !== "missing") return found;
    if (found !== "missing" && this.#forgeNumber(found) === user.id) return hubUser(found);
    this.#known.delete(user.id);
    return "absent";
  }

  async #byName(user: ForgeUser, deadline: number): Promise<HubUser | "absent" | Missing> {
    const query = new URLSearchParams({ username: user.name, page_size: String(pageSize) });
    const items = bodyOf(await this.#api.call({ path: `/users/search?${query}` }, isItems, deadline));
    if (items === "missing") return "core";
    if (typeof items === "string") return items;
    const item = items.find(({ username }) => username.toLowerCase() === user.name.toLowerCase());
    if (!item) return "absent";
    const found = await this.#read(item.user_id, deadline);
    if (found === "missing") return "absent";
    if (typeof found === "string") return found;
    this.#learn(found);
    return this.#forgeNumber(found) === user.id ? hubUser(found) : "absent";
  }

  /** Reads the users that came since the last time, once for all who wait; those who can't wait so long come again. */
  async #readNew(deadline: number): Promise<Missing | "read"> {
    if (!this.#reading && this.#clock.elapsed() - this.#restedAt < restBetweenReads) return "read";
    this.#reading ??= this.#readPages().finally(() => {
      this.#reading = undefined;
    });
    let cancel: (() => void) | undefined;
    const late = new Promise<Missing>((done) => {
      cancel = this.#clock.after(Math.max(0, deadline - this.#clock.elapsed()), () => done("reading_users"));
    });
    const result = await Promise.race([this.#reading, late]);
    cancel?.();
    return result;
  }

  async #readPages(): Promise<Missing | "read"> {
    for (;;) {
      const q = `user_id=[${this.#readTo + 1}~]`;
      const query = new URLSearchParams({ q, sort: "user_id", page_size: String(pageSize) });
      const items = bodyOf(await this.#api.call({ path: `/users?${query}` }, isItems, this.#soon()));
      if (items === "missing") return "core";
      if (typeof items === "string") return items;
      const fresh = items.filter(({ user_id: id }) => id > this.#readTo);
      for (const { user_id: id } of fresh) {
        const found = await this.#read(id, this.#soon());
        if (typeof found === "string" && found !== "missing") return found;
        if (found !== "missing") this.#learn(found);
        this.#readTo = id;
      }
      if (fresh.length < pageSize) {
        this.#restedAt = this.#clock.elapsed();
        return "read";
      }
    }
  }

  #soon(): number {
    return this.#clock.elapsed() + 5_000;
  }

  async #read(id: number, deadline: number): Promise<UserRecord | "missing" | Missing> {
    return bodyOf(await this.#api.call({ path: `/users/${id}` }, isUser, deadline));
  }

  #learn(user: UserRecord): void {
    const number = this.#forgeNumber(user);
    if (number === undefined) return;
    this.#known.delete(number);
    this.#known.set(number, user.user_id);
    if (this.#known.size <= mostUsers) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      break;
    }
  }

  /** The forge's number of a user; undefined for one of another provider. */
  #forgeNumber({ oidc_user_meta: meta }: UserRecord): number | undefined {
    const subiss = meta?.subiss ?? "";
    const number = subiss.endsWith(this.#issuer) ? subiss.slice(0, -this.#issuer.length) : "";
    return /^\d{1,15}$/.test(number) ? Number(number) : undefined;
  }
}

function hubUser({ user_id: id, username: name, oidc_user_meta: meta }: UserRecord): HubUser {
  return { id, name, secret: meta?.secret ?? "" };
}

function bodyOf<Body>(answer: HubAnswer<Body>): Body | "missing" | "core" | "administrator" {
  return typeof answer === "string" ? answer : answer.body;
}

function isItem(value: unknown): value is UserItem {
  const { user_id: id, username } = (value ?? {}) as Partial<UserItem>;
  return Number.isSafeInteger(id) && typeof username === "string";
}

function isItems(value: unknown): value is UserItem[] {
  return Array.isArray(value) && value.every(isItem);
}

function isUser(value: unknown): value is UserRecord {
  return isItem(value);
}
