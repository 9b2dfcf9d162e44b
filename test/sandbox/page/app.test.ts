import { type PageSource, pageApp } from "@hearth-platform/sandbox/page/app";
import { describe, expect, it } from "vitest";

const host = "127.0.0.1:24001";

/** The page over a platform that a test changes; `synced` are the sites that the webhook was asked for. */
function page({ webhook }: { webhook: number | undefined } = { webhook: 202 }) {
  const synced: string[] = [];
  const listeners = new Set<() => void>();
  const content = {
    stack: "dev",
    picture: "<svg><title>first</title></svg>",
    sites: [{ path: "pages/blog" }, { path: "pages/<b>", asked: 1_700_000_000 }],
    verdicts: [{ policy: "wl-image-tag", resource: "team", message: "image: latest is not fixed." }],
  };
  const source: PageSource = {
    content: async () => ({ ...content }),
    onChange: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    sync: async (namespace, name) => {
      synced.push(`${namespace}/${name}`);
      return webhook;
    },
  };
  const app = pageApp(source, [host, "localhost:24001"]);
  const ask = (path: string, init: RequestInit = {}) =>
    app.request(`http://${host}${path}`, { ...init, headers: { host, ...(init.headers as Record<string, string>) } });
  const change = () => {
    for (const changed of listeners) changed();
  };
  return { ask, content, listeners, synced, change };
}

/** Reads events until one has this text. */
async function untilEvent(reader: ReadableStreamDefaultReader<Uint8Array>, text: string): Promise<string> {
  const decoder = new TextDecoder();
  let all = "";
  while (!all.includes(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended without ${text}: ${all}`);
    all += decoder.decode(value);
  }
  return all;
}

describe("the page", () => {
  it("shows the picture, the sites and what the policies say", async () => {
    const answer = await page().ask("/");
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain("<svg><title>first</title></svg>");
    expect(text).toMatch(/data-site="pages\/blog"/);
    expect(text).toContain("2023-11-14T22:13:20.000Z");
    expect(text).toContain("image: latest is not fixed.");
  });

  it("writes names as text, never as markup", async () => {
    const text = await (await page().ask("/")).text();
    expect(text).not.toContain("pages/<b>");
    expect(text).toContain("pages/&lt;b&gt;");
  });

  it("has a language, a title, headings and a name for each button", async () => {
    const text = await (await page().ask("/")).text();
    expect(text).toContain('<html lang="en">');
    expect(text).toContain("<title>hearth: stack dev</title>");
    expect(text.match(/<h[12]/g)?.length).toBe(3);
    expect(text).toContain('aria-label="Sync now: pages/blog"');
  });

  it("loads nothing from elsewhere and runs no inline script", async () => {
    const answer = await page().ask("/");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(await answer.text()).not.toMatch(/<script>|https?:\/\/| on[a-z]+="/);
  });

  it("sends what changed as it changes", async () => {
    const { ask, content, change, listeners } = page();
    const reader = ((await ask("/events")).body as ReadableStream<Uint8Array>).getReader();
    expect(await untilEvent(reader, "event: verdicts")).toContain("first");
    content.picture = "<svg><title>second</title></svg>";
    await expect.poll(() => listeners.size).toBe(1);
    change();
    expect(await untilEvent(reader, "second")).toContain("event: picture");
    await reader.cancel();
    await expect.poll(() => listeners.size).toBe(0);
  });
});

describe("a button", () => {
  const own = { origin: `http://${host}` };

  it("makes the webhook sync the site", async () => {
    const { ask, synced } = page();
    const answer = await ask("/sync/pages/blog", { method: "POST", headers: own });
    expect([answer.status, await answer.text()]).toEqual([200, "The webhook answered 202."]);
    expect(synced).toEqual(["pages/blog"]);
  });

  it("tells what the webhook answered, and that there is none", async () => {
    const refused = await page({ webhook: 404 }).ask("/sync/pages/blog", { method: "POST", headers: own });
    expect([refused.status, await refused.text()]).toEqual([502, "The webhook answered 404."]);
    const none = await page({ webhook: undefined }).ask("/sync/pages/blog", { method: "POST", headers: own });
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
    const { ask, synced } = page();
    expect((await ask("/sync/pages/blog", { method: "POST", headers })).status).toBe(403);
    expect(synced).toEqual([]);
  });

  it("is not pressed by reading", async () => {
    const { ask, synced } = page();
    expect((await ask("/sync/pages/blog", { headers: own })).status).toBe(404);
    expect(synced).toEqual([]);
  });
});

it.each(["evil.example.org", "evil.example.org:24001", "127.0.0.1", "127.0.0.1:24002", ""])(
  "a browser that was led here by the name %j is shown nothing",
  async (name) => {
    const answer = await page().ask("/", { headers: { host: name } });
    expect([answer.status, await answer.text()]).toEqual([421, "This host is not served."]);
  },
);
