import { join } from "node:path";
import { checkStructure } from "@hearth-platform/hearth/core/structure";
import { secretRule } from "@hearth-platform/stack/areas/secret-rules";
import { stackPlans } from "@hearth-platform/stack/parts";
import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const problems = (settings: Pick<StackSettings, "secrets" | "hub" | "forge" | "cloudsuites">) =>
  secretRule(settings).map(({ code, path, remedy }) => `${code} ${path}: ${remedy}`);

it("a password in the place of its Secret is refused, and never shown", () => {
  const smtp = { host: "mail.example.org", from: "forge@example.org", user: "forge", password: "hunter2" };
  const { problems: found } = checkStructure(StackSettings, {
    profile: "production",
    forge: { administration: { smtp } },
  });
  expect(found).toContainEqual(expect.objectContaining({ code: "secret", path: "forge.administration.smtp.password" }));
  expect(JSON.stringify(found)).not.toContain("hunter2");
});

describe("a Secret that the settings name", () => {
  it("may be every one that the committed stacks make or sync", () => {
    for (const name of ["dev", "prod"]) {
      const { source } = sourceFromFile(root, name);
      const { stack } = source ? checkStack(root, source) : {};
      if (!stack) throw new Error(`Stack ${name} has problems.`);
      const synced = { ...stack, settings: { ...stack.settings, secrets: { store: { name: "store" } } } };
      const made = stackPlans(synced).flatMap(({ secrets, objects }) => [
        ...secrets.map((secret) => secret.name),
        ...objects.flatMap(({ object }) => (object.kind === "ExternalSecret" ? [object.metadata.name] : [])),
      ]);
      expect(made.length).toBeGreaterThan(5);
      const existing = Object.fromEntries(made.map((secret) => [secret, "mine"]));
      expect(
        problems({ hub: stack.settings.hub, cloudsuites: stack.settings.cloudsuites, secrets: { existing } }),
      ).toEqual([]);
    }
  });

  it("is an error where the platform has none of that name, which would silently be generated", () => {
    expect(problems({ secrets: { existing: { "forge-rails-secret": "mine" } } })).toEqual([
      "unknown-secret secrets.existing.forge-rails-secret: Did you mean forge-rails-secrets?",
    ]);
    expect(problems({ secrets: { revisions: { "forge-gitstore-tokn": 1 } } })).toEqual([
      "unknown-secret secrets.revisions.forge-gitstore-tokn: Did you mean forge-gitstore-token?",
    ]);
  });

  it("is not the name of something else in the settings, such as a suite", () => {
    const cloudsuites = [{ name: "cloud", config: "suites/cloud/config.yaml" }];
    const [problem, ...more] = problems({ cloudsuites, secrets: { revisions: { cloud: 1 } } });
    expect(problem).toMatch(/^unknown-secret secrets\.revisions\.cloud: /);
    expect(more).toEqual([]);
  });

  it("may have a revision where it is one of the user's own", () => {
    const password = { name: "mail", key: "password" };
    const smtp = { host: "mail.example.org", from: "forge@example.org", user: "forge", password };
    const secrets = {
      existing: { "forge-pages-secret": "mine" },
      revisions: { mail: 1, mine: 2, "forge-pages-secret": 1 },
    };
    expect(problems({ forge: { administration: { smtp } }, secrets })).toEqual([]);
  });

  it("is warned of where a revision makes no new value", () => {
    const revisions = { "forge-rails-secrets": 1 };
    expect(problems({ secrets: { revisions } })).toEqual([
      "constant-secret secrets.revisions.forge-rails-secrets: Remove it.",
    ]);
    expect(problems({ secrets: { revisions: { "hub-encryption-key": 1 } } })).toEqual([
      "constant-secret secrets.revisions.hub-encryption-key: Remove it.",
    ]);
    expect(problems({ secrets: { revisions: { "forge-rails-secrets": 0 } } })).toEqual([]);
    // Nobody reads a first password twice, wherever it comes from.
    expect(problems({ secrets: { revisions: { "hub-admin": 1 }, existing: { "hub-admin": "mine" } } })).toEqual([
      "constant-secret secrets.revisions.hub-admin: Remove it, and change the password in the program.",
    ]);
    // With a store it comes from there, unless it is generated beside the store.
    const store = { name: "vault" };
    expect(problems({ secrets: { revisions: { "hub-admin": 1 }, store } })).toEqual([
      "constant-secret secrets.revisions.hub-admin: Remove it, and change the password in the program.",
    ]);
    expect(problems({ secrets: { revisions: { "hub-admin": 1 }, store, generate: true } })).toEqual([
      "constant-secret secrets.revisions.hub-admin: Remove it.",
    ]);
    expect(problems({ secrets: { revisions, store } })).toEqual([]);
    expect(problems({ secrets: { revisions, store, generate: true } })).toEqual([
      "constant-secret secrets.revisions.forge-rails-secrets: Remove it.",
    ]);
    // A key that was added to a Secret of one's own is read after a restart.
    expect(problems({ secrets: { revisions, existing: { "forge-rails-secrets": "mine" } } })).toEqual([]);
  });
});
