import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  keystoreConfiguration,
  keystorePaths,
  passwordFragment,
} from "@hearth-platform/hearth/stores/keystore/configuration";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

const settings = { memoryLimit: "256Mi", password: true } as const;

describe("the configuration file", () => {
  test("leaves memory beside the keys for the copy that a snapshot makes", () => {
    expect(keystoreConfiguration({ ...settings, use: "queue" })).toContain("maxmemory 153mb\n");
    expect(keystoreConfiguration({ ...settings, use: "queue", memoryLimit: "1Gi" })).toContain("maxmemory 614mb\n");
  });

  test("without a password opens itself to the network, which protected mode would refuse", () => {
    const open = keystoreConfiguration({ ...settings, use: "queue", password: false });
    expect(open).toContain("protected-mode no\n");
    expect(open).not.toContain("include");
  });
});

/** The real server on the real file, but for the folders; a socket instead of a port. */
describe.each(["queue", "cache"] as const)("a server with the file for use %s", (use) => {
  let folder: string;
  let server: ReturnType<typeof execa>;
  const socket = () => join(folder, "socket");
  const client = (password: string | undefined, ...command: string[]) =>
    execa("redis-cli", ["-s", socket(), "-e", ...command], {
      env: password === undefined ? {} : { REDISCLI_AUTH: password },
      reject: false,
    });
  const setting = async (name: string) => (await client("s3cret", "config", "get", name)).stdout.split("\n")[1];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "keystore-"));
    const file = keystoreConfiguration({ ...settings, use })
      .replace(keystorePaths.password, folder)
      .replace(`dir ${keystorePaths.data}`, `dir ${folder}`);
    await writeFile(join(folder, "keystore.conf"), file);
    await writeFile(join(folder, passwordFragment), "requirepass s3cret\n");
    server = execa("redis-server", [join(folder, "keystore.conf"), "--port", "0", "--unixsocket", socket()], {
      reject: false,
      all: true,
    });
    await vi.waitFor(async () => expect((await client("s3cret", "ping")).stdout).toBe("PONG"), { timeout: 10_000 });
  }, 20_000);

  afterAll(async () => {
    server.kill();
    await server;
    await rm(folder, { recursive: true });
  });

  test("takes the password of the fragment and no other", async () => {
    expect((await client(undefined, "ping")).exitCode).not.toBe(0);
    expect((await client("wrong", "ping")).exitCode).not.toBe(0);
    expect((await client("s3cret", "ping")).stdout).toBe("PONG");
  });

  test("keeps what its use needs", async () => {
    const queue = use === "queue";
    expect(await setting("maxmemory-policy")).toBe(queue ? "noeviction" : "volatile-lru");
    expect(await setting("appendonly")).toBe(queue ? "yes" : "no");
    expect(await setting("appendfsync")).toBe("everysec");
    expect(await setting("maxmemory")).toBe(String(153 * 2 ** 20));
    expect(await setting("databases")).toBe("16");
    expect(await setting("save")).toBe("3600 1 300 100 60 10000");
  });
});
