import { expect, test } from "vitest";
import { Prometheus } from "../../support/prometheus.ts";
import { newcomers, startBetween } from "../../webhook/sign-in/running.ts";
import { call, startWithApi } from "../../webhook/support/service.ts";

/**
 * Faults around our own two services as they run, judged by a real Prometheus with the rules of stack `prod`: each fires its
 * alert and no other. Both at once, since nearly all of it is waiting.
 */

/** Reads one service until the test ends. @param own names of its alerts: others are about what nobody runs here */
async function watching(rules: string, namespace: string, name: string, port: number, own: RegExp) {
  const prometheus = await Prometheus.start(
    [rules],
    [{ job: `${namespace}/${name}`, address: `127.0.0.1:${port}`, labels: { namespace, pod: `${name}-1` } }],
  );
  await prometheus.sees("sum(up)", "1");
  await prometheus.passOverAllBut(own);
  return prometheus;
}

test.concurrent("a webhook whose API server is away fires its alert until the server is back, and one that is gone another", async () => {
  const { port, operationsPort, api, stop } = await startWithApi();
  const rules = "site-webhook/site-webhook-alerts";
  await using prometheus = await watching(rules, "site-webhook", "site-webhook", operationsPort, /Webhook/);
  api.addSite("pages", "site");
  expect((await call(port, "/sync/pages/site")).status).toBe(202);
  await prometheus.fires();
  await api.kill();
  for (let count = 0; count < 4; count++) expect((await call(port, "/sync/pages/site")).status).toBe(500);
  await prometheus.fires("HearthSiteWebhookFails");
  await api.listen();
  expect((await call(port, "/sync/pages/site")).status).toBe(202);
  await prometheus.fires();
  await stop();
  await prometheus.fires("HearthSiteWebhookDown");
}, 400_000);

test.concurrent("a sign-in whose forge is away fires its alert until users get in again, and one that is gone another", async () => {
  const signIn = await startBetween();
  await using prometheus = await watching(
    "platform/hub-alerts",
    "platform",
    "hub-sign-in",
    signIn.operationsPort,
    /SignIn/,
  );
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
  await signIn.stop();
  await prometheus.fires("HearthHubSignInDown");
}, 400_000);
