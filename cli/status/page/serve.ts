import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { serve } from "@hono/node-server";
import type { Caller } from "../../command.ts";
import { environmentOf } from "../../environment.ts";
import { runPulumi } from "../../pulumi.ts";
import { type PageSource, pageApp } from "./app.ts";
import { type PageSubject, pageSource } from "./source.ts";

/** Which page, and where. */
export interface PageRequest extends Omit<PageSubject, "project" | "today"> {
  /** On the running sandbox, whose webhook the page can ask for syncs. */
  readonly sandbox: boolean;
  /** On 127.0.0.1; 0: any that is free. */
  readonly port: number;
}

/** Longest time that Pulumi is waited for, in milliseconds. */
const patience = 20_000;

/**
 * Serves the page of live stacks until it is told to stop, and gives the exit status.
 * @param stopped Ctrl-C or a polite kill by default
 * @throws Error where the port is taken, or the sandbox does not run
 */
export async function servePage(
  { sandbox, port, ...subject }: PageRequest,
  { project, today, output }: Caller,
  stopped: Promise<unknown> = signalled(),
): Promise<number> {
  const environment = await environmentOf(sandbox);
  const source = pageSource(
    { ...subject, project, today },
    {
      environment,
      open: (choice) => LiveCluster.open(choice, environment),
      pulumi: async (args) => {
        const options = { sandbox: false, project, env: environment, timeout: patience };
        const { stdout, stderr, succeeded } = await runPulumi([...args, "--non-interactive"], options);
        if (!succeeded) throw new Error(stderr.trim() || "It does not answer.");
        return stdout;
      },
    },
  );
  const hosts: string[] = [];
  const { fetch } = pageApp({ ...source, ...(sandbox && { sync: syncSite }) }, hosts);
  const server = serve({ fetch, hostname: "127.0.0.1", port });
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(`The page can't be served at port ${port} of 127.0.0.1: ${(error as Error).message}.`);
  }
  const { port: own } = server.address() as AddressInfo;
  hosts.push(`127.0.0.1:${own}`, `localhost:${own}`);
  output(`The page of stack ${subject.stack}: http://127.0.0.1:${own}/ (until Ctrl-C)\n`);
  await stopped;
  source.close();
  server.close();
  if ("closeAllConnections" in server) server.closeAllConnections();
  return 0;
}

function signalled(): Promise<unknown> {
  return Promise.race((["SIGINT", "SIGTERM"] as const).map((signal) => once(process, signal)));
}

/** Asks the webhook of the sandbox, which no route leads to. */
const syncSite: PageSource["sync"] = async (namespace, name) => {
  const [{ readRecord }, { sandboxPaths }, { isRunning }] = await Promise.all([
    import("@hearth-platform/sandbox/record"),
    import("@hearth-platform/sandbox/paths"),
    import("@hearth-platform/sandbox/detached-process"),
  ]);
  const record = await readRecord(sandboxPaths());
  if (!isRunning(record?.processes["site-webhook"])) return undefined;
  const path = [namespace, name].map(encodeURIComponent).join("/");
  const answer = await fetch(`http://127.0.0.1:${record?.ports["site-webhook"]}/sync/${path}`, { method: "POST" });
  await answer.body?.cancel();
  return answer.status;
};
