import { createHash } from "node:crypto";
import { pictureStyle } from "@hearth-platform/stack/delivery/graph/svg";
import { html, raw } from "hono/html";

export type Html = ReturnType<typeof html>;

/** A page as the server sends it; the script keeps what is marked `data-live` up to date. */
export function layout(title: string, head: Html, main: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>hearth: ${title}</title>
<style>${raw(style)}</style>
<script src="/page.js" defer></script>
</head>
<body>
<header>
${head}
<p id="live" role="status">Reading …</p>
</header>
<main>
${main}
</main>
</body>
</html>`;
}

/** A part of a page with its title. @param id of the element that is kept up to date */
export function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
<div id="${id}" data-live>${content}</div>
</section>`;
}

/** A moment; the script shows it in the reader's own time. @param moment RFC 3339 */
export function timeElement(moment: string): Html {
  return html`<time datetime="${moment}">${moment}</time>`;
}

const style = `
:root{color-scheme:light dark;--ink:#0b1f3a;--soft:#5c677d;--back:#fafbfd;--line:#c3ccd9;--key:#1d5b99;--good:#1f7a38;--warn:#8a5a00;--bad:#b3203b}
@media(prefers-color-scheme:dark){:root{--ink:#f0f4fa;--soft:#9aa7bd;--back:#0c1220;--line:#3a465c;--key:#8dc0f2;--good:#63c97c;--warn:#e6b450;--bad:#ff8fa3}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1rem;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{margin:.2rem 0;font-size:1.5rem}h2{font-size:1.15rem;margin:1.4rem 0 .4rem}h3{font-size:1rem;margin:.8rem 0 .2rem}
pre{margin:0;padding:.4rem .6rem;border:1px solid var(--line);border-radius:.4rem;font:.8125rem/1.45 ui-monospace,monospace;white-space:pre-wrap}
header p{margin:.2rem 0}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1rem;margin:.2rem 0}
a{color:var(--key)}
nav a[aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
ul{list-style:none;margin:0;padding:0}
.rows li{display:grid;grid-template-columns:6rem 15rem 1fr;gap:0 .8rem;padding:.35rem 0;border-bottom:1px solid var(--line)}
.rows.parts li{grid-template-columns:15rem 7rem 1fr}
.rows small{grid-column:3;font-size:.875rem}
#live,#answer,small,.soft{color:var(--soft)}
.ok{color:var(--good)}.unknown{color:var(--soft)}.warning{color:var(--warn)}.problem{color:var(--bad)}
.failure{white-space:pre-wrap;border-left:.3rem solid var(--bad);padding-left:.8rem}
svg{width:100%;height:auto}
.narrow{display:none;max-width:30rem;overflow-x:auto}
.narrow svg{min-width:22.375rem}
svg a text,svg a .title{fill:var(--key);text-decoration:underline}
a:focus-visible,button:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--key);outline-offset:2px}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .6rem .4rem 0;border-bottom:1px solid var(--line)}
td{color:var(--soft)}
thead th{color:var(--soft);font-weight:400}
button{font:inherit;color:var(--key);background:none;border:1px solid currentColor;border-radius:.4rem;padding:.15rem .7rem;cursor:pointer}
button:disabled{opacity:.5}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media(max-width:62rem){
.wide{display:none}
.narrow{display:block}
}
@media(max-width:48rem){
.rows li,.rows.parts li{grid-template-columns:1fr}
.rows small{grid-column:1}
}
`;

/** What a browser may load and run of the page: its script, and the styles by their content. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  `style-src ${[style, pictureStyle].map(hashSource).join(" ")}`,
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join("; ");

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
