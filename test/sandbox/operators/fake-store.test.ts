import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeStore } from "@hearth-platform/sandbox/operators/fake-store";
import { describe, expect, it, onTestFinished } from "vitest";

const s3 = { AWS_ACCESS_KEY_ID: "the-id", AWS_SECRET_ACCESS_KEY: "the-secret" };

describe("the fake store", () => {
  const store = new FakeStore("seed", s3);
  const entries = [
    { key: "mail", value: '{"user":"postmaster","port":25}' },
    { key: "mail", version: "2", value: "plain" },
  ];

  it("makes up a value for each key and property, and the same one each time", () => {
    const password = store.value({ key: "forge/db", property: "password" }, []);
    expect(password).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(store.value({ key: "forge/db", property: "password" }, [])).toBe(password);
    expect(store.value({ key: "forge/db", property: "user" }, [])).not.toBe(password);
    expect(new FakeStore("other", s3).value({ key: "forge/db", property: "password" }, [])).not.toBe(password);
  });

  it("gives the S3 server's credentials for their keys, wherever the name stands", () => {
    expect(store.value({ key: "forge/s3", property: "id" }, [], "AWS_ACCESS_KEY_ID")).toBe("the-id");
    expect(store.value({ key: "forge/s3", property: "AWS_SECRET_ACCESS_KEY" }, [], "secret")).toBe("the-secret");
    expect(store.value({ key: "s3/AWS_ACCESS_KEY_ID" }, [])).toBe("the-id");
    expect(store.values({ key: "forge/s3" }, [])).toEqual(s3);
  });

  it("prefers what the store itself holds, by version and property", () => {
    expect(store.value({ key: "mail", property: "user" }, entries)).toBe("postmaster");
    expect(store.value({ key: "mail", version: "2" }, entries)).toBe("plain");
    expect(store.values({ key: "mail" }, entries)).toEqual({ user: "postmaster", port: "25" });
  });

  it("fails where a real store would", () => {
    expect(() => store.value({ key: "mail", property: "host" }, entries)).toThrow("property host does not exist");
    expect(() => store.values({ key: "mail", version: "2" }, entries)).toThrow("not a JSON object");
    expect(() => store.values({ key: "unknown" }, entries)).toThrow("unknown: Secret does not exist");
  });

  it("keeps its seed, readable by its owner only", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fake-store-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "deep", "seed");
    const first = await FakeStore.open(file, s3);
    const second = await FakeStore.open(file, s3);
    expect(second.random("x")).toBe(first.random("x"));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toMatch(/^[0-9a-f]{64}$/);
  });
});
