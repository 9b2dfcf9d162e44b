import { hostAddress } from "@hearth-platform/stack/delivery/graph/lines";
import { isWrong } from "@hearth-platform/stack/live/preflight/finding";
import { html } from "hono/html";
import type { StatusRow } from "../row.ts";
import type { Html } from "./layout.ts";

/** The findings of a screen of status, each with what to do. */
export function findingList(rows: readonly StatusRow[]): Html {
  return html`<ul class="rows">${rows.map(
    (row) => html`<li>
<b class="${isWrong(row) ? "problem" : row.status}">${row.status}</b>
<b>${row.subject}</b>
<span>${row.message}</span>
${row.remedy && html`<small>${row.remedy}</small>`}
</li>`,
  )}</ul>`;
}

/** Links to public hosts; the wildcard of many, `*.pages.example.org`, leads nowhere. */
export function hostLinks(hosts: readonly string[]): Html {
  return html`${hosts.map((host) => {
    const address = hostAddress(host);
    return address === undefined ? html`${host} ` : html`<a href="${address}">${host}</a> `;
  })}`;
}

/** How many of what is wanted are ready. */
export function readyCount(ready: number, wanted: number): Html {
  return html`<span class="${ready >= wanted ? "ok" : "warning"}">${ready} of ${wanted} ready</span>`;
}
