/**
 * The hub's API for the settings Job. (goharbor/harbor api/v2.0/swagger.yaml, as its client goharbor/go-client publishes it)
 *
 * HUB_URL: core inside the cluster. HUB_USER: its administrator. SECRETS: folder of the passwords; `administrator` is his.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { UserResp } from "../generated/hub-api.ts";

/** A published type of which these fields are there. */
export type With<Type, Key extends keyof Type> = Type & { [Name in Key]-?: NonNullable<Type[Name]> };

const patienceSeconds = 300;
const { HUB_URL: url = "", HUB_USER: user = "", SECRETS = "/secrets" } = process.env;
const administrator = basic(user, secret("administrator"));

/** A password of the Job's. */
export function secret(file: string): string {
  return readFileSync(join(SECRETS, file), "utf8").trim();
}

/**
 * Calls the API as the administrator.
 * @returns the answer's JSON; undefined where there is none, or nothing of that name
 * @throws Error with the hub's status and reason
 */
export async function api<T>(method: string, path: string, body?: unknown): Promise<T | undefined> {
  const response = await call(method, path, administrator, body);
  const text = await response.text();
  if (method === "GET" && response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reason(text)}`);
  return text ? JSON.parse(text) : undefined;
}

/** All of a list that comes in pages. */
export async function all<T>(path: string): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; ; page++) {
    const part = (await api<T[]>("GET", `${path}?page=${page}&page_size=100`)) ?? [];
    found.push(...part);
    if (part.length < 100) return found;
  }
}

/** Whether an account has this password: with another one `path` is 401, whatever the account may do there. */
export async function signsIn(account: string, password: string, path: string): Promise<boolean> {
  const response = await call("GET", path, basic(account, password));
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`GET ${path} as ${account}: ${response.status}`);
  return response.status !== 401;
}

/**
 * Waits until core answers, and signs in.
 * @throws Error where it does not answer in time, has another password, or the account does not administer it
 */
export async function ready(): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1000;
  for (;;) {
    const response = await fetch(`${url}/api/v2.0/ping`, { signal: AbortSignal.timeout(10_000) }).catch(
      () => undefined,
    );
    if (response?.ok) break;
    if (Date.now() > deadline) throw new Error(`${url} did not answer within ${patienceSeconds} s.`);
    await delay(1000);
  }
  const account = await api<UserResp>("GET", "/users/current");
  if (!account?.sysadmin_flag) throw new Error(`${user} does not administer the hub.`);
}

function call(method: string, path: string, authorization: string, body?: unknown): Promise<Response> {
  return fetch(`${url}/api/v2.0${path}`, {
    method,
    headers: {
      authorization,
      "content-type": "application/json",
      // A project may be called 42.
      "x-is-resource-name": "true",
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
}

function basic(account: string, password: string): string {
  return `Basic ${Buffer.from(`${account}:${password}`).toString("base64")}`;
}

function reason(text: string): string {
  try {
    return JSON.parse(text)
      .errors.map(({ message }: { message: string }) => message)
      .join("; ");
  } catch {
    return text;
  }
}
