import { type PrometheusObject, prometheusFindings } from "@hearth-platform/cli/doctor/prometheus";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { describe, expect, it } from "vitest";

const object = (kind: string, namespace: string, name: string, labels = {}): KubernetesObject => ({
  apiVersion: "monitoring.coreos.com/v1",
  kind,
  metadata: { namespace, name, labels },
});
const namespace = (name: string, labels = {}): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, labels },
});
const stack = (labels = {}) => [
  namespace("team", { "example.org/watch": "yes" }),
  object("PodMonitor", "team", "cloudsuite-db", labels),
  object("PodMonitor", "team", "keystore-exporter", labels),
  object("PrometheusRule", "team", "keystore", labels),
];
const prometheus = (spec: PrometheusObject["spec"]): PrometheusObject => ({
  apiVersion: "monitoring.coreos.com/v1",
  kind: "Prometheus",
  metadata: { namespace: "monitoring", name: "main" },
  spec,
});
/** As kube-prometheus-stack makes it without values. */
const ofChart = {
  podMonitorSelector: { matchLabels: { release: "kps" } },
  podMonitorNamespaceSelector: {},
  ruleSelector: { matchLabels: { release: "kps" } },
  ruleNamespaceSelector: {},
};
const all = { podMonitorSelector: {}, podMonitorNamespaceSelector: {}, ruleSelector: {}, ruleNamespaceSelector: {} };
const lines = (...found: Parameters<typeof prometheusFindings>) =>
  prometheusFindings(...found).map(({ status, subject, message, remedy }) =>
    `${status} ${subject}: ${message} ${remedy}`.trim(),
  );

describe("the Prometheus of a cluster", () => {
  it("that takes everything is fine", () => {
    expect(lines(stack(), [prometheus(all)], [])).toEqual([
      "ok PodMonitors: monitoring/main takes all 2.",
      "ok PrometheusRules: monitoring/main takes all 1.",
    ]);
  });

  it("of kube-prometheus-stack takes only what has its label, which the remedy says", () => {
    expect(lines(stack(), [prometheus(ofChart)], [])).toEqual([
      'warning PodMonitors: monitoring/main does not take 2 of 2: team/cloudsuite-db, team/keystore-exporter. Write hearth:monitoringLabels: {"release":"kps"}, or set podMonitorSelectorNilUsesHelmValues: false in kube-prometheus-stack.',
      'warning PrometheusRules: monitoring/main does not take 1 of 1: team/keystore. Write hearth:monitoringLabels: {"release":"kps"}, or set ruleSelectorNilUsesHelmValues: false in kube-prometheus-stack.',
    ]);
    expect(lines(stack({ release: "kps" }), [prometheus(ofChart)], []).map((line) => line.split(":")[0])).toEqual([
      "ok PodMonitors",
      "ok PrometheusRules",
    ]);
  });

  it.each([
    [3, "team/a1, team/a2, team/a3. "],
    [4, "team/a1, team/a2, team/a3 and 1 more. "],
  ])("of %i that it does not take, names three", (count, named) => {
    const monitors = Array.from({ length: count }, (_, index) => object("PodMonitor", "team", `a${index + 1}`));
    const found = lines([namespace("team"), ...monitors], [prometheus(ofChart)], []);
    expect(found[0]).toContain(`does not take ${count} of ${count}: ${named}`);
  });

  it("without selectors takes nothing, and without one for namespaces looks into its own alone", () => {
    expect(lines(stack(), [prometheus({ podMonitorSelector: {} })], [])).toEqual([
      "warning PodMonitors: monitoring/main does not take 2 of 2: team/cloudsuite-db, team/keystore-exporter. Set spec.podMonitorNamespaceSelector: {} of Prometheus monitoring/main: it does not look into namespace team.",
      "warning PrometheusRules: monitoring/main does not take 1 of 1: team/keystore. Set spec.ruleSelector: {} of Prometheus monitoring/main, or labels that it selects in hearth:monitoringLabels. Set spec.ruleNamespaceSelector: {} of Prometheus monitoring/main: it does not look into namespace team.",
    ]);
  });

  it.each([
    ["In", { key: "example.org/watch", operator: "In", values: ["yes"] }, "ok"],
    ["In, of another value", { key: "example.org/watch", operator: "In", values: ["no"] }, "warning"],
    ["NotIn", { key: "example.org/watch", operator: "NotIn", values: ["yes"] }, "warning"],
    ["NotIn, without the label", { key: "other", operator: "NotIn", values: ["yes"] }, "ok"],
    ["Exists", { key: "example.org/watch", operator: "Exists" }, "ok"],
    ["DoesNotExist", { key: "example.org/watch", operator: "DoesNotExist" }, "warning"],
    ["the name that every namespace has as a label", { key: "kubernetes.io/metadata.name", operator: "Exists" }, "ok"],
  ])("selects namespaces by expressions: %s", (_, expression, status) => {
    const one = prometheus({ ...all, podMonitorNamespaceSelector: { matchExpressions: [expression] } });
    expect(prometheusFindings(stack(), [one], [])[0]?.status).toBe(status);
  });

  it("may be one of several: each object needs one that takes it", () => {
    const rules = prometheus({ ruleSelector: {}, ruleNamespaceSelector: {} });
    const monitors = prometheus({ podMonitorSelector: {}, podMonitorNamespaceSelector: {} });
    expect(prometheusFindings(stack(), [rules, monitors], []).map(({ status }) => status)).toEqual(["ok", "ok"]);
  });

  it("looks into a namespace by the labels that it has in the cluster, too", () => {
    const own = stack().slice(1);
    const one = prometheus({ ...all, podMonitorNamespaceSelector: { matchLabels: { watched: "yes" } } });
    const there = [{ metadata: { name: "team", labels: { watched: "yes" } } }];
    expect(prometheusFindings(own, [one], there)[0]?.status).toBe("ok");
    expect(prometheusFindings(own, [one], [])[0]?.status).toBe("warning");
  });

  it("that is not there, or may not be seen, is unknown", () => {
    expect(prometheusFindings(stack(), [], []).map(({ status }) => status)).toEqual(["unknown"]);
    expect(prometheusFindings(stack(), "unseen", []).map(({ status }) => status)).toEqual(["unknown"]);
  });

  it("is no affair of a stack without monitoring", () => {
    expect(prometheusFindings([namespace("team")], [], [])).toEqual([]);
  });
});
