import type { SettingTable } from "../../support/setting-table.ts";

/** What the site webhook's settings do when they change. */
export const webhookTable: SettingTable = {
  title: "The site webhook",
  root: "siteWebhook",
  namespace: "site-webhook",
  rows: [
    {
      set: { enabled: false },
      shows: [
        "delete Certificate site-webhook-tls",
        "delete ClusterRole site-webhook.site-webhook",
        "delete ClusterRoleBinding site-webhook.site-webhook",
        "delete Deployment site-webhook",
        "delete IngressRoute site-webhook",
        "delete Middleware site-webhook-in-flight",
        "delete Middleware site-webhook-rate",
        "delete Namespace site-webhook",
        "delete PodMonitor site-webhook",
        "delete Service site-webhook",
        "delete ServiceAccount site-webhook",
        "delete ValidatingAdmissionPolicy site-webhook.site-webhook",
        "delete ValidatingAdmissionPolicyBinding site-webhook.site-webhook",
        "delete PrometheusRule site-webhook-alerts",
      ],
    },
    {
      set: { domain: "push.example.org" },
      shows: ["update Certificate site-webhook-tls", "update IngressRoute site-webhook"],
    },
    { set: { clusterIssuer: "letsencrypt-dns" }, shows: ["update Certificate site-webhook-tls"] },
    {
      set: { namespace: "hooks" },
      shows: [
        "create ClusterRole hooks.site-webhook",
        "create ClusterRoleBinding hooks.site-webhook",
        "create Namespace hooks",
        "create ValidatingAdmissionPolicy hooks.site-webhook",
        "create ValidatingAdmissionPolicyBinding hooks.site-webhook",
        "delete ClusterRole site-webhook.site-webhook",
        "delete ClusterRoleBinding site-webhook.site-webhook",
        "delete Namespace site-webhook",
        "delete ValidatingAdmissionPolicy site-webhook.site-webhook",
        "delete ValidatingAdmissionPolicyBinding site-webhook.site-webhook",
        "replace Certificate hooks/site-webhook-tls",
        "replace Deployment hooks/site-webhook",
        "replace IngressRoute hooks/site-webhook",
        "replace Middleware hooks/site-webhook-in-flight",
        "replace Middleware hooks/site-webhook-rate",
        "replace PodMonitor hooks/site-webhook",
        "replace Service hooks/site-webhook",
        "replace ServiceAccount hooks/site-webhook",
        "replace PrometheusRule hooks/site-webhook-alerts",
      ],
    },
    {
      set: { repository: "registry.example.org/other" },
      shows: ["roll Deployment platform/hub-sign-in", "roll Deployment site-webhook"],
    },
    {
      set: { baseImage: "docker.io/library/node:24-slim" },
      shows: ["roll Deployment platform/hub-sign-in", "roll Deployment site-webhook"],
    },
    {
      set: { platforms: ["linux/amd64", "linux/arm64"] },
      shows: ["roll Deployment platform/hub-sign-in", "roll Deployment site-webhook"],
    },
    {
      set: { image: "registry.example.org/hearth/site-webhook:1.0.0", repository: undefined },
      shows: ["roll Deployment platform/hub-sign-in", "roll Deployment site-webhook"],
    },
    {
      set: { "staticSites.group": "pages.example.org" },
      refused: "staticSites: changes from StaticSite.v1beta1.pages.kup6s.com to",
    },
    {
      set: { "staticSites.version": "v1" },
      refused: "staticSites: changes from StaticSite.v1beta1.pages.kup6s.com to",
    },
    {
      set: { "staticSites.kind": "Site" },
      refused: "staticSites: changes from StaticSite.v1beta1.pages.kup6s.com to",
    },
    {
      set: { "staticSites.plural": "sites" },
      shows: [
        "roll Deployment site-webhook",
        "update ClusterRole site-webhook.site-webhook",
        "update ValidatingAdmissionPolicy site-webhook.site-webhook",
      ],
    },
    {
      set: { "staticSites.annotationDomain": "sync.example.org" },
      shows: ["roll Deployment site-webhook", "update ValidatingAdmissionPolicy site-webhook.site-webhook"],
    },
    {
      set: { namespaces: ["pages"] },
      shows: [
        "create RoleBinding pages/site-webhook.site-webhook",
        "delete ClusterRoleBinding site-webhook.site-webhook",
        "roll Deployment site-webhook",
      ],
    },
    {
      from: { namespaces: ["pages"] },
      set: { namespaces: ["pages", "more"] },
      shows: ["create RoleBinding more/site-webhook.site-webhook", "roll Deployment site-webhook"],
    },
    {
      set: { "sites[0].namespace": "docs" },
      shows: ["create Namespace docs", "create StaticSite docs/handbook", "delete StaticSite pages/handbook"],
    },
    {
      set: { "sites[0].name": "manual" },
      shows: ["create StaticSite pages/manual", "delete StaticSite pages/handbook"],
    },
    { set: { "sites[0].syncInterval": "10m" }, shows: ["update StaticSite pages/handbook"] },
    {
      set: { "sites[0].spec.repo": "https://forge.example.org/team/other.git" },
      shows: ["update StaticSite pages/handbook"],
    },
    {
      set: {
        "sites[2]": {
          namespace: "docs",
          name: "docs",
          spec: { repo: "https://a.example.org/b.git", domain: "docs.example.org" },
        },
      },
      shows: ["create Namespace docs", "create StaticSite docs/docs"],
    },
    { set: { existingNamespaces: ["pages"] }, refused: "sites: changes from pages to none" },
    { set: { checkSecret: true }, shows: ["create Secret site-webhook-secret", "roll Deployment site-webhook"] },
    { set: { "limits.callsPerSecond": 30 }, shows: ["update Middleware site-webhook-rate"] },
    { set: { "limits.burst": 50 }, shows: ["update Middleware site-webhook-rate"] },
    { set: { "limits.inFlight": 128 }, shows: ["update Middleware site-webhook-in-flight"] },
    {
      set: { networkPolicies: true },
      shows: [
        "create NetworkPolicy allow-certificate-solver",
        "create NetworkPolicy allow-site-webhook",
        "create NetworkPolicy default-deny",
      ],
    },
    {
      set: { resources: { requests: { cpu: "20m", memory: "96Mi" }, limits: { cpu: "600m", memory: "192Mi" } } },
      shows: ["roll Deployment site-webhook"],
    },
  ],
};
