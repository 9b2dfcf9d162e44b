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

const promises = `
  import { createRequire } from "node:module";
  await import("@hearth-platform/hearth/core/sdk-start");
  const pulumi = await import("@pulumi/pulumi");
  const sdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
  const promise = Promise.resolve(1);
  await sdk("./runtime/debuggable.js").debuggablePromise(promise, "of a test");
  const kept = promise._debugStackTrace.split("\\n").length > 1;
  const errors = new Error("later").stack.split("\\n").length > 1;
  console.log(JSON.stringify({ kept, errors }));
`;

test.each([
  ["no stack of a promise", {}, false],
  ["a promise's stack where PULUMI_DEBUG_PROMISE_LEAKS asks for it", { PULUMI_DEBUG_PROMISE_LEAKS: "1" }, true],
])("the SDK keeps %s, and every error has its own", async (_, env, kept) => {
  const { stdout } = await execa(process.execPath, ["--input-type=module", "--eval", promises], {
    cwd: import.meta.dirname,
    env,
  });
  expect(JSON.parse(stdout)).toEqual({ kept, errors: true });
});

const registration = `
  await import("@hearth-platform/hearth/core/sdk-start");
  const pulumi = await import("@pulumi/pulumi");
  await pulumi.runtime.setMocks({
    call: ({ inputs }) => inputs,
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
  });
  const seen = [];
  const monitor = pulumi.runtime.getMonitor();
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) => {
    seen.push({ name: request.getName(), position: request.hasSourceposition(), frames: request.getStacktrace().getFramesList().length });
    return register(request, done);
  };
  class Component extends pulumi.ComponentResource {}
  new Component("test:index:Component", "component");
  await pulumi.runtime.waitForRPCs();
  console.log(JSON.stringify(seen));
`;

test("a registration names no folder of this machine", async () => {
  const { stdout } = await execa(process.execPath, ["--input-type=module", "--eval", registration], {
    cwd: import.meta.dirname,
  });
  expect(JSON.parse(stdout)).toEqual([{ name: "component", position: false, frames: 0 }]);
});
