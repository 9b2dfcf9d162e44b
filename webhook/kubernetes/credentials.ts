import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../clock.ts";

/** Files are looked at again after this time; the kubelet renews a token long before it ends. */
const rereadAfter = 60_000;

/** The mounted files of a ServiceAccount: token and the API server's CA. Both may change at any time. */
export class ClusterCredentials {
  readonly #folder: string;
  readonly #clock: Clock;
  #token = "";
  #ca = "";
  #readAt = Number.NEGATIVE_INFINITY;
  #tokenSince = 0;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** What was read last, read again when that is a minute ago. Keeps the old when the files can't be read for a moment; rejects when there is none. */
  async current(): Promise<{ token: string; ca: string }> {
    if (this.#clock.elapsed() - this.#readAt >= rereadAfter) await this.reread();
    return { token: this.#token, ca: this.#ca };
  }

  /** Reads both files now: after a 401 or a certificate that isn't trusted. */
  async reread(): Promise<void> {
    try {
      const [token, ca] = await Promise.all([this.#read("token"), this.#read("ca.crt")]);
      if (token !== this.#token) this.#tokenSince = this.#clock.elapsed();
      this.#token = token;
      this.#ca = ca;
      this.#readAt = this.#clock.elapsed();
    } catch (fault) {
      if (this.#token === "") throw fault;
    }
  }

  /** Whether both files can be read and hold something. */
  async readable(): Promise<boolean> {
    try {
      await Promise.all([this.#read("token"), this.#read("ca.crt")]);
      return true;
    } catch {
      return false;
    }
  }

  /** Seconds since the token in use was first seen. */
  get tokenAge(): number {
    return this.#token === "" ? 0 : (this.#clock.elapsed() - this.#tokenSince) / 1000;
  }

  async #read(name: string): Promise<string> {
    const path = join(this.#folder, name);
    const text = (await readFile(path, "utf8")).trim();
    if (text === "") throw new Error(`${path} is empty`);
    return text;
  }
}
