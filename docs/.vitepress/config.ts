import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type DefaultTheme, defineConfig } from "vitepress";
import { repositoryUrl } from "../../tools/repository.ts";

/** The pages of the project as a site: the same files that the repository shows. `npm run site` builds it into docs/.vitepress/dist. */

const root = join(import.meta.dirname, "../..");
const repository = repositoryUrl();

/** Where the site is published; its paths begin with the path of this address. */
const base = new URL(process.env.SITE_URL || "https://localhost/").pathname.replace(/\/*$/, "/");

const isPage = (path: string) => /^(?:(?:docs|examples)\/.+|[A-Z]+)\.md$/.test(path) && existsSync(join(root, path));

/** A page's address: a README is the page of its folder. */
const rewritten = (path: string) => path.replace(/README\.md$/, "index.md");

/** The index of the pages as groups of links. */
function groups() {
  const index = readFileSync(join(root, "docs/README.md"), "utf8");
  return index
    .split(/^\*\*(?=[^*]+\*\*)/m)
    .slice(1)
    .map((part) => {
      const items = part.split("\n").filter((line) => line.startsWith("- "));
      return {
        text: part.slice(0, part.indexOf("**")),
        items: items.flatMap((item): DefaultTheme.SidebarItem[] => {
          const links = [...item.matchAll(/\[([^\]]+)\]\(([^)#]+)/g)].map(([, text = "", to = ""]) => ({
            text: text.replaceAll("`", "").replace(/^./, (first) => first.toUpperCase()),
            link: `/${rewritten(join("docs", to))}`,
          }));
          // Links after a few words are the parts of what these say.
          const [, words] = /^- ([^[]+?):? \[/.exec(item) ?? [];
          return words ? [{ text: words, items: links }] : links;
        }),
      };
    });
}

/** Where a page's link leads on the site: to a page of it, or else to the file in the repository; to nothing where none is known. */
function leadsTo(page: string, target: string): { readonly path: string; readonly address?: string } {
  const [file = "", anchor] = decodeURI(target).split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const path = join(dirname(page), file);
  const own = [path, join(path, "README.md")].find(isPage);
  if (own) return { path, address: `/${rewritten(own)}${hash}` };
  return { path, address: repository && `${repository}/blob/HEAD/${path}${hash}` };
}

/** GitHub's and GitLab's names of headings, which the links of the pages use. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");

export default defineConfig({
  title: "hearth",
  description: "A self-hosted platform on Kubernetes from one typed Pulumi program",
  lang: "en",
  base,
  srcDir: "..",
  srcExclude: ["!(docs|examples)/**/*"],
  cacheDir: "../node_modules/.cache/vitepress",
  rewrites: rewritten,
  markdown: {
    // In braces stand values, not attributes.
    attrs: { disable: true },
    anchor: { slugify: anchorOf },
    config(markdown) {
      markdown.core.ruler.push("names-and-links", ({ tokens, env }) => {
        for (const { children } of tokens) {
          // A placeholder such as <namespace> is a word.
          for (const token of children ?? [])
            if (token.type === "html_inline" && !/^<(?:br|\/?a\b|!--)/.test(token.content)) token.type = "text";
          for (const [index, link] of (children ?? []).entries()) {
            const target = link.attrGet("href") ?? "";
            if (link.type !== "link_open" || /^(?:[a-z]+:|#)/.test(target)) continue;
            const { path, address } = leadsTo(env.realPath ? relative(root, env.realPath) : env.relativePath, target);
            if (address) link.attrSet("href", address);
            else {
              const end = children?.slice(index).find(({ type }) => type === "link_close");
              for (const [token, content] of [
                [link, ""],
                [end, ` (${path})`],
              ] as const)
                if (token) Object.assign(token, { type: "text", tag: "", nesting: 0, content });
            }
          }
        }
      });
    },
  },
  themeConfig: {
    search: { provider: "local" },
    sidebar: groups(),
    nav: [
      { text: "Pages", link: "/docs/" },
      { text: "Changes", link: "/CHANGELOG" },
      ...(repository ? [{ text: "Repository", link: repository }] : []),
    ],
    outline: [2, 3],
  },
});
