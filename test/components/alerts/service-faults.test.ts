import { afterAll, beforeAll, expect, test } from "vitest";
import { Prometheus } from "../../support/prometheus.ts";
import { newcomers, type RunningSignIn, startBetween } from "../../webhook/sign-in/running.ts";
import { call, startWithApi } from "../../webhook/support/service.ts";

/** Faults around our own two services as they run, judged by a real Prometheus with the rules of stack `prod`: each fires its alert and no other. */

let webhook: Awaited<ReturnType<typeof startWithApi>>;
let signIn: RunningSignIn;
let prometheus: Prometheus;
/** What ends the services that still run, the webhook first. */
const ends: (() => Promise<void>)[] = [];

const targetOf = (namespace: string, name: string, port: number) => ({
  job: `${namespace}/${name}`,
  address: `127.0.0.1:${port}`,
  labels: { namespace, pod: `${name}-1` },
});

beforeAll(async () => {
  webhook = await startWithApi();
  ends.push(webhook.stop);
  signIn = await startBetween();
  ends.push(signIn.stop);
  prometheus = await Prometheus.start(
    ["site-webhook/site-webhook-alerts", "platform/hub-alerts"],
    [
      targetOf("site-webhook", "site-webhook", webhook.operationsPort),
      targetOf("platform", "hub-sign-in", signIn.operationsPort),
    ],
  );
  await prometheus.sees("sum(up)", "2");
  // The hub's other parts, certificates and Secrets, which nobody measures here.
  await prometheus.passOverAllBut(/Webhook|SignIn/);
});

afterAll(async () => {
  await prometheus?.[Symbol.asyncDispose]();
  for (const end of ends) await end();
});

test("a webhook whose API server is away fires its alert, until the server is back", async () => {
  webhook.api.addSite("pages", "site");
  expect((await call(webhook.port, "/sync/pages/site")).status).toBe(202);
  await prometheus.fires();
  await webhook.api.kill();
  for (let count = 0; count < 4; count++) expect((await call(webhook.port, "/sync/pages/site")).status).toBe(500);
  await prometheus.fires("HearthSiteWebhookFails");
  await webhook.api.listen();
  expect((await call(webhook.port, "/sync/pages/site")).status).toBe(202);
  await prometheus.fires();
}, 400_000);

test("a sign-in whose forge is away fires its alert, until users get in again", async () => {
  const [first, ...more] = newcomers(signIn, 8);
  if (!first) throw new Error("nobody");
  expect((await signIn.signInFrom(first.address, first.user, first.token)).status).toBe(200);
  await prometheus.fires();
  signIn.forge.fails = "cut";
  for (const { address, user, token } of more)
    expect((await signIn.signInFrom(address, user, token)).status).toBeGreaterThanOrEqual(500);
  await prometheus.fires("HearthHubSignInFails");
  delete signIn.forge.fails;
  await prometheus.fires();
}, 400_000);

test("either service that is gone fires its alert", async () => {
  await ends.shift()?.();
  await prometheus.fires("HearthSiteWebhookDown");
  await ends.shift()?.();
  await prometheus.fires("HearthHubSignInDown", "HearthSiteWebhookDown");
}, 400_000);
