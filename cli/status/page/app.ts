import { Hono, type MiddlewareHandler } from "hono";
import { messageDocument, stackDocument } from "./document.ts";
import { contentPolicy } from "./layout.ts";
import { type PartPage, partDocument } from "./part-document.ts";
import { pageScript } from "./script.ts";
import { type StackView, stackAddress } from "./view.ts";

/** Data of the page. */
export interface PageSource {
  /** The stack that comes first. */
  readonly stack: string;
  /** A stack as it is now; undefined where there is no such stack. */
  readonly view: (stack: string) => Promise<StackView | undefined>;
  /** A component with its pods; undefined where there is no such stack or component. */
  readonly part: (stack: string, part: string) => Promise<PartPage | undefined>;
  /**
   * Asks the webhook to sync a site: the webhook's status, or undefined where there is no webhook.
   * @default the page can ask for nothing
   */
  readonly sync?: (namespace: string, name: string) => Promise<number | undefined>;
}

/**
 * The page of a platform. It shows; on the sandbox it can ask for one thing, a sync.
 * @param hosts how the browser may call this server, e.g. `127.0.0.1:24001`: another name is another page's, which has led the browser here
 */
export function pageApp(source: PageSource, hosts: readonly string[]): Hono {
  const { stack: first, sync } = source;
  const app = new Hono();
  app.use(knownHost(hosts), securityHeaders);
  if (sync)
    app.post("/sync/:namespace/:name", ownOrigin(hosts), async (context) => {
      const { namespace, name } = context.req.param();
      const status = await sync(namespace, name);
      if (status === undefined)
        return context.text("The webhook does not run: start it with ./hearth sandbox start.", 503);
      return context.text(`The webhook answered ${status}.`, status === 202 ? 200 : 502);
    });
  app.use(readOnly);
  app.get("/healthz", (context) => context.text("ok"));
  app.get("/", (context) => context.redirect(stackAddress(first)));
  app.get("/page.js", (context) => context.body(pageScript, 200, { "content-type": "text/javascript; charset=utf-8" }));
  app.get("/stacks/:stack", async (context, next) => {
    const view = await source.view(context.req.param("stack"));
    return view ? context.html(stackDocument(view, sync !== undefined)) : next();
  });
  app.get("/stacks/:stack/parts/:part", async (context, next) => {
    const { stack, part } = context.req.param();
    const page = await source.part(stack, part);
    return page ? context.html(partDocument(page)) : next();
  });
  app.notFound((context) => context.html(messageDocument("Not found", "The page has nothing of this name."), 404));
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
  return async (context, next) => {
    if (!hosts.some((host) => context.req.header("origin") === `http://${host}`))
      return context.text("Only the page itself may call this.", 403);
    return next();
  };
}

const readOnly: MiddlewareHandler = async (context, next) => {
  if (context.req.method === "GET") return next();
  return context.text("This page is read-only.", 405, { allow: "GET" });
};

const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  context.header("content-security-policy", contentPolicy);
  context.header("x-content-type-options", "nosniff");
  context.header("referrer-policy", "no-referrer");
  context.header("cross-origin-resource-policy", "same-origin");
  context.header("cache-control", "no-store");
};
