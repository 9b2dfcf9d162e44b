import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type ForgeConfiguration,
  type ForgeProgram,
  ldapPasswordFile,
  mountedSecrets,
  readsSignOn,
  type SecretFile,
  secretPath,
  secretsPath,
  signInFile,
} from "@hearth-platform/hearth/forge/configuration";
import { podConfiguration } from "@hearth-platform/hearth/forge/configuration/pod-configuration";

/** A secret with all that files, templates and URLs treat specially; another one for each file. */
export function secretValue(file: string): string {
  return `${file}: p@ss/w?ö%20"rd'\\ #{1} <%= 1 %> {% 1 %}`;
}

/** What the mounted document of an external sign-in says. */
export const providerDocument = { args: { client_options: { secret: secretValue("provider") } } };

/** What is in a rendered file: its text, and what Ruby reads in it. */
export interface Rendered {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect in it
  readonly data: any;
}

/** Programs' files, rendered by Ruby as in their pods: with the secrets they mount in place, and no others. */
export function renderPods(pods: readonly (readonly [ForgeProgram, ForgeConfiguration])[]): Record<string, Rendered>[] {
  const folder = mkdtempSync(join(tmpdir(), "hearth-forge-"));
  const mounted = pods.map(([program, configuration], index) =>
    mountPod(join(folder, String(index)), program, configuration),
  );
  // The images' locale is UTF-8, whatever this machine's is.
  const output = execFileSync("ruby", ["--disable-gems", "-EUTF-8:UTF-8", join(import.meta.dirname, "render.rb")], {
    encoding: "utf8",
    input: JSON.stringify(mounted.flatMap(Object.values)),
  });
  const rendered = JSON.parse(output) as Record<string, Rendered>;
  return mounted.map((files) =>
    Object.fromEntries(
      Object.entries(files).map(([name, path]) => [name.replace(/\.erb$/, ""), rendered[path] as Rendered]),
    ),
  );
}

/** Puts a pod's files below `folder` and makes the templates read there. @returns paths of the files Ruby renders, by name */
export function mountPod(
  folder: string,
  program: ForgeProgram,
  configuration: ForgeConfiguration,
): Record<string, string> {
  const secrets = join(folder, secretsPath(program));
  for (const file of mountedSecrets(program, configuration))
    write(join(folder, secretPath(program, file)), `${mountedValue(file)}\n`);
  if (readsSignOn(program)) {
    const { providers = [], ldap = [] } = configuration.administration.signOn ?? {};
    for (const { name } of providers) write(join(secrets, signInFile(name)), JSON.stringify(providerDocument));
    for (const { name } of ldap) write(join(secrets, ldapPasswordFile(name)), secretValue(name));
  }
  const files = Object.entries(podConfiguration(program, configuration)).map(([name, content]) => {
    const path = join(folder, "templates", name);
    write(path, content.replaceAll(`'${secretsPath(program)}/`, `'${secrets}/`));
    return [name, path] as const;
  });
  return Object.fromEntries(files.filter(([name]) => /\.erb$|\.rb$/.test(name)));
}

/** Content of a mounted file; keys of the object store have no special characters, which its ini file couldn't hold. */
export function mountedValue(file: SecretFile): string {
  return file.startsWith("objectStore") ? `${file}/+=` : secretValue(file);
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
