import { beforeAll, expect, it, vi } from "vitest";
import { DevStack, kubernetesObjects, sandbox } from "../support/stack.ts";
import { smallStack, withConfig, withSettings } from "../support/stack-files.ts";

const name = "admission";
const namespace = "limited";
const club = "suites/club/config.yaml";

/** The least suite in a stack of its own, with the limits in force. */
const files = withConfig(
  withSettings(smallStack(), {
    admission: { action: "deny", namespace: "limited-limits" },
    cloudsuites: [{ name: "limited", config: club }],
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
