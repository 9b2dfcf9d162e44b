import { Keystore } from "@hearth-platform/hearth";
import type { types } from "@pulumi/kubernetes";
import { Provider } from "@pulumi/kubernetes/provider.js";
import type * as pulumi from "@pulumi/pulumi";

/**
 * Pulumi's escape hatch: a transform sees every child of a component before it is registered and may change it.
 * Here it exposes the keystore's Service inside the network by a load balancer, for which there is no setting.
 */
const internalLoadBalancer: pulumi.ResourceTransform = ({ type, props, opts }) => {
  if (type !== "kubernetes:core/v1:Service") return undefined;
  const service = props as types.input.core.v1.Service;
  return {
    props: {
      ...service,
      metadata: { ...service.metadata, annotations: { "load-balancer.hetzner.cloud/use-private-ip": "true" } },
      spec: { ...service.spec, type: "LoadBalancer" },
    },
    opts,
  };
};

const cluster = new Provider("cluster", { context: "hearth-sandbox" });

const keystore = new Keystore(
  "jobs",
  {
    namespace: "default",
    version: "8.1.9-alpine",
    platform: { profile: "development", ingress: { clusterIssuer: "letsencrypt-prod" } },
  },
  { provider: cluster, transforms: [internalLoadBalancer] },
);

/** How applications reach it. */
export const connection = keystore.connection;
