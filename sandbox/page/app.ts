import { Hono, type MiddlewareHandler } from "hono";
import { streamSSE } from "hono/streaming";
import { type PageContent, pageDocument, sitesTable, verdictList } from "./document.ts";
import { pageScript } from "./script.ts";

/** Data of the page. */
export interface PageSource {
  readonly content: () => Promise<PageContent>;
  /** Calls back after every change. @returns what ends that */
  readonly onChange: (changed: () => void) => () => void;
  /** Asks the webhook to sync a site. @returns the webhook's status; undefined where there is no webhook */
  readonly sync: (namespace: string, name: string) => Promise<number | undefined>;
}

/**
 * The page of the sandbox. It shows, and can ask for one thing: a sync.
 * @param hosts how the browser may call this server, e.g. `127.0.0.1:24001`: another name is another page's, which has led the browser here
 */
export function pageApp(source: PageSource, hosts: readonly string[]): Hono {
  const app = new Hono();
  app.use(knownHost(hosts), securityHeaders);
  app.get("/healthz", (context) => context.text("ok"));
  app.get("/", async (context) => context.html(pageDocument(await source.content())));
  app.get("/page.js", (context) => context.body(pageScript, 200, { "content-type": "text/javascript; charset=utf-8" }));
  app.get("/picture.svg", async (context) =>
    context.body((await source.content()).picture, 200, { "content-type": "image/svg+xml" }),
  );
  app.get("/events", (context) =>
    streamSSE(context, async (stream) => {
      let wake: () => void = () => {};
      let changed = true;
      const end = source.onChange(() => {
        changed = true;
        wake();
      });
      stream.onAbort(() => {
        end();
        wake();
      });
      while (!stream.aborted && !stream.closed) {
        if (changed) {
          changed = false;
          const content = await source.content();
          await stream.writeSSE({ event: "picture", data: content.picture });
          await stream.writeSSE({ event: "sites", data: String(sitesTable(content.sites)) });
          await stream.writeSSE({ event: "verdicts", data: String(verdictList(content.verdicts)) });
        } else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    }),
  );
  app.post("/sync/:namespace/:name", ownOrigin(hosts), async (context) => {
    const { namespace, name } = context.req.param();
    const status = await source.sync(namespace, name);
    if (status === undefined)
      return context.text("The webhook does not run: start it with ./hearth sandbox start.", 503);
    return context.text(`The webhook answered ${status}.`, status === 202 ? 200 : 502);
  });
  return app;
}

/** A page elsewhere can have its own name resolve to this machine; it can't have the browser send ours. */
function knownHost(hosts: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    if (!hosts.includes(context.req.header("host") ?? "")) return context.text("This host is not served.", 421);
    return next();
  };
}

/** Browsers send the origin with every POST; no other page can send ours. */
function ownOrigin(hosts: readonly string[]): MiddlewareHandler {
  const origins = hosts.map((host) => `http://${host}`);
  return async (context, next) => {
    if (!origins.includes(context.req.header("origin") ?? ""))
      return context.text("Only the page itself may call this.", 403);
    return next();
  };
}

const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  context.header(
    "content-security-policy",
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  context.header("x-content-type-options", "nosniff");
  context.header("referrer-policy", "no-referrer");
  context.header("cache-control", "no-store");
};
