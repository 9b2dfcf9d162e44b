import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { glob } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import type axe from "axe-core";
import { execa } from "execa";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { pages } from "../support/pages.ts";

/** The site as it is published: built, served below a path, and read in a real browser. */

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "hearth-site-"));
const base = "/hearth/";
const repository = "https://git.example.org/acme/hearth";
const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** The built pages by their path below the base. */
const built = new Map<string, string>();
let server: Server;
let address: string;
let browser: Browser;
/** What a page asked for elsewhere. */
const outside: string[] = [];

beforeAll(async () => {
  const vitepress = join(root, "node_modules/.bin/vitepress");
  await execa(vitepress, ["build", "docs", "--outDir", folder], {
    cwd: root,
    env: { SITE_URL: `https://pages.example.org${base}`, CI_PROJECT_URL: repository, GITHUB_REPOSITORY: "" },
  });
  for await (const file of glob("**/*.html", { cwd: folder }))
    built.set(file, readFileSync(join(folder, file), "utf8"));
  server = createServer((request, response) => {
    const path = new URL(request.url ?? "", "http://localhost").pathname.slice(base.length) || "index.html";
    try {
      const body = readFileSync(join(folder, path.endsWith("/") ? `${path}index.html` : path));
      response.writeHead(200, { "content-type": types[extname(path)] ?? "text/html; charset=utf-8" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true });
});

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

async function open(path: string, options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith("data:")) outside.push(request.url());
  });
  await page.goto(`${address}${path}`);
  return page;
}

const idsOf = (html: string) =>
  new Set([...html.matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, id = ""]) => unescaped(id)));
const unescaped = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');

describe("the site", () => {
  it("has every page of docs/ and examples/, and those of the project", () => {
    const wanted = pages()
      .map(({ file }) => file)
      .filter((file) => /^(?:docs|examples)\/|^[A-Z]+\.md$/.test(file))
      .map((file) => file.replace(/README\.md$/, "index.md").replace(/\.md$/, ".html"));
    expect(wanted.length).toBeGreaterThan(60);
    expect([...built.keys()].sort()).toEqual([...wanted, "404.html"].sort());
  });

  it("has links that lead to a page and an anchor, or to a file of the repository", () => {
    const faults: string[] = [];
    let links = 0;
    for (const [file, html] of built) {
      for (const [, raw = ""] of html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)) {
        const to = new URL(unescaped(raw), `https://pages.example.org${base}${file}`);
        links += 1;
        if (to.href.startsWith(repository)) {
          if (!/^https:\S+\/hearth(?:\/blob\/HEAD\/.+)?$/.test(to.href)) faults.push(`${file}: ${raw}`);
          continue;
        }
        if (to.host !== "pages.example.org") continue;
        const path = decodeURI(to.pathname.slice(base.length)).replace(/(^|\/)$/, "$1index.html");
        const target = to.pathname.startsWith(base) ? built.get(path) : undefined;
        const anchor = decodeURIComponent(to.hash.slice(1));
        if (!target || (anchor !== "" && !idsOf(target).has(anchor))) faults.push(`${file}: ${raw}`);
      }
    }
    expect(links).toBeGreaterThan(2000);
    expect(faults).toEqual([]);
  });

  it("navigates as the index of the pages does", () => {
    const index = readFileSync(join(root, "docs/README.md"), "utf8");
    const home = built.get("index.html") ?? "";
    const groups = [...index.matchAll(/^\*\*([^*]+)\*\*/gm)].map(([, name = ""]) => name);
    expect(groups).toHaveLength(5);
    for (const name of groups) expect(home).toContain(`${name}</h2>`);
    const targets = [...index.matchAll(/\]\(([\w/-]+)\.md\)/g)].map(([, to]) => `${base}docs/${to}.html`);
    expect(targets.filter((to) => !home.includes(`href="${to}"`))).toEqual([]);
  });

  it("finds a setting by its name, without a server", async () => {
    const page = await open("");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("allowDataLoss");
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    expect(await page.locator(".VPLocalSearchBox .results").textContent()).toContain("Data");
    await page.close();
  });
});

describe.each([
  {
    name: "settings",
    path: "docs/reference/settings.html",
    area: "hearth:hub",
    own: "hearthhub",
    other: "hearthforge",
  },
  { name: "policies", path: "docs/reference/policies.html", area: "net", own: "net-policy", other: "wl-probes" },
])("the page of $name", ({ path, area, own, other }) => {
  it("shows one area when it is chosen, and the address says which", async () => {
    const page = await open(path);
    const [shown, hidden] = [page.locator(`[id="${own}"]`), page.locator(`[id="${other}"]`)];
    await hidden.waitFor();
    await page.getByLabel("Area").selectOption(area);
    await hidden.waitFor({ state: "hidden" });
    expect(await shown.isVisible()).toBe(true);
    // The first table belongs to no area; the links beside the page are those of what is shown.
    expect(await page.locator(".vp-doc table").first().isVisible()).toBe(false);
    await page.locator(`.outline-link[href="#${other}"]`).waitFor({ state: "hidden" });
    const link = page.url();
    expect(new URL(link).searchParams.get("area")).toBe(area);
    await page.goto("about:blank");
    await page.goto(link);
    await hidden.waitFor({ state: "hidden" });
    expect(await shown.isVisible()).toBe(true);
    await page.getByLabel("Area").selectOption("");
    await hidden.waitFor();
    expect(new URL(page.url()).search).toBe("");
    await page.close();
  });

  it("shows what a link leads to, also where its area was not chosen", async () => {
    const page = await open(`${path}?area=${area}#${other}`);
    await page.locator(`[id="${other}"]`).waitFor();
    await page.close();
  });

  it("is chosen by keyboard", async () => {
    const page = await open(path);
    await page.getByLabel("Area").focus();
    await page.keyboard.type(area);
    await page.locator(`[id="${other}"]`).waitFor({ state: "hidden" });
    await page.close();
  });

  it("shows everything without JavaScript", async () => {
    const page = await open(`${path}?area=${area}`, { javaScriptEnabled: false });
    expect(await page.locator(`[id="${other}"]`).isVisible()).toBe(true);
    await page.close();
  });

  it.each(["light", "dark"] as const)("is accessible in %s colours", async (colorScheme) => {
    const page = await open(`${path}?area=${area}`, { colorScheme });
    await page.getByLabel("Area").waitFor();
    await page.evaluate(axeScript);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
    await page.close();
  });
});

it("loads nothing from another host", async () => {
  const loaded = [...built].flatMap(([file, html]) =>
    [...html.matchAll(/<(?:script|link|img|iframe)\s[^>]*?(?:src|href)="(https?:[^"]+)"/g)].map(
      ([, to]) => `${file}: ${to}`,
    ),
  );
  for await (const file of glob("assets/**/*.css", { cwd: folder }))
    if (/url\(["']?https?:/.test(readFileSync(join(folder, file), "utf8"))) loaded.push(file);
  expect(loaded).toEqual([]);
  expect(outside).toEqual([]);
});
