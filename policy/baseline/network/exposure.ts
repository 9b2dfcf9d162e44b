import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

export const serviceExposure = resourcePolicy({
  id: "net-service-exposure",
  title: "Services only inside the cluster",
  rule: "A Service is reachable only inside the cluster, also one that an operator makes. Public traffic goes through the ingress.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Make it a ClusterIP Service and route to it, or name the ingress' own Service in `allowed`.",
  unseen: "Services that an operator makes public by itself, and annotations of a load balancer.",
  tags: ["network", "exposure"],
  settings: {
    allowed: { description: "Services that may be public, as namespace/name.", default: [] as readonly string[] },
  },
  kinds: "any",
  *check(resource, { allowed }) {
    if (allowed.length > 0 && allowed.includes(`${resource.namespace ?? "default"}/${resource.name ?? ""}`)) return;
    for (const { keys, text } of resource.isCustom ? resource.texts : [])
      if (
        isPublic(text) &&
        /^(?:type|serviceType)$/.test(String(keys.at(-1))) &&
        keys.some((key) => /service/i.test(String(key)))
      )
        yield violation(resource.get(...keys), "It must be ClusterIP.");
    if (resource.groupKind !== "Service") return;
    const type = resource.get("spec", "type");
    const external = resource.get("spec", "externalIPs");
    if (type.exists && !["ClusterIP", "ExternalName"].includes(type.text ?? ""))
      yield violation(type, "It must be ClusterIP.");
    if (external.items.length > 0) yield violation(external, "It must be empty.");
  },
});

function isPublic(type: string): boolean {
  return type === "LoadBalancer" || type === "NodePort";
}
