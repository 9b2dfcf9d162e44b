import { Metrics } from "@hearth-platform/site-webhook/metrics";
import { RecentValues } from "@hearth-platform/site-webhook/recent-values";
import { readSettings } from "@hearth-platform/site-webhook/settings";
import { expect, test } from "vitest";

test("what is remembered ends with its lifetime, and when newer values fill the place the oldest goes first", () => {
  const values = new RecentValues<string>(2);
  values.set("a", "1", 0, 100);
  expect([values.get("a", 99), values.get("a", 100), values.get("a", 50)]).toEqual(["1", undefined, undefined]);
  for (const [number, key] of ["a", "b", "a", "c"].entries()) values.set(key, String(number), 0, 100);
  expect(["a", "b", "c"].map((key) => values.get(key, 1))).toEqual(["2", undefined, "3"]);
});

test("a duration at a bucket's bound is counted in this bucket, and one beyond all bounds in the last", () => {
  const metrics = new Metrics();
  const durations = metrics.histogram("seconds", "Time.");
  for (const seconds of [0.005, 0.006, 5, 6]) durations.observe(seconds);
  const counts = [...metrics.text().matchAll(/^seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)].map(
    ([, le, n]) => `${le}: ${n}`,
  );
  expect(counts).toEqual([
    ...["0.005: 1", "0.01: 2", "0.025: 2", "0.05: 2", "0.1: 2", "0.25: 2", "0.5: 2", "1: 2", "2.5: 2", "5: 3"],
    "+Inf: 4",
  ]);
});

test.each([
  ["WEBHOOK_PORT", "65535", "65536"],
  ["API_WRITES_BURST", "10000", "10001"],
  ["DRAIN_SECONDS", "300", "301"],
])("%s may be %s and not %s", (name, most, more) => {
  const cluster = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
  expect(() => readSettings({ ...cluster, [name]: most })).not.toThrow();
  expect(() => readSettings({ ...cluster, [name]: more })).toThrow(
    `${name} is "${more}"; it must be a whole number from`,
  );
});
