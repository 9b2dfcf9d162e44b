/**
 * What the charts say of their values, by the path of each: `schema` where their values.schema.json has it with that type, `values` where
 * only their values.yaml has it. Read at the tags that the table of charts names as its sources. Entry points are keys of `ports`,
 * which the schema of Traefik's chart leaves open; each has the fields of `websecure`.
 */
export const chartValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "cert-manager v1.21.2": { "crds.enabled": "schema boolean" },
  "cloudnative-pg 0.29.0": {},
  "plugin-barman-cloud 0.7.0": { "image.tag": "schema string", "sidecarImage.tag": "schema string" },
  "traefik 37.1.2": {
    "providers.kubernetesCRD.allowEmptyServices": "schema boolean",
    "providers.kubernetesGateway.enabled": "schema boolean",
    "providers.kubernetesGateway.experimentalChannel": "schema boolean",
    "gateway.enabled": "schema boolean",
    "ports.*": "values null",
    "ports.*.port": "schema number",
    "ports.*.exposedPort": "schema number",
    "ports.*.expose.default": "schema boolean",
    "ports.*.protocol": "schema string",
    "ports.*.tls.enabled": "schema boolean",
    "ports.*.transport.respondingTimeouts.readTimeout": "schema number",
    "ports.*.forwardedHeaders.trustedIPs": "schema array",
    "podSecurityContext.sysctls": "values array",
  },
  "kube-prometheus-stack 77.14.0": {
    "prometheus.prometheusSpec.podMonitorSelectorNilUsesHelmValues": "values boolean",
    "prometheus.prometheusSpec.ruleSelectorNilUsesHelmValues": "values boolean",
  },
  "external-secrets 0.20.4": {},
};
