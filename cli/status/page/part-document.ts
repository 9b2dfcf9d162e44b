import { counted } from "@hearth-platform/stack/settings/report";
import { html } from "hono/html";
import { findingList, hostLinks, readyCount } from "./elements.ts";
import { type Html, layout, section, timeElement } from "./layout.ts";
import type { EventView, LogView, PartDetail, PodView } from "./part.ts";
import { stackAddress } from "./view.ts";

/** All that the page of a component shows. */
export interface PartPage {
  readonly stack: string;
  readonly name: string;
  /** Why nothing is shown. */
  readonly failure?: string;
  readonly detail?: PartDetail;
  readonly logs: readonly LogView[];
}

/** The page of a component: its pods, what happened to them, and what they last said. */
export function partDocument({ stack, name, failure, detail, logs }: PartPage): Html {
  const head = html`<nav aria-label="Stack"><a href="${stackAddress(stack)}">Stack ${stack}</a></nav>
<h1>${name}</h1>
<p id="verdict" data-live>${detail && html`${detail.title}: ${detail.ready} of ${detail.wanted} ready. ${hostLinks(detail.hosts)}`}</p>`;
  const main = html`<div id="failure" data-live>${failure && html`<p class="failure">${failure}</p>`}</div>
${section("findings", "How it stands", findingList(detail?.findings ?? []))}
${section("workloads", "Workloads", workloadList(detail))}
${section("pods", "Pods", podList(detail?.pods ?? []))}
${section("events", "Events", eventList(detail?.events ?? []))}
${section("logs", "Last log lines", logList(logs, detail?.more ?? 0))}`;
  return layout(`${name} of stack ${stack}`, head, main);
}

function workloadList(detail: PartDetail | undefined): Html {
  return html`<ul class="rows parts">${detail?.workloads.map(
    ({ kind, namespace, name, state, ready, wanted, image, phase }) => html`<li>
<span><b>${name}</b> <span class="soft">${kind} in ${namespace}</span></span>
${state === "present" ? readyCount(ready, wanted) : html`<span class="warning">${state}</span>`}
<span>${image} ${phase}</span>
</li>`,
  )}</ul>`;
}

function podList(pods: readonly PodView[]): Html {
  if (pods.length === 0) return html`<p>None was seen.</p>`;
  return html`<ul class="rows parts">${pods.map(
    ({ name, status, ready, wanted, restarts, node, made }) => html`<li>
<b>${name}</b>
${status === "Succeeded" ? html`<span class="ok">ended well</span>` : readyCount(ready, wanted)}
<span>${status}, ${counted(restarts, "restart")}${node && html`, on ${node}`}${made && html`, since ${timeElement(made)}`}</span>
</li>`,
  )}</ul>`;
}

function eventList(events: readonly EventView[]): Html {
  if (events.length === 0) return html`<p>The API server has none, which it keeps for an hour.</p>`;
  return html`<ul class="rows parts">${events.map(
    ({ at, warns, reason, about, message }) => html`<li>
<span>${timeElement(at)}</span>
<span class="${warns ? "warning" : "soft"}">${reason}</span>
<span><span class="soft">${about}:</span> ${message}</span>
</li>`,
  )}</ul>`;
}

function logList(logs: readonly LogView[], more: number): Html {
  const left = more === 0 ? "" : html`<p>${more} more containers: kubectl logs shows them.</p>`;
  if (logs.length === 0) return html`<p>No container has begun.</p>`;
  return html`${logs.map(
    ({ pod, container, lines, failure }) => html`<h3>${pod} <span class="soft">${container}</span></h3>
${failure === undefined ? html`<pre>${lines.join("\n") || "It has written nothing."}</pre>` : html`<p class="soft">${failure}</p>`}`,
  )}${left}`;
}
