import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { prerequisiteProblems } from "@hearth-platform/hearth/forge/prerequisites";
import { describe, expect, test } from "vitest";
import { completeForge, minimalForge } from "./forge.ts";

const lines = (before: ForgeArgs | undefined, now: ForgeArgs) =>
  prerequisiteProblems(before, now).map(
    ({ severity, path, message, remedy }) => `${severity} ${path}: ${message} ${remedy}`,
  );

describe("what has to be there before pods can start", () => {
  test("is told for a new forge, with the way to make it", () => {
    const problems = prerequisiteProblems(undefined, completeForge);
    expect(problems.map(({ path }) => path)).toEqual([
      "administration.smtp.password",
      "administration.signOn.providers[0].provider",
      "administration.signOn.providers[1].provider",
      "administration.signOn.ldap[0].password",
    ]);
    expect(lines(undefined, completeForge)[0]).toBe(
      "warning administration.smtp.password: The Secret mail (key password) is not part of the stack, and pods wait for it. " +
        "Create it as soon as namespace platform exists: `kubectl -n platform create secret generic mail --from-file=password`.",
    );
  });

  test("are also Secrets in the place of the forge's own, with the keys that pods read, and a private authority", () => {
    const existing = {
      "forge-rails-secrets": "rails",
      "forge-admin": "root",
      "forge-db-app": "db",
      "forge-runner-token": "t",
    };
    const platform = { ...minimalForge.platform, secrets: { existing }, privateCa: { configMap: "ca", secret: "ca" } };
    const remedies = prerequisiteProblems(undefined, { ...minimalForge, platform, runner: {} }).map(
      ({ remedy }) => remedy,
    );
    expect(remedies.map((remedy) => /create (.*)`/.exec(remedy)?.[1])).toEqual([
      "secret generic rails --from-file=secrets.yml",
      "secret generic root --from-file=password",
      "secret generic t --from-file=token",
      "secret generic ca --from-file=ca.crt",
      "configmap ca --from-file=ca.crt",
    ]);
  });

  test("is told once: afterwards of what is new only", () => {
    const administration = { signOn: completeForge.administration?.signOn };
    expect(lines(completeForge, completeForge)).toEqual([]);
    expect(prerequisiteProblems({ ...completeForge, administration }, completeForge).map(({ path }) => path)).toEqual([
      "administration.smtp.password",
    ]);
  });

  test("is nothing where all is made here", () => {
    expect(lines(undefined, minimalForge)).toEqual([]);
  });
});
