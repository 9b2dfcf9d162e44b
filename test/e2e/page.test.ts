import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startPage } from "@hearth-platform/sandbox/page";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import type axe from "axe-core";
import { execa } from "execa";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { DevStack, runningPlatform, sandbox } from "../support/stack.ts";
import { smallStack } from "../support/stack-files.ts";
import { TestCluster } from "../support/test-cluster.ts";

/** The page of live stacks as a real browser has it, over the real API server and the real engine's state. */

const namespace = "page-test";
const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");
const site = (annotations: Record<string, string>) => ({
  apiVersion: "pages.kup6s.com/v1beta1",
  kind: "StaticSite",
  metadata: { namespace, name: "hello", annotations },
  spec: { repo: "https://git.example.org/hello.git" },
});

/** A stack beside `dev`, which has its settings in the checkout and nothing in the cluster. */
const beside = "prod";
const part = "platform-keystore";

/** In the browser: pixels of the smallest letters that are shown, and by how many the page is wider than the screen. */
const measured = `(() => {
  const shown = (each) => each.getClientRects().length > 0 && [...each.childNodes].some((node) => node.nodeType === 3);
  const scale = (each) => each.ownerSVGElement?.getScreenCTM().a ?? 1;
  const sizes = [...document.querySelectorAll("body *")]
    .filter(shown)
    .map((each) => Number.parseFloat(getComputedStyle(each).fontSize) * scale(each));
  const { scrollWidth, clientWidth } = document.documentElement;
  return { smallest: Math.min(...sizes), excess: scrollWidth - clientWidth };
})()`;

let cluster: TestCluster;
let kubeconfig: string;
let browser: Browser;
let page: Page;
let address: string;
const errors: string[] = [];

beforeAll(async () => {
  await runningPlatform();
  await new DevStack(smallStack(), beside).init();
  const opened = await openSandbox();
  kubeconfig = opened.paths.kubeconfig;
  cluster = new TestCluster(kubeconfig);
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  address = await startPage(opened);
  browser = await launchBrowser();
  page = await browser.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  // What the policy of the page's content refuses is told here.
  page.on("console", (message) => {
    // Where the webhook does not run, the answer to a button is an error of HTTP.
    if (message.type() === "error" && !message.location().url.includes("/sync/")) errors.push(message.text());
  });
  await page.goto(address);
}, 900_000);

afterAll(async () => {
  await browser?.close();
  await sandbox("pulumi", "stack", "rm", "--yes", "--stack", beside);
});

describe("the sandbox's page in a browser", () => {
  it("shows the stack as a picture, with links", async () => {
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Stack dev");
    const picture = page.getByRole("group", { name: "Stack dev" });
    expect(await picture.locator("#node-team-db").textContent()).toContain("PostgreSQL");
    expect(await picture.getByRole("link", { name: "https://team.example.org" }).getAttribute("href")).toBe(
      "https://team.example.org/",
    );
  });

  it("shows what status finds, the last update and what the policies say of it", async () => {
    await page.getByText(/^Stack dev is (not )?sound/).waitFor();
    await page.locator("#findings").getByText("platform-db", { exact: true }).waitFor();
    await page.locator("#update").getByText("update succeeded").waitFor();
    expect(await page.locator("#update").textContent()).toMatch(/\d+ create/);
    expect(await page.locator("#policies").textContent()).not.toContain("not up yet");
  });

  it("shows a site and its syncs as they come", async () => {
    await page.getByText("Live: changes appear automatically.").waitFor();
    await cluster.apply(site({}), { dryRun: false });
    const row = page.getByRole("row", { name: `${namespace}/hello` });
    await row.getByText("never").waitFor();
    await cluster.apply(site({ "pages.kup6s.com/sync": "1700000000" }), { dryRun: false });
    await row.locator("time").waitFor();
    expect(await row.locator("time").getAttribute("datetime")).toBe("2023-11-14T22:13:20.000Z");
  });

  it("asks for a sync at a key press, and says what came of it", async () => {
    await page.getByRole("button", { name: `Sync now: ${namespace}/hello` }).press("Enter");
    await page.getByText(new RegExp(`^${namespace}/hello: (The webhook does not run|The webhook answered)`)).waitFor();
  });

  it("shows a stack beside it, which can be chosen", async () => {
    await page.getByRole("navigation", { name: "Stacks" }).getByRole("link", { name: beside }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe(`Stack ${beside}`);
    await page.getByRole("group", { name: `Stack ${beside}` }).waitFor();
    await page.locator("#update").getByText("There was none.").waitFor();
    await page.getByRole("navigation", { name: "Stacks" }).getByRole("link", { name: "dev" }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Stack dev");
  });

  it("opens a part: its pods, events and what its containers last said, as far as the API server has it", async () => {
    await page.locator("#parts").getByRole("link", { name: part }).click();
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe(part);
    await page.locator("#pods").getByText("keystore-0").waitFor();
    await page
      .locator("#workloads")
      .getByText(/valkey:/)
      .waitFor();
    const pod = `${namespace}-event`;
    const about = { apiVersion: "v1", kind: "Pod", namespace: "platform", name: "keystore-0" };
    await cluster.create({
      ...{ apiVersion: "v1", kind: "Event", metadata: { namespace: "platform", name: pod } },
      ...{ involvedObject: about, type: "Warning", reason: "Tested", message: "<b>as text</b>" },
      ...{ lastTimestamp: new Date().toISOString(), source: { component: "hearth-test" } },
    } as Parameters<TestCluster["create"]>[0]);
    await page.locator("#events").getByText("<b>as text</b>").waitFor();
    await page
      .locator("#logs")
      .getByRole("heading", { name: /^keystore-0/ })
      .waitFor();
    await page.getByRole("link", { name: "Stack dev" }).click();
    await page.locator("#parts").waitFor();
  });

  it("had no error in the browser, and nothing that its policy of content refuses", () => expect(errors).toEqual([]));
});

describe.each([
  ["of a stack", () => `${address}/stacks/dev`],
  ["of a part", () => `${address}/stacks/dev/parts/${part}`],
])("the page %s", (_, url) => {
  it.each(["light", "dark"] as const)(
    "is accessible in %s colours, on a screen and on a telephone",
    async (colorScheme) => {
      // The judge of accessibility is brought in from outside, which the page itself allows nobody.
      const judged = await browser.newPage({ bypassCSP: true, colorScheme });
      for (const width of [1280, 390]) {
        await judged.setViewportSize({ width, height: 800 });
        await judged.goto(url());
        await judged.evaluate(axeScript);
        const { violations } = await judged.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
      }
      await judged.close();
    },
  );

  it.each([320, 390, 700, 993, 1280])(
    "can be read at %d pixels: nothing scrolls sideways, no letter is small",
    async (width) => {
      const narrow = await browser.newPage({ viewport: { width, height: 800 } });
      await narrow.goto(url());
      const seen = await narrow.evaluate<{ smallest: number; excess: number }>(measured);
      await narrow.close();
      expect(seen.excess).toBe(0);
      expect(seen.smallest).toBeGreaterThanOrEqual(12);
    },
  );
});

it("any cluster has the page by its kubeconfig, also without Pulumi, until it is interrupted", async () => {
  const main = join(import.meta.dirname, "../../cli/main.mjs");
  const running = execa(process.execPath, [main, "status", "--stack", "dev", "--kubeconfig", kubeconfig, "--page"], {
    env: { PATH: "/usr/bin:/bin" },
    reject: false,
  });
  const [line] = await once(createInterface(running.stdout), "line");
  const url = /http:\S+/.exec(line)?.[0] ?? "";
  const answer = await fetch(url);
  const text = await answer.text();
  expect([answer.status, new URL(answer.url).pathname]).toEqual([200, "/stacks/dev"]);
  expect(text).toMatch(/Stack dev is (not )?sound/);
  expect(text).toContain("There is no &quot;pulumi&quot; on PATH");
  expect(text).not.toContain("<button");
  expect((await fetch(url, { method: "POST" })).status).toBe(405);
  running.kill("SIGINT");
  expect((await running).exitCode).toBe(0);
});
