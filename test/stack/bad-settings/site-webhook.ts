import type { BadValues } from "./row.ts";

/** Bad values of the site webhook. */
export const siteWebhookValues: BadValues = {
  siteWebhook: [
    [true, "type"],
    [{}, "missing", "siteWebhook.enabled"],
  ],
  "siteWebhook.enabled": [
    ["yes", "type"],
    [1, "type"],
  ],
  "siteWebhook.namespace": [
    ["Sites", "dns-label"],
    ["kube-sites", "namespace-reserved"],
    ["pages", "shared", "siteWebhook.sites[0].namespace"],
  ],
  "siteWebhook.domain": [
    ["https://sync.example.org", "host-name"],
    ["sync", "host-name"],
    ["sync.example.org:443", "host-name"],
  ],
  "siteWebhook.clusterIssuer": [
    ["Bad_Issuer", "object-name"],
    ["", "value"],
  ],
  "siteWebhook.repository": [
    ["site-webhook", "image"],
    ["https://registry.example.org/x", "image"],
    ["registry.example.org/x:1.0", "image"],
    ["registry.example.org/x@sha256:abc", "image"],
    ["Registry.example.org/x", "image"],
    ["u:hunter2@registry.example.org/x", "secret"],
  ],
  "siteWebhook.baseImage": [
    ["node", "image"],
    ["node:latest", "image"],
    ["a b", "image"],
    ["https://x/node:24", "image"],
    ["u:hunter2@docker.io/library/node:24", "secret"],
  ],
  "siteWebhook.platforms": [
    [["linux"], "platform", "siteWebhook.platforms[0]"],
    [["windows/amd64"], "platform", "siteWebhook.platforms[0]"],
    [["linux/amd64", "linux/amd64"], "platform", "siteWebhook.platforms[1]"],
    ["linux/amd64", "type"],
    [[], "platform"],
  ],
  "siteWebhook.image": [
    ["registry.example.org/x:latest", "image"],
    ["registry.example.org/x:1.0.0", "image"],
  ],
  "siteWebhook.staticSites.group": [
    ["Pages", "resource-name"],
    ["pages kup6s", "resource-name"],
  ],
  "siteWebhook.staticSites.kind": [["staticSite", "resource-name"]],
  "siteWebhook.staticSites.plural": [["Static-Sites", "resource-name"]],
  "siteWebhook.staticSites.version": [["1", "resource-name"]],
  "siteWebhook.staticSites.annotationDomain": [["https://x", "resource-name"]],
  "siteWebhook.namespaces": [
    [[], "namespaces-empty"],
    [["other"], "site-out-of-reach", "siteWebhook.sites[0].namespace"],
    [["pages", "pages"], "shared", "siteWebhook.namespaces[1]"],
    [["Pages"], "site-out-of-reach", "siteWebhook.sites[0].namespace"],
  ],
  "siteWebhook.existingNamespaces": [
    [["other"], "unused", "siteWebhook.existingNamespaces[0]"],
    [["Pages"], "unused", "siteWebhook.existingNamespaces[0]"],
  ],
  "siteWebhook.checkSecret": [["hunter2", "secret"]],
  "siteWebhook.limits.callsPerSecond": [
    [0, "limit"],
    [-1, "value"],
    ["20", "type"],
    [1.5, "type"],
  ],
  "siteWebhook.limits.burst": [[0, "limit"]],
  "siteWebhook.limits.inFlight": [[-5, "value"]],
  "siteWebhook.limits.perMinute": [[5, "unknown-key"]],
  "siteWebhook.resources": [
    [
      { requests: { cpu: "1", memory: "64Mi" }, limits: { cpu: "500m", memory: "128Mi" } },
      "cpu",
      "siteWebhook.resources.requests.cpu",
    ],
  ],
  "siteWebhook.sites": [
    [[{}], "missing", "siteWebhook.sites[0].namespace"],
    [[{ namespace: "pages" }], "missing", "siteWebhook.sites[0].name"],
    [[{ namespace: "Pages", name: "a" }], "dns-label", "siteWebhook.sites[0].namespace"],
    [[{ namespace: "kube-public", name: "a" }], "namespace-reserved", "siteWebhook.sites[0].namespace"],
    [[{ namespace: "pages", name: "A_b" }], "site-name", "siteWebhook.sites[0].name"],
    [
      [
        { namespace: "pages", name: "a" },
        { namespace: "pages", name: "a" },
      ],
      "shared",
      "siteWebhook.sites[1]",
    ],
    [[{ namespace: "pages", name: "a", syncInterval: "0s" }], "sync-interval", "siteWebhook.sites[0].syncInterval"],
    [[{ namespace: "pages", name: "a", syncInterval: "5 min" }], "sync-interval", "siteWebhook.sites[0].syncInterval"],
    [[{ namespace: "pages", name: "a", syncInterval: "5" }], "sync-interval", "siteWebhook.sites[0].syncInterval"],
    [[{ namespace: "pages", name: "a", spec: "x" }], "type", "siteWebhook.sites[0].spec"],
    [[{ namespace: "pages", name: "a", spec: { syncInterval: "5m" } }], "site-spec", "siteWebhook.sites[0].spec"],
    [
      [{ namespace: "pages", name: "a", spec: { repo: "https://tok:hunter2@forge.example.org/x.git" } }],
      "secret",
      "siteWebhook.sites[0].spec.repo",
    ],
  ],
  "siteWebhook.secret": [["hunter2", "secret"]],
  "siteWebhook.hook": [[1, "unknown-key"]],
};
