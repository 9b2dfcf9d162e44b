import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { execa } from "execa";
import { beforeAll, expect, test } from "vitest";
import { kubernetesObjects, runningPlatform } from "../support/stack.ts";

/** What the accounts of the platform's pods may do in the cluster, as the API server itself judges it. */

/** Those of the platform, and two of the cluster. */
const platform = ["platform", "platform-jobs", "team", "club", "site-webhook", "pages"];
const namespaces = [...platform, "kube-system", "default"];

/** The accounts there are in the platform's namespaces, and those that its pods name: `NAMESPACE/NAME`. */
let accounts: readonly string[] = [];

beforeAll(async () => {
  await runningPlatform();
  const objects = await kubernetesObjects("pods,serviceaccounts", "--all-namespaces");
  const named = objects.flatMap(({ kind, metadata: { namespace = "", name }, spec }) =>
    platform.includes(namespace) ? [`${namespace}/${kind === "Pod" ? spec?.serviceAccountName : name}`] : [],
  );
  accounts = [...new Set(named)].sort();
}, 600_000);

/** What `kubectl auth can-i --list` says that an account may do in a namespace, a line each: `VERBS RESOURCE [NAMES]`. */
async function rights(account: string, namespace: string): Promise<string[]> {
  const sandbox = await openSandbox();
  const as = `--as=system:serviceaccount:${account.replace("/", ":")}`;
  const args = ["auth", "can-i", "--list", "--no-headers", as, `--namespace=${namespace}`];
  const { stdout } = await execa(sandbox.programs.kubectl, args, { env: sandboxEnvironment(sandbox) });
  // Its columns: resources, URLs, names, verbs.
  return [...stdout.matchAll(/^(\S*)\s+\[([^\]]*)\]\s+\[([^\]]*)\]\s+\[([^\]]*)\]$/gm)].map(
    ([, resource = "", urls = "", names = "", verbs = ""]) =>
      `${verbs.split(" ").sort().join(" ")} ${resource || urls}${names ? ` (${names})` : ""}`,
  );
}

test("each account may do what the table says, and nothing else anywhere", async () => {
  const rows: string[] = [];
  for (const namespace of namespaces) {
    // Kubernetes gives every account a little: its own name, and where the API is.
    const everyone = new Set(await rights("nowhere/nobody", namespace));
    const answers = await Promise.all(accounts.map((account) => rights(account, namespace)));
    for (const [index, answer] of answers.entries())
      for (const right of answer.filter((each) => !everyone.has(each)))
        rows.push(`${accounts[index]} in ${namespace}: ${right}`);
  }
  expect(accounts.length).toBeGreaterThan(platform.length);
  expect(rows.sort().join("\n")).toMatchInlineSnapshot(`
    "platform/forge-runner in platform-jobs: create delete get list watch pods
    platform/forge-runner in platform-jobs: create delete get patch pods/attach
    platform/forge-runner in platform-jobs: create delete get patch pods/exec
    platform/forge-runner in platform-jobs: create delete get update secrets
    platform/forge-runner in platform-jobs: create get services
    platform/forge-runner in platform-jobs: get list pods/log
    platform/forge-runner in platform-jobs: get serviceaccounts
    platform/forge-runner in platform-jobs: list watch events
    platform/forge-runner-registration in platform: get patch secrets (forge-runner-token)
    site-webhook/site-webhook in club: patch staticsites.pages.kup6s.com
    site-webhook/site-webhook in default: patch staticsites.pages.kup6s.com
    site-webhook/site-webhook in kube-system: patch staticsites.pages.kup6s.com
    site-webhook/site-webhook in pages: patch staticsites.pages.kup6s.com
    site-webhook/site-webhook in platform-jobs: patch staticsites.pages.kup6s.com
    site-webhook/site-webhook in platform: patch staticsites.pages.kup6s.com
    site-webhook/site-webhook in site-webhook: patch staticsites.pages.kup6s.com
    site-webhook/site-webhook in team: patch staticsites.pages.kup6s.com"
  `);
});

test("no pod has a token of its account but those that talk to the API server", async () => {
  const pods = await kubernetesObjects("pods", "--all-namespaces");
  const withToken = pods.filter(
    ({ metadata: { namespace = "" }, spec }) =>
      platform.includes(namespace) && JSON.stringify(spec?.volumes ?? []).includes('"serviceAccountToken"'),
  );
  expect([...new Set(withToken.map(({ spec }) => spec?.serviceAccountName))].sort()).toEqual([
    // The operator's own pods: its manager runs in each, with rights that the operator gives it.
    ...["cloudsuite-db", "cloudsuite-db-pooler", "forge-db", "forge-db-pooler"],
    "forge-runner",
    "forge-runner-registration",
    "site-webhook",
  ]);
});
