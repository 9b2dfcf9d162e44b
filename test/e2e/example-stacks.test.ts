import { rmSync } from "node:fs";
import { join } from "node:path";
import { kubeContext } from "@hearth-platform/sandbox/paths";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hearth } from "../support/caller.ts";
import { exampleStacks, examples, repositoryWith } from "../support/example-stacks.ts";
import { kubernetesObjects, sandbox, sandboxIn, serveStorageClasses } from "../support/stack.ts";

/**
 * The stacks to start from, as people have them: in a repository of their own, whose hearth is this checkout. Each passes the
 * gate and comes up, with the Secrets that its page has its reader make.
 */

/** What the pages say to make, as soon as the namespace is there, and what comes up then. */
const stacks: Readonly<
  Record<string, { namespace: string; secrets: Readonly<Record<string, readonly string[]>>; deployment: string }>
> = {
  company: { namespace: "company", secrets: { "company-postgres": ["password"] }, deployment: "cloudsuite" },
  "forge-and-hub": { namespace: "code", secrets: {}, deployment: "hub-core" },
  school: {
    namespace: "school",
    secrets: { "s3-keys": ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] },
    deployment: "cloudsuite",
  },
  university: {
    namespace: "university",
    secrets: { mirror: ["x"], "university-sign-on": ["clientId", "clientSecret"] },
    deployment: "cloudsuite",
  },
};

const repositories = new Map(exampleStacks.map((name) => [name, repositoryWith(join(examples, name), kubeContext)]));
const folderOf = (name: string) => repositories.get(name) ?? "";
afterAll(() => {
  for (const folder of repositories.values()) rmSync(folder, { recursive: true });
});

// The classes of their clusters.
beforeAll(() => serveStorageClasses("local-path", "gp3", "longhorn"));

it("the repository's own stack passes the gate", async () => {
  const folder = folderOf("school");
  const { status, stdout, stderr } = await hearth(folder, "--folder", folder, "gate", "--stack", "prod", "--sandbox");
  expect(status, stdout + stderr).toBe(0);
});

describe.each(exampleStacks)("the stack %s", (name) => {
  const folder = folderOf(name);
  const { namespace = "", secrets = {}, deployment = "" } = stacks[name] ?? {};
  const pulumi = (...args: string[]) =>
    sandboxIn(folder, "pulumi", ...args, "--stack", name, "--non-interactive", "--color", "never");

  it("passes the gate", async () => {
    const { status, stdout, stderr } = await hearth(folder, "--folder", folder, "gate", "--stack", name, "--sandbox");
    expect(status, stdout + stderr).toBe(0);
  });

  it("comes up with the Secrets of its page", async () => {
    const up = pulumi("up", "--yes", "--skip-preview");
    const waited = sandbox("kubectl", "wait", "--for=create", `namespace/${namespace}`, "--timeout=2m");
    // Where the update ends first, it says why.
    const first = await Promise.race([waited, up]);
    expect(first.exitCode, first.all).toBe(0);
    for (const [secret, keys] of Object.entries(secrets)) {
      const literals = keys.map((key) => `--from-literal=${key}=x`);
      await sandbox("kubectl", "-n", namespace, "create", "secret", "generic", secret, ...literals);
    }
    const { exitCode, all } = await up;
    expect(exitCode, all).toBe(0);
    const [found] = await kubernetesObjects(`deployment/${deployment}`, "--namespace", namespace);
    expect(found?.status?.readyReplicas).toBeGreaterThan(0);
  });
});
