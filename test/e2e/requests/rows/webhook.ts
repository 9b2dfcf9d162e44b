import { webhookRequests } from "@hearth-platform/cli/smoke/requests";
import { host, type Row } from "../row.ts";
import { backends } from "../stacks.ts";

const sync = host("sync.example.org");
const { webhook } = backends;

/** Calls of one source each, so that its rate is never met. */
let calls = 0;
const caller = () => ({ method: "POST", from: `127.0.2.${++calls}` });

/** The webhook: POST below /sync/, by HTTPS alone. */
export const webhookRows: readonly Row[] = [
  ...sync.asked(webhookRequests, backends, { from: caller().from }),
  sync.row("/sync/pages/handbook", caller(), { backend: webhook }),
  sync.row("/sync/pages/handbook?secret=x", caller(), { backend: webhook }, "with a query"),
  sync.row("/sync/pages/handbook/", caller(), { backend: webhook }),
  sync.row("/sync/", caller(), { backend: webhook }),
  sync.row("/sync/pages/hand%20book", caller(), { backend: webhook }),
  sync.row("//sync/pages/handbook", caller(), { backend: webhook, path: "/sync/pages/handbook" }),
  sync.row("/sync/pages/handbook", { ...caller(), body: 20_000 }, { backend: webhook }, "with a body"),
  sync.row(
    "/sync/pages/handbook",
    { ...caller(), body: 27_000_000 },
    { backend: webhook },
    "with a body of 27 MB, which the service refuses",
  ),
  sync.row("/sync/pages/handbook", { ...caller(), body: 20_000, chunked: true }, { backend: webhook }, "in chunks"),
  sync.row("/sync/pages/handbook", { ...caller(), http: "2" }, { backend: webhook }),
  sync.row(
    "/sync/pages/handbook",
    { ...caller(), headers: { "x-github-event": "push", "x-hub-signature-256": "sha256=0" } },
    { backend: webhook, sees: { "x-github-event": "push", "x-hub-signature-256": "sha256=0" } },
    "with a provider's headers",
  ),
  ...["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"].map((method) => sync.row("/sync/pages/handbook", { method }, {})),
  ...[
    "/",
    "/syncs/pages/handbook",
    "/healthz",
    "/metrics",
    "/x/sync/a/b",
    "/sync/../metrics",
    "/sync%2Fpages%2Fhandbook",
  ].map((path) => sync.row(path, caller(), {})),
  sync.row("/sync", caller(), {}, undefined, {
    gateway: {
      why: "A prefix takes the path without its slash, too; the service answers 404.",
      fate: { backend: webhook },
    },
  }),
  sync.row("/sync/pages/handbook", { webSocket: true }, {}),
];
