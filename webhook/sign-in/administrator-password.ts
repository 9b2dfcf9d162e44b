import { readFile } from "node:fs/promises";
import type { Clock } from "../clock.ts";

const rereadAfter = 10_000;

/** The hub administrator's password in a mounted file, which may change. */
export class AdministratorPassword {
  readonly #file: string;
  readonly #clock: Clock;
  #password: string | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /** The password as it was read last; undefined where the file can't be read or is empty. */
  async current(): Promise<string | undefined> {
    if (this.#clock.elapsed() - this.#readAt < rereadAfter) return this.#password;
    const text = await readFile(this.#file, "utf8").catch(() => "");
    this.#password = text.trim() || undefined;
    if (this.#password !== undefined) this.#readAt = this.#clock.elapsed();
    return this.#password;
  }
}
