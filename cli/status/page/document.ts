import { hostAddress } from "@hearth-platform/stack/delivery/graph/svg";
import { isWrong } from "@hearth-platform/stack/live/preflight/finding";
import { html, raw } from "hono/html";
import { verdictOf } from "../report.ts";
import type { StatusRow } from "../row.ts";
import { type Html, layout, section, timeElement } from "./layout.ts";
import type { SiteState } from "./standing.ts";
import { type PartView, type StackView, type StateView, stackAddress } from "./view.ts";

/** The page of a stack. @param canSync whether sites have a button that makes the webhook sync them */
export function stackDocument(view: StackView, canSync: boolean): Html {
  const { stack, stacks, failure, picture, report, parts, state, sites } = view;
  const head = html`<h1>Stack ${stack}</h1>
<nav aria-label="Stacks" id="stacks" data-live><ul>${stacks.map(
    (each) =>
      html`<li><a href="${stackAddress(each)}"${each === stack ? raw(' aria-current="page"') : ""}>${each}</a></li>`,
  )}</ul></nav>
<p id="verdict" data-live>${report && html`${verdictOf(report)}. <span class="soft">${report.server}, ${timeElement(report.at)}</span>`}</p>`;
  const main = html`<div id="failure" data-live>${failure && html`<p class="failure">${failure}</p>`}</div>
<section aria-label="The platform" class="picture" tabindex="0" id="picture" data-live>${raw(picture ?? "")}</section>
${section("findings", "How it stands", findingList(report?.checks))}
${section("parts", "Its parts", partList(parts))}
${section("policies", "Policies", verdictList(state))}
${section("sites", "Static sites", sitesTable(sites, canSync))}
<p id="answer" role="status"></p>`;
  return layout(`stack ${stack}`, head, main);
}

/** A page that says one thing, e.g. that there is no such stack. */
export function messageDocument(title: string, message: string): Html {
  return layout(title, html`<h1>${title}</h1>`, html`<p>${message}</p><p><a href="/">The page</a></p>`);
}

function findingList(rows: readonly StatusRow[] | undefined): Html {
  if (!rows) return html`<p>The cluster was not looked at.</p>`;
  return html`<ul class="rows">${rows.map(
    (row) => html`<li>
<b class="${isWrong(row) ? "problem" : row.status}">${row.status}</b>
<b>${row.subject}</b>
<span>${row.message}</span>
${row.remedy && html`<small>${row.remedy}</small>`}
</li>`,
  )}</ul>`;
}

function partList(parts: readonly PartView[]): Html {
  if (parts.length === 0) return html`<p>Nothing of it was seen.</p>`;
  return html`<ul class="rows parts">${parts.map(
    ({ name, title, hosts, ready, wanted }) => html`<li>
<span><b>${name}</b> <span class="soft">${title}</span></span>
<span class="${ready >= wanted ? "ok" : "warning"}">${ready} of ${wanted} ready</span>
<span>${hosts.map(hostLink)}</span>
</li>`,
  )}</ul>`;
}

/** A public host; that of many, `*.pages.example.org`, leads nowhere. */
function hostLink(host: string): Html {
  const address = hostAddress(host);
  return address === undefined ? html`${host} ` : html`<a href="${address}">${host}</a> `;
}

function verdictList({ failure, verdicts }: StateView): Html {
  if (failure !== undefined) return html`<p class="soft">Pulumi does not tell: ${failure}</p>`;
  if (!verdicts) return html`<p>The stack is not up yet.</p>`;
  if (verdicts.length === 0) return html`<p class="ok">No policy of either pack reports anything.</p>`;
  return html`<ul>${verdicts.map(
    ({ policy, resource, message }) => html`<li><code>${policy}</code> <b>${resource}</b> ${message}</li>`,
  )}</ul>`;
}

/** A row a site, with the button that asks for a sync. */
function sitesTable(sites: readonly SiteState[] | undefined, canSync: boolean): Html {
  if (!sites) return html`<p>The stack has no site webhook, or you may not list its sites.</p>`;
  if (sites.length === 0) return html`<p>There are no static sites.</p>`;
  const head = canSync ? html`<th scope="col"><span class="unseen">Sync</span></th>` : "";
  const button = (path: string) =>
    html`<td><button type="button" data-site="${path}" aria-label="Sync now: ${path}">Sync now</button></td>`;
  return html`<table>
<thead><tr><th scope="col">Site</th><th scope="col">Last sync asked for</th>${head}</tr></thead>
<tbody>${sites.map(
    ({ path, asked }) => html`<tr>
<th scope="row">${path}</th>
<td>${asked === undefined ? "never" : timeElement(new Date(asked * 1000).toISOString())}</td>
${canSync ? button(path) : ""}
</tr>`,
  )}</tbody>
</table>`;
}
