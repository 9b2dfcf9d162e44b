import { html, raw } from "hono/html";
import type { SiteState } from "./standing.ts";
import type { Verdict } from "./verdict.ts";

/** All that the page shows. */
export interface PageContent {
  readonly stack: string;
  /** SVG. */
  readonly picture: string;
  readonly sites: readonly SiteState[];
  /** Absent before the stack was brought up. */
  readonly verdicts?: readonly Verdict[];
}

type Html = ReturnType<typeof html>;

/** The page as the server sends it; the script keeps it up to date. */
export function pageDocument(content: PageContent): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>hearth: stack ${content.stack}</title>
<style>${raw(style)}</style>
<script src="/page.js" defer></script>
</head>
<body>
<header>
<h1>Stack ${content.stack}</h1>
<p id="live" role="status">Reading …</p>
</header>
<main>
<section aria-label="The platform" id="picture">${raw(content.picture)}</section>
<section aria-labelledby="sites-title">
<h2 id="sites-title">Static sites</h2>
<div id="sites">${sitesTable(content.sites)}</div>
<p id="answer" role="status"></p>
</section>
<section aria-labelledby="policies-title">
<h2 id="policies-title">Policies</h2>
<div id="verdicts">${verdictList(content.verdicts)}</div>
</section>
</main>
</body>
</html>`;
}

/** A row a site, with the button that asks for a sync. */
export function sitesTable(sites: readonly SiteState[]): Html {
  if (sites.length === 0) return html`<p>This stack has no static sites.</p>`;
  return html`<table>
<thead><tr><th scope="col">Site</th><th scope="col">Last sync asked for</th><th scope="col"><span class="unseen">Sync</span></th></tr></thead>
<tbody>${sites.map(
    ({ path, asked }) => html`<tr>
<th scope="row">${path}</th>
<td>${asked === undefined ? "never" : html`<time datetime="${new Date(asked * 1000).toISOString()}">${new Date(asked * 1000).toISOString()}</time>`}</td>
<td><button type="button" data-site="${path}" aria-label="Sync now: ${path}">Sync now</button></td>
</tr>`,
  )}</tbody>
</table>`;
}

/** The policies' findings, or that there are none. */
export function verdictList(verdicts: readonly Verdict[] | undefined): Html {
  if (!verdicts) return html`<p>The stack is not up yet.</p>`;
  if (verdicts.length === 0) return html`<p class="content">No policy of either pack reports anything.</p>`;
  return html`<ul>${verdicts.map(
    ({ policy, resource, message }) => html`<li><code>${policy}</code> <b>${resource}</b> ${message}</li>`,
  )}</ul>`;
}

const style = `
:root{color-scheme:light dark;--ink:#0b1f3a;--soft:#5c677d;--back:#fafbfd;--line:#c3ccd9;--key:#1d5b99;--good:#1f7a38}
@media(prefers-color-scheme:dark){:root{--ink:#f0f4fa;--soft:#9aa7bd;--back:#0c1220;--line:#3a465c;--key:#8dc0f2;--good:#63c97c}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
header{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:baseline}
h1{margin:.2rem 0;font-size:1.5rem}h2{font-size:1.15rem;margin:1.4rem 0 .4rem}
#live,#answer,td{color:var(--soft)}
svg{width:100%;height:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .6rem .4rem 0;border-bottom:1px solid var(--line)}
thead th{color:var(--soft);font-weight:400}
button{font:inherit;color:var(--key);background:none;border:1px solid currentColor;border-radius:.4rem;padding:.15rem .7rem;cursor:pointer}
button:focus-visible{outline:3px solid var(--key);outline-offset:2px}
button:disabled{opacity:.5}
.content{color:var(--good)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
`;
