import type { LabelSelector } from "kubernetes-types/meta/v1.d.ts";

/** A proxy of the Gateway API, as network policies know it. Without pods, its requests come from the nodes' own network. */
export interface GatewayClass {
  readonly pods?: LabelSelector;
  /** Where its pods stand beside their Gateway: labels of the program that tells them their routes. */
  readonly control?: Readonly<Record<string, string>>;
}

/** On every pod that Istio or NGINX makes for a Gateway, in the Gateway's namespace. */
export const gatewayName = "gateway.networking.k8s.io/gateway-name";
const ofAnyGateway: LabelSelector = { matchExpressions: [{ key: gatewayName, operator: "Exists" }] };

/** As Traefik's chart labels them. */
export const traefikPods: LabelSelector = { matchLabels: { "app.kubernetes.io/name": "traefik" } };

/** (envoyproxy/gateway internal/infrastructure/kubernetes/proxy, EnvoyAppLabel) */
const envoy: GatewayClass = {
  pods: { matchLabels: { "app.kubernetes.io/component": "proxy", "app.kubernetes.io/managed-by": "envoy-gateway" } },
};

/** Proxies by the names that their makers' pages give the GatewayClass. */
export const gatewayClasses: Readonly<Record<string, GatewayClass>> = {
  traefik: { pods: traefikPods },
  "envoy-gateway": envoy,
  envoy,
  eg: envoy,
  /** (istio/istio manifests/charts/istio-control/istio-discovery/files/kube-gateway.yaml) */
  istio: { pods: ofAnyGateway, control: { app: "istiod" } },
  /** NGINX Gateway Fabric from 2.0 on. (nginx/nginx-gateway-fabric internal/controller/provisioner/objects.go) */
  nginx: { pods: ofAnyGateway, control: { "app.kubernetes.io/name": "nginx-gateway-fabric" } },
  /** One proxy on each node. No selector can name it; a rule without peers admits it. (cilium/cilium pkg/k8s/network_policy.go) */
  cilium: {},
};
