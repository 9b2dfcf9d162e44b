import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { startPage } from "@hearth-platform/sandbox/page";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import type axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemProgram } from "../support/system-programs.ts";
import { TestCluster } from "../support/test-cluster.ts";

/** The sandbox's page as a real browser has it, over the real API server. */

const namespace = "page-test";
const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");
const site = (annotations: Record<string, string>) => ({
  apiVersion: "pages.kup6s.com/v1beta1",
  kind: "StaticSite",
  metadata: { namespace, name: "hello", annotations },
  spec: { repo: "https://git.example.org/hello.git" },
});

let cluster: TestCluster;
let browser: Browser;
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  const opened = await openSandbox();
  cluster = new TestCluster(opened.paths.kubeconfig);
  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const address = await startPage(opened);
  browser = await chromium.launch({
    executablePath: systemProgram("chromium"),
    // Nothing is asked of the world outside.
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ],
  });
  // The judge of accessibility is brought in from outside, which the page itself allows nobody.
  page = await browser.newPage({ bypassCSP: true });
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(address);
}, 60_000);

afterAll(async () => {
  await browser?.close();
});

describe("the sandbox's page in a browser", () => {
  it("shows the stack as a picture", async () => {
    await expect.poll(() => page.getByRole("heading", { level: 1 }).textContent()).toBe("Stack dev");
    await page.getByRole("img", { name: "Stack dev" }).waitFor();
    expect(await page.locator("#node-team-db").textContent()).toContain("PostgreSQL");
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

  it.each(["light", "dark"] as const)("is accessible in %s colours", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axeScript);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
  });

  it("had no error in the browser", () => expect(errors).toEqual([]));
});
