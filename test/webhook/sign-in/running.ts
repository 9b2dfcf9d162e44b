import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@hearth-platform/site-webhook/clock";
import { startSignIn } from "@hearth-platform/site-webhook/sign-in/service";
import { readSignInSettings } from "@hearth-platform/site-webhook/sign-in/settings";
import { call, type Reply } from "../support/service.ts";
import { FakeCore } from "./fake-core.ts";
import { FakeForge } from "./fake-forge.ts";

export const issuer = "https://forge.example.org";
export const administratorPassword = "Administrator-canary-1";

/** The adapter between a forge and a core. */
export interface RunningSignIn {
  readonly forge: FakeForge;
  readonly core: FakeCore;
  readonly port: number;
  readonly operationsPort: number;
  /** Lines the service wrote. */
  readonly lines: string[];
  /** Where the administrator's password stands. */
  readonly passwordFile: string;
  /** Asks for a token with a name and a password. */
  signIn(user: string, password: string, ...scopes: string[]): Promise<Reply>;
  /** The same from an address, as the proxy tells it. */
  signInFrom(address: string, user: string, password: string, ...scopes: string[]): Promise<Reply>;
  stop(): Promise<void>;
}

/** Starts the adapter in this process, with a forge and a core of its own; both it and core have the clock. */
export async function startBetween(clock: Clock = systemClock): Promise<RunningSignIn> {
  const folder = await mkdtemp(join(tmpdir(), "sign-in-"));
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, administratorPassword);
  const [forge, core] = await Promise.all([FakeForge.start(), FakeCore.start(administratorPassword, clock)]);
  const lines: string[] = [];
  const settings = readSignInSettings({
    SIGN_IN_HOST: "127.0.0.1",
    SIGN_IN_PORT: "0",
    OPERATIONS_PORT: "0",
    CORE_URL: core.url,
    FORGE_URL: forge.url,
    FORGE_ISSUER: issuer,
    HUB_URL: "https://hub.example.org",
    HUB_ADMINISTRATOR: "admin",
    HUB_PASSWORD_FILE: passwordFile,
    DRAIN_SECONDS: "0",
  });
  const service = await startSignIn(settings, clock, (line) => lines.push(line));
  const { port, operationsPort } = service;
  return {
    ...{ forge, core, port, operationsPort, lines, passwordFile },
    signInFrom: (address, user, password, ...scopes) =>
      call(port, tokenUrl(...scopes), {
        method: "GET",
        headers: { authorization: basic(user, password), "x-forwarded-for": address },
      }),
    signIn: (user, password, ...scopes) =>
      call(port, tokenUrl(...scopes), { method: "GET", headers: { authorization: basic(user, password) } }),
    async stop() {
      await service.stop();
      await Promise.all([forge.stop(), core.stop()]);
      await rm(folder, { recursive: true });
    },
  };
}

/** Users of the forge who signed on to the hub and never showed a token, each at an address of its own. */
export function newcomers({ forge, core }: RunningSignIn, many: number) {
  return Array.from({ length: many }, (_, number) => {
    const [user, token] = [`user-${number}`, `glpat-newcomer-canary-${number}`];
    forge.tokens.set(token, { id: 100 + number, username: user, scopes: ["api"] });
    core.users.push({ id: 100 + number, name: user, subiss: `${100 + number}${issuer}`, secret: `cli-${user}` });
    return { user, token, address: `198.51.100.${number + 1}` };
  });
}

/** Path and query of the token endpoint for these scopes. */
export function tokenUrl(...scopes: string[]): string {
  const query = new URLSearchParams([
    ["service", "harbor-registry"],
    ...scopes.map((scope): [string, string] => ["scope", scope]),
  ]);
  return `/service/token?${query}`;
}

export function basic(user: string, password: string): string {
  return `Basic ${btoa(`${user}:${password}`)}`;
}

/** Whose token an answer holds, and what it may do. */
export function claimsOf({ body }: Reply): { sub: string; access: { name: string; actions: string[] }[] } {
  return JSON.parse(atob(JSON.parse(body).token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/")));
}

/** The message of a refusal. */
export function messageOf({ body }: Reply): string {
  return JSON.parse(body).errors[0].message;
}
