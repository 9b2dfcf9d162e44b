import { findGo } from "@hearth-platform/sandbox/programs/go";
import { afterEach, describe, expect, test, vi } from "vitest";
import { FakeMachine } from "./fake-go.ts";

afterEach(() => vi.unstubAllEnvs());

describe("the Go on PATH", () => {
  test.each(["go1.26", "go1.26.8", "go1.30.1", "go2.0", "devel go1.27-abcdef"])("%s is new enough", async (version) => {
    await using machine = await FakeMachine.create();
    await machine.setGo(version);
    vi.stubEnv("PATH", `${machine.path("bin")}:${process.env.PATH}`);
    expect(await findGo()).toMatchObject({ version, os: "linux", arch: "amd64" });
  });

  test.each(["go1.25.9", "go1.9", "devel +1234567"])(
    "%s is refused in one sentence that says what to do",
    async (version) => {
      await using machine = await FakeMachine.create();
      await machine.setGo(version);
      vi.stubEnv("PATH", `${machine.path("bin")}:${process.env.PATH}`);
      await expect(findGo()).rejects.toThrow(
        `The Go on PATH is ${version}, too old for the sandbox's programs. Install Go 1.26 or newer`,
      );
    },
  );
});
