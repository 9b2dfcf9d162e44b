import { execa } from "execa";
import { expect, test } from "vitest";

const script = `
  import { createRequire } from "node:module";
  Error.prepareStackTrace = () => "translated";
  await import("@hearth-platform/hearth/core/sdk-start");
  await import("@pulumi/pulumi");
  const sdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
  const loaded = () => Object.keys(sdk.cache).filter((file) => /pacote|typescript\\/lib/.test(file)).length > 2;
  const before = loaded();
  const { Arborist } = sdk("@npmcli/arborist");
  const { SyntaxKind } = sdk("typescript");
  const translated = new Error().stack === "translated";
  console.log(JSON.stringify({ before, after: loaded(), arborist: typeof Arborist, class: SyntaxKind.ClassDeclaration > 0, translated }));
`;

test("the SDK starts without what serializes functions, which is there when it is asked for", async () => {
  const { stdout } = await execa(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
  });
  expect(JSON.parse(stdout)).toEqual({
    before: false,
    after: true,
    arborist: "function",
    class: true,
    translated: false,
  });
});
