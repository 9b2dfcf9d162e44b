import { type PageSource, pageApp } from "@hearth-platform/cli/status/page/app";
import type { PartDetail } from "@hearth-platform/cli/status/page/part";
import type { StackView } from "@hearth-platform/cli/status/page/view";
import { describe, expect, it } from "vitest";

const host = "127.0.0.1:24001";

/** A name that would be markup, an attribute and a script where it is not escaped. */
const hostile = `x"'><img src=y onerror=alert(1)></p><script>alert(2)</script>&lt;`;
const asText =
  "x&quot;&#39;&gt;&lt;img src=y onerror=alert(1)&gt;&lt;/p&gt;&lt;script&gt;alert(2)&lt;/script&gt;&amp;lt;";

function viewOf(stack: string): StackView {
  return {
    stack,
    stacks: ["dev", "two"],
    picture: { wide: "<svg><title>drawn</title></svg>", narrow: "<svg><title>in one column</title></svg>" },
    report: {
      stack,
      server: "https://10.0.0.1:6443",
      at: "2026-11-25T12:00:00.000Z",
      sound: false,
      components: [],
      checks: [
        { status: "ok", code: "components", subject: "team-db", message: "2 of 2 pods ready.", remedy: "" },
        { status: "problem", code: "components", subject: "forge", message: "It is gone.", remedy: "Look at it." },
      ],
    },
    parts: [{ name: "forge", title: "Forge", hosts: ["git.example.org", "*.pages.example.org"], ready: 1, wanted: 2 }],
    state: {
      verdicts: [{ policy: "wl-image-tag", resource: "team", message: "image: latest is not fixed." }],
      update: {
        ...{
          kind: "update",
          result: "failed",
          started: "2026-11-25T12:00:00.000Z",
          changes: { create: 41, delete: 1 },
        },
        ...{ message: "Raise it", commit: "0123456789abcdef" },
        created: Array.from({ length: 41 }, (_, index) => `Secret team/s${index}`),
        updated: ["Deployment team/web"],
      },
    },
    sites: [{ path: "pages/blog" }, { path: "pages/docs", asked: 1_700_000_000 }],
  };
}

/** Every text of a view, hostile. */
function hostileView(): StackView {
  const { report, ...view } = viewOf(hostile);
  return {
    ...view,
    stacks: [hostile],
    failure: hostile,
    report: report && {
      ...report,
      server: hostile,
      checks: [{ status: "problem", code: "x", subject: hostile, message: hostile, remedy: hostile }],
    },
    parts: [{ name: hostile, title: hostile, hosts: [hostile], ready: 0, wanted: 1 }],
    state: {
      verdicts: [{ policy: hostile, resource: hostile, message: hostile }],
      update: {
        ...{ kind: hostile, result: hostile, started: hostile, ended: hostile, changes: { [hostile]: 1 } },
        ...{ message: hostile, commit: hostile, created: [hostile], updated: [hostile] },
      },
    },
    sites: [{ path: hostile }],
  };
}

const forge: PartDetail = {
  ...{ name: "forge", title: "Forge", hosts: ["git.example.org"], ready: 1, wanted: 2 },
  ...{ findings: [], workloads: [], pods: [], events: [], containers: [], more: 0 },
};

/** The page over stacks `dev` and `two`; `synced` are the sites that the sandbox's webhook was asked for. */
function page({ webhook, view = viewOf }: { webhook?: number | "none"; view?: (stack: string) => StackView } = {}) {
  const synced: string[] = [];
  const source: PageSource = {
    stack: "dev",
    view: async (stack) => (["dev", "two"].includes(stack) ? view(stack) : undefined),
    part: async (stack, part) =>
      stack === "dev" && part === "forge" ? { stack, name: part, detail: forge, logs: [] } : undefined,
    ...(webhook !== undefined && {
      sync: async (namespace, name) => {
        synced.push(`${namespace}/${name}`);
        return webhook === "none" ? undefined : webhook;
      },
    }),
  };
  const app = pageApp(source, [host, "localhost:24001"]);
  const ask = (path: string, init: RequestInit = {}) =>
    app.request(`http://${host}${path}`, { ...init, headers: { host, ...(init.headers as Record<string, string>) } });
  const text = async (path: string) => (await ask(path)).text();
  return { ask, text, synced };
}

describe("the page", () => {
  it("begins with the stack that was named", async () => {
    const answer = await page().ask("/");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/stacks/dev"]);
  });

  it("shows the findings of status with what to do, the picture, the sites and what the policies say", async () => {
    const text = await page().text("/stacks/dev");
    expect(text).toContain("Stack dev is not sound: 1 problem.");
    expect(text).toMatch(
      /<b class="problem">problem<\/b>\s*<b>forge<\/b>\s*<span>It is gone\.<\/span>\s*<small>Look at it\./,
    );
    expect(text).toContain('<div class="wide"><svg><title>drawn</title></svg></div>');
    expect(text).toContain('<div class="narrow"><svg><title>in one column</title></svg></div>');
    expect(text).toContain("2023-11-14T22:13:20.000Z");
    expect(text).toContain("image: latest is not fixed.");
  });

  it("shows the last update, whether it failed, and what it changed", async () => {
    const text = await page().text("/stacks/dev");
    expect(text).toContain('<b class="problem">update failed</b> <time datetime="2026-11-25T12:00:00.000Z">');
    expect(text).toContain(": Raise it <code>0123456789ab</code>");
    expect(text).toContain("<p>41 create, 1 delete.</p>");
    expect(text).toMatch(/Made: Secret team\/s0, .*Secret team\/s39 and 1 more\./);
    expect(text).toContain("Changed: Deployment team/web.");
  });

  it("has a link to each stack, and says which is shown", async () => {
    const links = async (stack: string) =>
      [...(await page().text(`/stacks/${stack}`)).matchAll(/<a href="\/stacks\/(\w+)"( aria-current="page")?>/g)].map(
        ([, name, current]) => `${name}${current ? ", shown" : ""}`,
      );
    expect(await links("dev")).toEqual(["dev, shown", "two"]);
    expect(await links("two")).toEqual(["dev", "two, shown"]);
  });

  it("has no stack that the backend does not have, whatever file that could be", async () => {
    for (const name of ["three", "..%2F..%2Fetc%2Fpasswd", "dev%00"])
      expect((await page().ask(`/stacks/${name}`)).status).toBe(404);
  });

  it("opens a part of a stack", async () => {
    const { ask, text } = page();
    expect(await text("/stacks/dev")).toContain('<a href="/stacks/dev/parts/forge">forge</a>');
    expect(await text("/stacks/dev/parts/forge")).toContain("Forge: 1 of 2 ready.");
    expect((await ask("/stacks/dev/parts/hub")).status).toBe(404);
    expect((await ask("/stacks/two/parts/forge")).status).toBe(404);
  });

  it("makes links of public hosts, but of a wildcard", async () => {
    const text = await page().text("/stacks/dev");
    expect(text).toContain('<a href="https://git.example.org/">git.example.org</a>');
    expect(text).toContain("*.pages.example.org");
    expect(text).not.toContain('href="https://*');
  });

  it("writes names as text, never as markup", async () => {
    const text = await page({ view: hostileView, webhook: 202 }).text("/stacks/dev");
    // The stack three times and its link, its failure, server, finding, part, update, verdict, site with its button.
    expect(text.split(asText).length).toBeGreaterThanOrEqual(26);
    expect(text.replaceAll(asText, "")).not.toMatch(/<img|<script>|onerror=/);
    expect(text).toContain(`<a href="/stacks/${encodeURIComponent(hostile).replaceAll("'", "&#39;")}"`);
  });

  it("has a language, a title, headings and a name for each region", async () => {
    const text = await page().text("/stacks/dev");
    expect(text).toContain('<html lang="en">');
    expect(text).toContain("<title>hearth: stack dev</title>");
    const titles = [...text.matchAll(/<h[12][^>]*>([^<]+)/g)].map(([, title]) => title);
    expect(titles).toEqual(["Stack dev", "How it stands", "Its parts", "Last update", "Policies", "Static sites"]);
  });

  it("says what is wrong instead, where nothing can be shown", async () => {
    const view = (stack: string): StackView => ({
      ...{ stack, stacks: ["dev"], parts: [] },
      ...{ failure: "1 error in Pulumi.dev.yaml:\n…", state: { failure: "There is no Pulumi." } },
    });
    const text = await page({ view }).text("/stacks/dev");
    expect(text).toContain("1 error in Pulumi.dev.yaml:\n…");
    expect(text).toContain("Pulumi does not tell: There is no Pulumi.");
    expect(text).toContain("The cluster was not looked at.");
  });

  it("loads nothing from elsewhere and runs no inline script or style but its own", async () => {
    const answer = await page().ask("/stacks/dev");
    const policy = answer.headers.get("content-security-policy");
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src( 'sha256-[\w+/]{43}='){2}; /,
    );
    expect(policy).not.toContain("unsafe");
    const text = await answer.text();
    expect(text.replaceAll(/<a href="https:[^"]+">/g, "")).not.toMatch(
      /<script>|(src|href)="https?:| on[a-z]+="| style="/,
    );
  });

  it("is read-only: it takes GET and nothing else", async () => {
    const { ask } = page();
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      for (const path of ["/stacks/dev", "/sync/pages/blog", "/healthz"]) {
        const answer = await ask(path, { method, headers: { origin: `http://${host}` } });
        expect([method, path, answer.status, answer.headers.get("allow")]).toEqual([method, path, 405, "GET"]);
      }
  });

  it("has no button where it can ask for nothing", async () => {
    expect(await page().text("/stacks/dev")).not.toContain("<button");
  });
});

describe("a button on the sandbox", () => {
  const own = { origin: `http://${host}` };

  it("has a name, and makes the webhook sync the site", async () => {
    const { ask, text, synced } = page({ webhook: 202 });
    expect(await text("/stacks/dev")).toContain('data-site="pages/blog" aria-label="Sync now: pages/blog"');
    const answer = await ask("/sync/pages/blog", { method: "POST", headers: own });
    expect([answer.status, await answer.text()]).toEqual([200, "The webhook answered 202."]);
    expect(synced).toEqual(["pages/blog"]);
  });

  it("tells what the webhook answered, and that there is none", async () => {
    const refused = await page({ webhook: 404 }).ask("/sync/pages/blog", { method: "POST", headers: own });
    expect([refused.status, await refused.text()]).toEqual([502, "The webhook answered 404."]);
    const none = await page({ webhook: "none" }).ask("/sync/pages/blog", { method: "POST", headers: own });
    expect([none.status, await none.text()]).toEqual([
      503,
      "The webhook does not run: start it with ./hearth sandbox start.",
    ]);
  });

  it.each([
    ["of another page", { origin: "http://evil.example.org" }],
    ["of another port", { origin: "http://127.0.0.1:24002" }],
    ["of a file", { origin: "null" }],
    ["without an origin", {}],
  ])("%s asks for nothing", async (_, headers: Record<string, string>) => {
    const { ask, synced } = page({ webhook: 202 });
    expect((await ask("/sync/pages/blog", { method: "POST", headers })).status).toBe(403);
    expect(synced).toEqual([]);
  });

  it("is not pressed by reading", async () => {
    const { ask, synced } = page({ webhook: 202 });
    expect((await ask("/sync/pages/blog", { headers: own })).status).toBe(404);
    expect(synced).toEqual([]);
  });
});

it.each(["evil.example.org", "evil.example.org:24001", "127.0.0.1", "127.0.0.1:24002", ""])(
  "a browser that was led here by the name %j is shown nothing",
  async (name) => {
    const answer = await page().ask("/stacks/dev", { headers: { host: name } });
    expect([answer.status, await answer.text()]).toEqual([421, "This host is not served."]);
  },
);
