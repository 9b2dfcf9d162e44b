import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { beforeAll, expect, test } from "vitest";
import { type DevStack, kubernetesObjects, runningPlatform, sandbox } from "../support/stack.ts";
import { type Canary, leaks, type Place } from "./support/leaks.ts";

/** Every secret of the running platform is a canary: what Pulumi generated, the stores' keys, what operators made. */

const platform = ["platform", "platform-jobs", "team", "club", "site-webhook", "pages"];
let canaries: readonly Canary[] = [];
/** When the first of the platform's Secrets was made, in milliseconds. */
let since = 0;
let stack: DevStack;

beforeAll(async () => {
  stack = await runningPlatform();
  const secrets = await kubernetesObjects("secrets", "--all-namespaces");
  const ours = secrets.filter(({ metadata: { namespace = "" } }) => platform.includes(namespace));
  since = Math.min(...ours.map(({ metadata }) => Date.parse(metadata.creationTimestamp)));
  const all = ours.flatMap(({ metadata, ...secret }) =>
    Object.entries((secret as { data?: Record<string, string> }).data ?? {}).map(([key, data]) => ({
      name: `${metadata.namespace}/${metadata.name} ${key}`,
      value: Buffer.from(data, "base64").toString(),
    })),
  );
  const secret = all.filter(({ name }) => !name.endsWith(".pub"));
  canaries = secret.flatMap(({ name, value }) => secretPart(value).map((part) => ({ name, value: part })));
}, 600_000);

/** What of a Secret's value must stand nowhere else: not a name, address, certificate or number. */
function secretPart(value: string): string[] {
  if (value.includes("BEGIN CERTIFICATE")) return [];
  const [words] = [value.match(/[\w+/=-]{16,}/g) ?? []];
  const random = words.filter(
    (word) => (/\d/.test(word) && /[A-Z]/.test(word) && /[a-z]/.test(word)) || /^[0-9a-f]{32,}$/.test(word),
  );
  // A private key's first lines say what it is of.
  const part = value.includes("PRIVATE KEY") ? random.at(-1) : random[0];
  return part === undefined ? [] : [part.slice(0, 64)];
}

test("there are enough of them to look for", () => {
  expect(new Set(canaries.map(({ value }) => value)).size).toBeGreaterThanOrEqual(30);
  expect(canaries.filter(({ value }) => /^[0-9a-f]{64}$/.test(value)).length).toBeGreaterThanOrEqual(4);
});

test("no secret stands in an object but Secrets, or in an event", async () => {
  const opened = await openSandbox();
  const { programs } = opened;
  const env = sandboxEnvironment(opened);
  const kinds = await execa(programs.kubectl, ["api-resources", "--verbs=list", "--output=name"], { env });
  const others = kinds.stdout.split("\n").filter((kind) => kind !== "secrets");
  const objects = await kubernetesObjects(others.join(), "--all-namespaces");
  expect(objects.length).toBeGreaterThan(200);
  const places = objects.map((object) => ({
    name: `${object.kind} ${object.metadata.namespace}/${object.metadata.name}`,
    text: texts(object).join("\n"),
  }));
  expect(leaks(canaries, places)).toEqual([]);
});

test("no secret stands in the state, its history, logs, or files in the temporary folder", async () => {
  const { paths } = await openSandbox();
  const temporary = readdirSync(tmpdir()).filter((name) => /^(hearth|pulumi)/.test(name));
  const folders = [
    paths.pulumiState,
    paths.pulumiProject,
    paths.logs,
    ...temporary.map((name) => join(tmpdir(), name)),
  ];
  const files = folders.flatMap(filesIn);
  expect(files.length).toBeGreaterThan(5);
  // One at a time: other programs may have left more there than fits into memory.
  expect(files.flatMap((name) => leaks(canaries, [{ name, text: read(name) }]))).toEqual([]);
});

test.each([
  ["a preview with every resource and difference", () => stack.pulumi("preview", "--diff", "--show-sames")],
  [
    "an update with every resource and difference",
    () => stack.pulumi("up", "--yes", "--skip-preview", "--diff", "--show-sames"),
  ],
  ["a refresh", () => stack.pulumi("refresh", "--preview-only", "--diff")],
  ["the outputs", () => sandbox("pulumi", "stack", "output", "--json")],
  ["an export of the state", () => sandbox("pulumi", "stack", "export")],
])("no secret stands in %s", { timeout: 120_000 }, async (name, command) => {
  const { exitCode, all: text } = await command();
  expect(exitCode, text).toBe(0);
  expect(leaks(canaries, [{ name, text }])).toEqual([]);
});

test("no secret stands in the events of an update, but in Pulumi's debug lines", { timeout: 120_000 }, async () => {
  const { exitCode, stdout } = await stack.pulumi("up", "--yes", "--skip-preview", "--json");
  expect(exitCode, stdout).toBe(0);
  const events = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const others = events.filter(({ diagnosticEvent }) => diagnosticEvent?.severity !== "debug");
  expect(others.length).toBeGreaterThan(200);
  expect(leaks(canaries, [{ name: "events", text: JSON.stringify(others) }])).toEqual([]);
});

test("no secret stands among the arguments or the environment of a process, but in the variables of the sandbox", () => {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const places = processes.flatMap((pid): Place[] => [
    { name: `arguments of ${pid}`, text: read(`/proc/${pid}/cmdline`) },
    {
      name: `environment of ${pid}`,
      text: read(`/proc/${pid}/environ`)
        .split("\0")
        .filter((variable) => !documented.some((name) => variable.startsWith(`${name}=`)))
        .join("\n"),
    },
  ]);
  expect(places.filter(({ text }) => text !== "").length).toBeGreaterThan(10);
  expect(leaks(canaries, places)).toEqual([]);
});

/** By these the sandbox's object store and its clients are given the key: sandbox/object-storage.ts, sandbox/environment.ts. */
const documented = ["AWS_SECRET_ACCESS_KEY", "ROOT_SECRET_ACCESS_KEY"];

/** All texts within a value. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [key, ...texts(inner)])
    : [];
}

/** The files below a path, links not followed, but those that are older than each Secret and so can't hold one. */
function filesIn(path: string): string[] {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory()) return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
  return status?.isFile() && status.ctimeMs >= since ? [path] : [];
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // It is gone meanwhile.
    return "";
  }
}
