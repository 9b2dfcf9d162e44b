import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { variable } from "./objects.ts";
import { minimalSuite } from "./suite.ts";

/** What a suite's scripts ask of occ, against the commands that Nextcloud and its apps publish. */

const published: Record<string, { source: string; options: string[] }> = parse(
  readFileSync(join(import.meta.dirname, "../../upstream/occ.yaml"), "utf8"),
);
/** Options of every command. */
const common = ["no-interaction", "output"];

const folder = join(import.meta.dirname, "../../../components/cloudsuite/scripts");
/** The scripts without their comments, a line each. */
const lines = readdirSync(folder)
  .filter((name) => /\.(sh|php)$/.test(name))
  .flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return text
      .replace(/\\\n/g, " ")
      .split("\n")
      .filter((line) => !/^\s*(#|\/\/|\*|\/\*)/.test(line));
  });

/** Each call of occ with its options. One that stands for several, as `db:add-missing-$missing`, ends with a dash. */
const calls = lines.flatMap((line) =>
  [
    ...line.matchAll(
      /(?:occ"?|\bchange\(|\bocc\() *(?:--no-interaction )?["']?([a-z_]+(?::[a-z_-]+)+|status|upgrade)\b/g,
    ),
  ]
    // A message may name a command for people, who know it.
    .filter(({ index }) => !/(?:failed|echo) "[^"]*$/.test(line.slice(0, index)))
    .map(({ 1: command = "", index }) => ({
      command: line.slice(index).includes(`${command}-$`) ? `${command}-` : command,
      options: [...(line.slice(index).split(/\|\||&&|;/)[0] ?? "").matchAll(/--([a-z-]+)/g)].map(
        ([, name = ""]) => name,
      ),
    })),
);
/** Options of the provider: those of sign-on.sh, and those that it gets by a variable. */
const signOn = {
  issuer: "https://id.example.org",
  clientId: { name: "client", key: "id" },
  clientSecret: { name: "client", key: "secret" },
};
const provider = [
  ...lines.filter((line) => /\bprovider --|^set -- /.test(line)),
  String(variable({ ...minimalSuite, signOn }, "configure", "SIGN_ON_OPTIONS")),
].flatMap((text) => [...text.matchAll(/(?<![^\s"])--([a-z-]+)/g)].map(([, name = ""]) => name));

test("the provider's options are seen", () => {
  expect(provider).toEqual(expect.arrayContaining(["clientsecret-env", "discoveryuri", "group-whitelist-regex"]));
});

test("the scripts call no command that is not published, and give none an option that it does not take", () => {
  const unknown = [...calls, { command: "user_oidc:provider", options: provider }].flatMap(({ command, options }) => {
    const found = Object.entries(published).filter(([name]) =>
      command.endsWith("-") ? name.startsWith(command) : name === command,
    );
    if (found.length === 0) return [command];
    const known = found.flatMap(([, { options }]) => options);
    return options
      .filter((option) => ![...common, ...known].includes(option))
      .map((option) => `${command} --${option}`);
  });
  expect(unknown).toEqual([]);
});

test("the table has no command that no script calls", () => {
  const called = [...calls.map(({ command }) => command), "user_oidc:provider"];
  const idle = Object.keys(published).filter(
    (name) => !called.some((command) => (command.endsWith("-") ? name.startsWith(command) : name === command)),
  );
  expect(idle).toEqual([]);
});

test("each command names its source", () => {
  for (const [name, { source }] of Object.entries(published)) expect(source, name).toMatch(/\.php/);
});
