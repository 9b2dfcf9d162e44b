import { createHash, createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "./clock.ts";

/** Checks one call: fed with its body as it comes, so that nothing is kept. */
export interface SecretCheck {
  update(part: Buffer): void;
  /** Whether the call proved that it knows one of the secrets. */
  passes(): boolean;
}

/** Headers that hold an HMAC-SHA256 of the body in hex, with or without `sha256=`. Bitbucket has the name GitHub once used for SHA-1. */
const signatureHeaders = [
  "x-hub-signature-256",
  "x-forgejo-signature",
  "x-gitea-signature",
  "x-gogs-signature",
  "x-hub-signature",
] as const;

const signature = /^(?:sha256=)?([0-9a-f]{64})$/i;
const rereadAfter = 10_000;

/** The secrets of a mounted file, one a line: two lines while a secret is being changed. */
export class Secrets {
  readonly #file: string;
  readonly #clock: Clock;
  #secrets: readonly string[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** Begins to check a call. Rejects when the file can't be read or holds no secret: then no call may pass. */
  async check(headers: IncomingHttpHeaders): Promise<SecretCheck> {
    if (this.#clock.elapsed() - this.#readAt >= rereadAfter) await this.#read();
    const token = headers["x-gitlab-token"];
    if (typeof token === "string") return tokenCheck(token, this.#secrets);
    return signatureCheck(headers, this.#secrets);
  }

  async #read(): Promise<void> {
    const text = await readFile(this.#file, "utf8");
    const secrets = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    if (secrets.length === 0) throw new Error(`${this.#file} holds no secret; put one on each line.`);
    this.#secrets = secrets;
    this.#readAt = this.#clock.elapsed();
  }
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** True when any of `candidates` equals any of `expected`, in a time that does not tell which or how nearly. */
function anyEqual(candidates: readonly Buffer[], expected: readonly Buffer[]): boolean {
  let found = false;
  for (const candidate of candidates) {
    for (const digest of expected) found = timingSafeEqual(candidate, digest) || found;
  }
  return found;
}

function tokenCheck(token: string, secrets: readonly string[]): SecretCheck {
  return { update() {}, passes: () => anyEqual([sha256(token)], secrets.map(sha256)) };
}

function signatureCheck(headers: IncomingHttpHeaders, secrets: readonly string[]): SecretCheck {
  const candidates = signatureHeaders.flatMap((name) => {
    const hex = signature.exec(String(headers[name] ?? ""))?.[1];
    return hex === undefined ? [] : [Buffer.from(hex, "hex")];
  });
  if (candidates.length === 0) return { update() {}, passes: () => false };
  const digests: Hmac[] = secrets.map((secret) => createHmac("sha256", secret));
  return {
    update(part) {
      for (const digest of digests) digest.update(part);
    },
    passes: () =>
      anyEqual(
        candidates,
        digests.map((digest) => digest.digest()),
      ),
  };
}
