import type { Field } from "../../core/field.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { namespaceOf } from "../selection.ts";

/** Kinds of the Gateway API that public traffic takes. */
export const gatewayKinds = {
  gateway: "gateway.networking.k8s.io/Gateway",
  httpRoute: "gateway.networking.k8s.io/HTTPRoute",
  tcpRoute: "gateway.networking.k8s.io/TCPRoute",
  grpcRoute: "gateway.networking.k8s.io/GRPCRoute",
} as const;

/** Whether it is a route of a Gateway. */
export function isGatewayRoute({ groupKind }: PolicyResource): boolean {
  return groupKind !== gatewayKinds.gateway && Object.values<string>(gatewayKinds).includes(groupKind);
}

/** Traffic that a Gateway admits for a route. */
export interface Attached {
  readonly gateway: PolicyResource;
  readonly listener: Field;
}

/** Where a route belongs to: a Gateway's namespace and name, and which of its listeners. */
export interface Parent {
  readonly field: Field;
  /** `namespace/name` of the Gateway. */
  readonly gateway: string;
  /** Those of its listeners that stand in the stack; nothing where the Gateway does not. */
  readonly attached: readonly Attached[] | undefined;
}

/** The Gateways that a route belongs to. */
export function parentsOf(route: PolicyResource, resources: readonly PolicyResource[]): Parent[] {
  const gateways = resources.filter(({ groupKind }) => groupKind === gatewayKinds.gateway);
  return route.get("spec", "parentRefs").items.map((field) => {
    const name = field.get("name").text ?? "";
    const gateway = `${field.get("namespace").text ?? namespaceOf(route)}/${name}`;
    const known = gateways.find((each) => `${namespaceOf(each)}/${each.name}` === gateway);
    const listeners = known?.get("spec", "listeners").items.filter((listener) => isMeant(field, listener));
    return {
      field,
      gateway,
      attached: known && listeners?.map((listener) => ({ gateway: known, listener })),
    };
  });
}

/** Which requests go to a route, besides hosts: its listeners, and each match of its rules. */
export function gatewayRequests(route: PolicyResource): string[] {
  const parents = textsOf(route.get("spec", "parentRefs"), ["namespace", "name", "sectionName", "port"]);
  const rules = route.get("spec", "rules").items;
  const matches = rules.flatMap((rule) => {
    const all = rule.get("matches").items;
    return all.length > 0 ? all.map(matchText) : ["PathPrefix /"];
  });
  return matches.map((match) => `${parents} ${match}`);
}

function matchText(match: Field): string {
  const path = match.get("path");
  const texts = [path.get("type").text ?? "PathPrefix", path.get("value").text ?? "/", match.get("method").text];
  const others = ["headers", "queryParams"].map((key) => textsOf(match.get(key), ["name", "type", "value"]));
  return [...texts, ...others].filter(Boolean).join(" ");
}

/** Values of these keys in a list's entries; empty if there are none. */
function textsOf(list: Field, keys: readonly string[]): string {
  return list.items.map((entry) => keys.map((key) => JSON.stringify(entry.get(key).value)).join("/")).join(",");
}

function isMeant(parent: Field, listener: Field): boolean {
  const section = parent.get("sectionName");
  const port = parent.get("port");
  return (
    (!section.exists || section.value === listener.get("name").value) &&
    (!port.exists || port.value === listener.get("port").value)
  );
}
