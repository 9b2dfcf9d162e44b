import { html, raw } from "hono/html";
import { verdictOf } from "../report.ts";
import { findingList, hostLinks, readyCount } from "./elements.ts";
import { type Html, layout, section, timeElement } from "./layout.ts";
import type { SiteState } from "./standing.ts";
import { type PartView, partAddress, type StackView, type StateView, stackAddress } from "./view.ts";

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
<section aria-label="The platform" id="picture" data-live>${picture && html`<div class="wide">${raw(picture.wide)}</div><div class="narrow">${raw(picture.narrow)}</div>`}</section>
${section("findings", "How it stands", report ? findingList(report.checks) : html`<p>The cluster was not looked at.</p>`)}
${section("parts", "Its parts", partList(stack, parts))}
${section("update", "Last update", updateText(state))}
${section("policies", "Policies", verdictList(state))}
${section("sites", "Static sites", sitesTable(sites, canSync))}
<p id="answer" role="status"></p>`;
  return layout(`stack ${stack}`, head, main);
}

/** A page that says one thing, e.g. that there is no such stack. */
export function messageDocument(title: string, message: string): Html {
  return layout(title, html`<h1>${title}</h1>`, html`<p>${message}</p><p><a href="/">The page</a></p>`);
}

function partList(stack: string, parts: readonly PartView[]): Html {
  if (parts.length === 0) return html`<p>Nothing of it was seen.</p>`;
  return html`<ul class="rows parts">${parts.map(
    ({ name, title, hosts, ready, wanted }) => html`<li>
<span><a href="${partAddress(stack, name)}">${name}</a> <span class="soft">${title}</span></span>
${readyCount(ready, wanted)}
<span>${hostLinks(hosts)}</span>
</li>`,
  )}</ul>`;
}

function updateText({ failure, update }: StateView): Html {
  if (failure !== undefined) return html`<p class="soft">Pulumi does not tell: ${failure}</p>`;
  if (!update) return html`<p>There was none.</p>`;
  const { kind, result, started, ended, message, commit, changes, created, updated } = update;
  const counts = Object.entries(changes).map(([what, number]) => `${number} ${what}`);
  return html`<p><b class="${result === "failed" ? "problem" : "ok"}">${kind} ${result}</b> ${timeElement(started)}${ended && html` to ${timeElement(ended)}`}${message && html`: ${message}`}${commit && html` <code>${commit.slice(0, 12)}</code>`}</p>
<p>${counts.length === 0 ? "It changed nothing." : `${counts.join(", ")}.`}</p>
${nameList("Made", created)}${nameList("Changed", updated)}`;
}

/** At most so many resources of an update are named. */
const mostNames = 40;

function nameList(what: string, names: readonly string[]): Html {
  if (names.length === 0) return html``;
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
  return html`<p>${what}: ${names.slice(0, mostNames).join(", ")}${more}.</p>`;
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
