import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deliveryId, eventKind } from "@hearth-platform/site-webhook/delivery";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, startWithApi } from "./support/service.ts";

/** A delivery as the provider documents it: its headers and body, and what it must come to. */
interface Delivery {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** The form field the body is sent in; as JSON otherwise. */
  readonly form?: string;
  readonly status: number;
  /** Changes of the annotation. */
  readonly writes: number;
}

const folder = join(import.meta.dirname, "deliveries");
const providers = readdirSync(folder).map((file) => ({
  provider: file.replace(".json", ""),
  deliveries: JSON.parse(readFileSync(join(folder, file), "utf8")) as Delivery[],
}));

describe.each(providers)("deliveries of $provider", ({ provider, deliveries }) => {
  let service: Awaited<ReturnType<typeof startWithApi>>;
  beforeAll(async () => {
    service = await startWithApi();
  });
  afterAll(() => service.stop());

  test.each(deliveries)("$title: $status", async ({ title, headers, body, form, status, writes }) => {
    const name = `${provider}-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`.slice(0, 60);
    const site = service.api.addSite("pages", name);
    const json = JSON.stringify(body);
    const text = form === undefined ? json : new URLSearchParams({ [form]: json }).toString();
    const reply = await call(service.port, `/sync/pages/${name}`, { headers, body: text });
    expect(reply.status).toBe(status);
    expect(reply.body).toBe("");
    expect(site.changes).toHaveLength(writes);
  });

  test("each is found again in the log by its id", () => {
    const logged = service.lines.map((line) => JSON.parse(line).delivery).filter(Boolean);
    const ids = deliveries.map(
      ({ headers }) => Object.entries(headers).find(([name]) => deliveryHeader.test(name))?.[1],
    );
    expect(logged).toEqual(ids);
  });
});

const deliveryHeader = /^(X-GitHub-Delivery|X-Gitlab-Event-UUID|X-Request-UUID|X-Request-Id)$/;

test.each(["x-github-event", "x-gitlab-event", "x-forgejo-event", "x-gitea-event", "x-gogs-event", "x-event-key"])(
  "%s alone says what a call is about, in any case of letters",
  (header) => {
    const kinds = ["push", "PUSH", "ping", "issues"].map((event) => eventKind({ [header]: event }));
    expect(kinds).toEqual(["push", "push", "ping", "other"]);
  },
);

test.each(["x-github-delivery", "x-gitlab-event-uuid", "x-forgejo-delivery", "x-gitea-delivery", "x-gogs-delivery"])(
  "%s alone names a delivery, cut to what may stand in a log",
  (header) => {
    expect(deliveryId({ [header]: '72d3162e-cc78\n"11e3' })).toBe("72d3162e-cc7811e3");
    expect(deliveryId({ [header]: "a".repeat(100) })).toBe("a".repeat(64));
  },
);
