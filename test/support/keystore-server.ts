import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { expect, vi } from "vitest";

/** A real keystore of one test file, empty at first. */
export interface KeystoreServer extends AsyncDisposable {
  /** Where its files and its socket `socket` are. */
  readonly folder: string;
  /** Runs a command of its client; fails where the server refuses it. */
  run(...command: string[]): Promise<string>;
  /** Keys of a database, sorted. */
  keys(database: number): Promise<string[]>;
}

/** @param options of the server @default none */
export async function startKeystore(...options: string[]): Promise<KeystoreServer> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-keystore-"));
  const socket = join(folder, "socket");
  const own = ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder];
  const server = execa("redis-server", [...own, ...options], { reject: false });
  const run = async (...command: string[]) => (await execa("redis-cli", ["-s", socket, "-e", ...command])).stdout;
  await vi.waitFor(async () => expect(await run("ping")).toBe("PONG"), { timeout: 10_000 });
  return {
    folder,
    run,
    keys: async (database) =>
      (await run("-n", String(database), "keys", "*"))
        .split("\n")
        .filter((key) => key !== "")
        .sort(),
    async [Symbol.asyncDispose]() {
      server.kill();
      await server;
      rmSync(folder, { recursive: true });
    },
  };
}
