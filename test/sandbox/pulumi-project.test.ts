import { readPulumiArguments, withSalt } from "@hearth-platform/sandbox/pulumi-project";
import { describe, expect, it } from "vitest";

const read = (line: string) => readPulumiArguments(line.split(" "));

describe("a Pulumi command line", () => {
  it.each(["preview --diff", "up --yes", "refresh", "destroy", "import type name id", "watch", "pre", "dn"])(
    "%j gets the private settings file right after its verb",
    (line) => expect(read(line)).toMatchObject({ takesConfigFile: true, verbIndex: 0, needsStack: true }),
  );

  it.each(["stack output --json", "config set key value", "config get key", "stack ls"])(
    "%j works on the stack without it",
    (line) => expect(read(line)).toMatchObject({ takesConfigFile: false, needsStack: true }),
  );

  it.each(["version", "plugin ls", "--help", "preview --help", "whoami", "about"])("%j needs no stack", (line) =>
    expect(read(line)).toMatchObject({ takesConfigFile: false, needsStack: false }),
  );

  it("has its verb found behind global options and their values", () => {
    expect(read("--color never -v 9 preview --diff")).toMatchObject({ verbIndex: 4, takesConfigFile: true });
  });

  it.each(["up --stack test", "up -s test", "--stack=test up", "stack output -s test"])(
    "%j keeps the user's own stack",
    (line) => expect(read(line).stack).toBe("test"),
  );

  it("names no stack by itself", () => expect(read("up").stack).toBeUndefined());

  it.each(["up --cwd /elsewhere", "-C /elsewhere up"])("%j is about another project", (line) =>
    expect(read(line).ownProject).toBe(false),
  );

  it.each(["up --config-file mine.yaml", "up --config-file=mine.yaml"])(
    "%j keeps the user's own settings file",
    (line) => expect(read(line).takesConfigFile).toBe(false),
  );
});

describe("removing a stack", () => {
  it.each(["stack rm dev --yes", "stack --stack dev rm"])("%j keeps its tracked settings", (line) =>
    expect(read(line).removesStack).toBe(true),
  );

  it.each(["stack rm dev --preserve-config", "stack rm --preserve-config=false", "stack ls", "config rm key"])(
    "%j says itself what becomes of them, or removes none",
    (line) => expect(read(line).removesStack).toBe(false),
  );
});

describe("the private copy of a stack's settings", () => {
  const tracked = "# why\nconfig:\n  hearth:domain: example.org\n";

  it("is the tracked file, comments too, with the salt of the copy before", () => {
    expect(withSalt(tracked, "encryptionsalt: v1:abc\nconfig: {}\n")).toBe(`${tracked}encryptionsalt: v1:abc\n`);
  });

  it("is the tracked file where there was no copy", () => {
    expect(withSalt(tracked, undefined)).toBe(tracked);
  });

  it("keeps a salt that is tracked", () => {
    const own = `encryptionsalt: v1:own\n${tracked}`;
    expect(withSalt(own, "encryptionsalt: v1:abc\n")).toBe(own);
  });
});
