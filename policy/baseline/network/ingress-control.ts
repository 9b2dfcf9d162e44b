import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import { routeKinds } from "./routes.ts";

const grantKind = "gateway.networking.k8s.io/ReferenceGrant";

/** Annotations and kinds that put text of a route into the ingress' own configuration. */
const snippet = /\/(?:[\w-]+-)?snippets?$/;

export const ingressControl = resourcePolicy({
  id: "net-ingress-control",
  title: "Routes that rule no ingress",
  rule: "A route brings no configuration of the ingress itself, and shows its dashboard or API to nobody who has not signed in. A ReferenceGrant lends no other Secrets than those it names, and those to Gateways alone.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: "Leave the snippet out, put a middleware that asks who it is before the dashboard, or name the Secret.",
  unseen: "Dashboards of other programs than Traefik, and whether the middleware before a dashboard asks for anything.",
  tags: ["network", "exposure", "security"],
  settings: {},
  kinds: [routeKinds.ingress, routeKinds.route, grantKind, "gateway.nginx.org/SnippetsFilter"],
  *check(resource) {
    if (resource.kind === "SnippetsFilter")
      yield violation(resource.get("spec"), "It must not be part of the ingress.");
    for (const [key, field] of resource.get("metadata", "annotations").entries)
      if (snippet.test(key)) yield violation(field, "It must be absent: it could read all that the ingress can.");
    for (const route of resource.groupKind === routeKinds.route ? resource.get("spec", "routes").items : [])
      for (const service of route.get("services").items) {
        const name = service.get("name");
        const isOwn = /^(?:api|dashboard|rest|prometheus)@internal$/.test(name.text ?? "");
        if (isOwn && route.get("middlewares").items.length === 0)
          yield violation(name, "It must be behind a middleware that asks who it is.");
      }
    if (resource.groupKind !== grantKind) return;
    const secrets = resource.get("spec", "to").items.filter((to) => to.get("kind").value === "Secret");
    for (const to of secrets)
      if ((to.get("name").text ?? "") === "") yield violation(to.get("name"), "It must name the Secret.");
    for (const from of secrets.length > 0 ? resource.get("spec", "from").items : []) {
      if (from.get("kind").value !== "Gateway") yield violation(from.get("kind"), "It must be Gateway.");
      const group = from.get("group");
      if (group.value !== "gateway.networking.k8s.io") yield violation(group, "It must be gateway.networking.k8s.io.");
    }
  },
});
