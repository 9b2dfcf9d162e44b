import { type Ending, ending } from "@hearth-platform/cli/sandbox/ending";
import { describe, expect, it } from "vitest";

const end: Ending = {
  outputs: {
    forge: {
      endpoints: { web: "https://forge.example.org", pages: "https://*.pages.example.org" },
      administrator: { user: "root", password: "[secret]" },
    },
    endpoints: { team: { web: "https://team.example.org" } },
    siteWebhook: {
      urls: { "pages/blog": "https://sync.example.org/sync/pages/blog" },
      image: "registry.example.org/hearth/site-webhook:60ac8eb8db5310a8",
      digest: "sha256:5454d22b8b863910207c6a696f28753393e0630d2b97cfba821a991a9a07fbc0",
    },
    hub: {
      login: `docker login hub.example.org: with your user name at https://forge.example.org and ${"a personal access token of yours ".repeat(4)}`,
    },
  },
  unchanged: false,
  webhook: "http://127.0.0.1:23842",
  page: "http://127.0.0.1:21966",
};

describe("the end of npm start", () => {
  it("has every address, and none longer than 100 columns", () => {
    const text = ending(end);
    for (const address of ["https://forge.example.org", "https://*.pages.example.org", "https://team.example.org"])
      expect(text).toContain(address);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it("says what answers on this machine, and how to make a site sync", () => {
    const text = ending(end);
    expect(text).toMatch(/siteWebhook\.urls\.pages\/blog +http:\/\/127\.0\.0\.1:23842\/sync\/pages\/blog/);
    expect(text).toContain("curl -si -X POST http://127.0.0.1:23842/sync/pages/blog");
    expect(text.split("\n").at(-1)).toBe("Look at it: http://127.0.0.1:21966");
  });

  it("shows no secret and no hash, but how to see a password", () => {
    const text = ending(end);
    expect(text).not.toMatch(/\[secret\]|sha256|60ac8eb8db5310a8/);
    expect(text).toContain("--show-secrets");
  });

  it("offers no sync where no webhook runs", () =>
    expect(ending({ ...end, webhook: undefined })).not.toMatch(/curl|127\.0\.0\.1:23842/));

  it("says when nothing had to be changed", () => {
    expect(ending({ ...end, unchanged: true })).toMatch(/^No changes were needed\.\n/);
    expect(ending(end)).not.toContain("No changes");
  });
});
