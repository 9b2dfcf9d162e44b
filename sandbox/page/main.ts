/**
 * The sandbox's page: one process, read-only but for the button that asks the site webhook for a sync.
 *
 * It takes no arguments; the environment says where everything is. KUBECONFIG: the sandbox's. PULUMI_STACK,
 * PULUMI_BACKEND_URL: the stack and the folder of its state. HEARTH_SANDBOX: which sandbox it is of. PAGE_PORT: where it
 * listens, on 127.0.0.1. SIGTERM and SIGINT end it.
 */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stackFacts } from "@hearth-platform/policy/core/stack-facts";
import { stackGraph } from "@hearth-platform/stack/delivery/graph/graph";
import { graphSvg } from "@hearth-platform/stack/delivery/graph/svg";
import { settingsPrefix, sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack, type Stack } from "@hearth-platform/stack/stack-settings";
import { serve } from "@hono/node-server";
import { request } from "undici";
import { isRunning } from "../detached-process.ts";
import { KubeClient } from "../kubernetes/client.ts";
import { Informer } from "../kubernetes/informer.ts";
import { checkout, sandboxPaths } from "../paths.ts";
import { readRecord } from "../record.ts";
import { pageApp } from "./app.ts";
import { sitesOf, standing, watchedKinds } from "./standing.ts";
import { type Verdict, verdicts } from "./verdict.ts";

const { KUBECONFIG: kubeconfig = "", PULUMI_STACK: stackName = "", PULUMI_BACKEND_URL: backend = "" } = process.env;
const port = Number(process.env.PAGE_PORT);
const stop = new AbortController();
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());

const client = KubeClient.fromKubeconfig(kubeconfig);
const informers = new Map(watchedKinds.map((kind) => [kind.kind, new Informer(client, kind)]));
const sites = new Informer(client, { apiVersion: "pages.kup6s.com/v1beta1", kind: "StaticSite" });

const listeners = new Set<() => void>();
let telling = false;
/** Many objects change at once: the page is told twice a second at most. */
function tell(): void {
  if (telling) return;
  telling = true;
  setTimeout(() => {
    telling = false;
    for (const listener of listeners) listener();
  }, 500);
}

for (const informer of [...informers.values(), sites]) {
  informer.onChange(tell);
  informer.run(stop.signal).catch((error) => console.error(error));
}

const app = pageApp(
  {
    content: async () => {
      const stack = currentStack();
      const state = standing((kind, path) => informers.get(kind)?.find(path));
      return {
        stack: stackName,
        picture: stack ? graphSvg(stackGraph(stack), `Stack ${stackName}`, state) : "",
        sites: sitesOf(sites.list()),
        verdicts: stack && (await currentVerdicts(stack)),
      };
    },
    onChange: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    sync: async (namespace, name) => {
      const record = await readRecord(sandboxPaths());
      if (!isRunning(record?.processes["site-webhook"])) return undefined;
      const path = [namespace, name].map(encodeURIComponent).join("/");
      const url = `http://127.0.0.1:${record?.ports["site-webhook"]}/sync/${path}`;
      const { statusCode, body } = await request(url, { method: "POST" });
      await body.dump();
      return statusCode;
    },
  },
  [`127.0.0.1:${port}`, `localhost:${port}`],
);
const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port });
stop.signal.addEventListener("abort", () => {
  server.close();
  process.exit(0);
});

/** The stack as its files are now; undefined while they have problems. */
function currentStack(): Stack | undefined {
  const { source } = sourceFromFile(checkout, stackName);
  return source && checkStack(checkout, source).stack;
}

let judged: { readonly version: number; readonly verdicts: Verdict[] } | undefined;

/** The policies' verdicts on the state that the last update left; each state is judged once. */
async function currentVerdicts({ settings }: Stack): Promise<Verdict[] | undefined> {
  const file = join(fileURLToPath(backend), ".pulumi", "stacks", "hearth", `${stackName}.json`);
  const version = (await stat(file).catch(() => undefined))?.mtimeMs;
  if (version === undefined) return undefined;
  if (judged?.version !== version) {
    const entries = Object.entries(settings).map(([key, value]) => [
      `${settingsPrefix}${key}`,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const facts = stackFacts({ PULUMI_CONFIG: JSON.stringify(Object.fromEntries(entries)) });
    judged = { version, verdicts: verdicts(JSON.parse(await readFile(file, "utf8")), facts) };
  }
  return judged.verdicts;
}
