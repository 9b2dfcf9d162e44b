import { SmokeOutput } from "@hearth-platform/cli/smoke/schema";
import { StatusOutput } from "@hearth-platform/cli/status/schema";
import { startPage } from "@hearth-platform/sandbox/page";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { answer, answers, type Reply } from "../cli/smoke/platform.ts";
import { launchBrowser } from "../support/browser.ts";
import { hearth } from "../support/caller.ts";
import { type DevStack, kubernetesObjects, runningPlatform, sandbox } from "../support/stack.ts";
import { LiveHosts } from "./requests/live-hosts.ts";

/**
 * `status`, its page and `smoke` of the whole platform on the sandbox, sound and broken. The routes are a real Traefik's; the programs behind
 * them are stand-ins that answer as the real ones do.
 */

let stack: DevStack;
let hosts: LiveHosts;
let browser: Browser;
let page: Page;
let replies: Map<string, Reply>;
const passwords = new Set<string>();

beforeAll(async () => {
  stack = await runningPlatform();
  const opened = await openSandbox();
  const routes = await kubernetesObjects("ingressroutes,ingressroutetcps", "--all-namespaces");
  const namespaces = [...new Set(routes.map(({ metadata: { namespace = "" } }) => namespace))];
  const [certificate] = await kubernetesObjects("secret", "hub-tls", "-n", "platform");
  const { data = {} } = certificate as { data?: Record<string, string> };
  for (const name of ["platform/hub-admin", "team/cloudsuite-admin", "club/cloudsuite-admin"])
    await learnPassword(name);
  hosts = await LiveHosts.start({
    kubeconfig: opened.paths.kubeconfig,
    namespaces,
    authority: Buffer.from(data["ca.crt"] ?? "", "base64").toString(),
    answer: (request, response) => answer(replies, (header) => passwords.has(header), request, response),
  });
  replies = programs();
  browser = await launchBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(soon.timeout);
  await page.goto(await startPage(opened));
}, 900_000);

afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});

async function learnPassword(secret: string): Promise<void> {
  const [namespace = "", name = ""] = secret.split("/");
  const [found] = (await kubernetesObjects("secret", name, "-n", namespace)) as { data?: Record<string, string> }[];
  const [user, password] = Object.entries(found?.data ?? {})
    .sort(([a], [b]) => Number(b.includes("user")) - Number(a.includes("user")))
    .map(([, value]) => Buffer.from(value, "base64").toString());
  passwords.add(`Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`);
}

/** What the programs of `dev` answer: those of `prod`, with two suites. */
function programs(): Map<string, Reply> {
  const text = JSON.stringify([...answers()]);
  const suites = ["team", "club"].map((name) => text.replaceAll("cloud.example.org", `${name}.example.org`));
  return new Map(suites.flatMap((each) => JSON.parse(each)));
}

const options = () => ["--stack", "dev", "--sandbox", "--config-file", stack.stackFile, "--json"];

const isFault = ({ status }: { readonly status: string }) => status !== "ok" && status !== "unknown";

/** What status finds, as `status subject`, without what is fine, and without what the sandbox's nodes can't tell. */
async function statusFaults(): Promise<string[]> {
  const { stdout, stderr } = await hearth(stack.folder, "status", ...options());
  const { checks } = StatusOutput.parse(JSON.parse(stdout || JSON.stringify({ stderr })));
  return checks.filter(isFault).map(({ status, subject }) => `${status} ${subject}`);
}

/** Hosts that do not answer as they should, by their routes of this moment. */
async function smokeFaults(): Promise<string[]> {
  await hosts.follow();
  const { stdout, stderr } = await hearth(stack.folder, "smoke", ...options(), ...hosts.options);
  const { rows } = SmokeOutput.parse(JSON.parse(stdout || JSON.stringify({ stderr })));
  return rows.filter(isFault).map(({ status, host, subject, message }) => `${status} ${host} ${subject}: ${message}`);
}

const kubectl = async (...args: string[]) => {
  const { exitCode, all } = await sandbox("kubectl", ...args);
  expect(exitCode, all).toBe(0);
};
const up = async () => {
  const { exitCode, all } = await stack.pulumi("up", "--yes", "--skip-preview", "--refresh");
  expect(exitCode, all).toBe(0);
};
const soon = { timeout: 90_000, interval: 500 };

async function isSound(): Promise<void> {
  await vi.waitFor(async () => expect([...(await statusFaults()), ...(await smokeFaults())]).toEqual([]), soon);
  await page.getByText(/^Stack dev is sound/).waitFor();
}

test("a sound stack is sound to status, to its page and to smoke", isSound, 300_000);

/** How a stack is broken and mended, and what each of the three says of it. */
interface Broken {
  readonly breaks: () => Promise<void>;
  readonly mends: () => Promise<void>;
  readonly status: string;
  readonly smoke: readonly string[];
}

const broken: readonly (readonly [string, Broken])[] = [
  [
    "whose webhook has no pods",
    {
      breaks: () => kubectl("-n", "site-webhook", "scale", "deploy", "site-webhook", "--replicas=0"),
      mends: () => kubectl("-n", "site-webhook", "scale", "deploy", "site-webhook", "--replicas=1"),
      status: "problem site-webhook",
      smoke: ["problem sync.example.org POST /sync/-/-: "],
    },
  ],
  [
    "whose suite has no route",
    {
      breaks: () => kubectl("-n", "team", "delete", "ingressroute", "cloudsuite"),
      mends: up,
      status: "problem IngressRoute team/cloudsuite",
      smoke: ["team.example.org GET /status.php: It answers 404, not 200."],
    },
  ],
  [
    "whose keystore has no pods, which its forge says when it is asked",
    {
      breaks: async () => {
        await kubectl("-n", "platform", "scale", "statefulset", "keystore", "--replicas=0");
        const failed = { status: "failed", redis_check: [{ status: "failed", message: "Connection refused" }] };
        replies.set("forge.example.org /-/readiness?all=1", { status: 503, body: JSON.stringify(failed) });
      },
      mends: async () => {
        await kubectl("-n", "platform", "scale", "statefulset", "keystore", "--replicas=1");
        replies = programs();
      },
      status: "problem platform-keystore",
      smoke: ["forge.example.org GET /-/readiness?all=1: It answers 503, not 200."],
    },
  ],
];

describe("a stack", () => {
  test.each(broken)(
    "%s is not sound to any of the three, until it is mended",
    async (_, { breaks, mends, status, smoke }) => {
      await breaks();
      try {
        await vi.waitFor(async () => expect(await statusFaults()).toContain(status), soon);
        const told = smoke.map((each) => expect.stringContaining(each));
        await vi.waitFor(async () => expect(await smokeFaults()).toEqual(expect.arrayContaining(told)), soon);
        await page.getByText(/^Stack dev is not sound/).waitFor();
        await page.locator("#findings").getByText(status.replace("problem ", ""), { exact: true }).waitFor();
      } finally {
        await mends();
      }
      await isSound();
    },
    300_000,
  );
});
