import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import type { JobSpec } from "kubernetes-types/batch/v1.d.ts";
import { beforeAll, expect, it, vi } from "vitest";
import { DevStack, kubernetesObjects, sandbox } from "../support/stack.ts";
import { smallStack, withConfig, withSettings } from "../support/stack-files.ts";

const name = "admission";
const namespace = "limited";
const club = "suites/club/config.yaml";

/** The least suite in a stack of its own, with the limits in force and second copies. */
const files = withConfig(
  withSettings(smallStack(), {
    admission: { action: "deny", namespace: "limited-limits" },
    cloudsuites: [{ name: "limited", config: club }],
    copies: {
      namespace: "limited-copies",
      to: { endpoint: "https://s3.eu-central-003.backblazeb2.com", region: "eu-central-003", bucket: "copies-e2e1" },
      networkPolicies: true,
    },
    siteWebhook: undefined,
  }),
  club,
  {
    namespace,
    domain: "limited.example.org",
    "s3.buckets": { data: "data-limited-e2e1", backups: "backups-limited-e2e1" },
  },
);
const stack = new DevStack(files);

const pulumi = (...args: string[]) =>
  sandbox(
    "pulumi",
    ...args,
    "--stack",
    name,
    "--config-file",
    stack.stackFile,
    "--non-interactive",
    "--color",
    "never",
  );
const scale = (what: string, replicas: number) =>
  sandbox("kubectl", "scale", "--namespace", namespace, what, `--replicas=${replicas}`);

beforeAll(async () => {
  const made = await stack.init(name);
  expect(made.exitCode, made.all).toBe(0);
  const up = await pulumi("up", "--yes", "--skip-preview");
  expect(up.exitCode, up.all).toBe(0);
});

it("the stack's own up makes the policies, and all of its objects keep them", async () => {
  const bindings = await kubernetesObjects("validatingadmissionpolicybindings");
  const own = bindings.filter(({ metadata }) => metadata.name.startsWith("limited-limits-"));
  expect(own.length).toBeGreaterThan(5);
  const again = await pulumi("preview", "--expect-no-changes");
  expect(again.exitCode, again.all).toBe(0);
});

it("kubectl scale meets the limit, with the policy's name and what is allowed", async () => {
  // The API server takes new policies up a moment after it has stored them.
  const refused = await vi.waitFor(
    async () => {
      const answer = await scale("statefulset/keystore", 2);
      expect(answer.exitCode, answer.all).toBe(1);
      return answer;
    },
    { timeout: 60_000 },
  );
  expect(refused.all).toContain("ValidatingAdmissionPolicy 'limited-limits-keystore-replicas'");
  expect(refused.all).toContain("spec.replicas: 1, or 0 for maintenance.");
  expect((await scale("deployment/cloudsuite", 2)).all).toContain("'limited-limits-cloudsuite-replicas'");
});

it("scaling to nothing for maintenance is admitted, and back", async () => {
  for (const what of ["statefulset/keystore", "deployment/cloudsuite"])
    for (const replicas of [0, 1]) {
      const answer = await scale(what, replicas);
      expect(answer.exitCode, answer.all).toBe(0);
    }
});

it("a copy is made at once, and lets all go once, by the commands of the page", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/how-to/copies.md"), "utf8");
  const commands = [...page.matchAll(/^ *\$ (kubectl .*)$/gm)].map(([, command = ""]) =>
    command.replaceAll("-n copies", "-n limited-copies").replaceAll("copy-platform", "copy-limited"),
  );
  expect(commands).toHaveLength(2);
  const opened = await openSandbox();
  for (const command of commands) {
    const { exitCode, all } = await execa("sh", ["-c", command], {
      env: {
        ...sandboxEnvironment(opened),
        PATH: `${dirname(opened.programs.kubectl)}:${process.env.PATH}`,
      } as Record<string, string>,
      reject: false,
      all: true,
    });
    expect(exitCode, `${command}\n${all}`).toBe(0);
  }
  const jobs = await kubernetesObjects("-n", "limited-copies", "jobs");
  const allowed = jobs.map(({ metadata, spec }) => {
    const [container] = (spec as unknown as JobSpec).template.spec?.containers ?? [];
    return [metadata.name, container?.env?.find(({ name: key }) => key === "MAX_DELETED_PERCENT")?.value];
  });
  expect(allowed.sort()).toEqual([
    ["copy-first", "25"],
    ["copy-once", "100"],
  ]);
});
