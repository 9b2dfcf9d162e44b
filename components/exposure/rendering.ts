import { objectName } from "../core/object-rules.ts";
import type { PlannedObject } from "../core/plan.ts";
import type { IngressArgs, IngressKind } from "../core/platform-args.ts";
import { ingress as ingressSchema, type ResolvedIngress } from "../core/platform-schema.ts";
import { type Problem, warning } from "../core/problems.ts";
import { resolve } from "../core/resolve.ts";
import type { Exposure } from "./exposure.ts";
import { gatewayObjects } from "./gateway.ts";
import { gatewayProxy, type IngressProxy, traefikProxy } from "./proxies.ts";
import { traefikObjects } from "./traefik.ts";

/** A rendering of exposure. To add one, add a file beside these, its kind in the settings, and an entry here. */
interface Rendering {
  readonly objects: (exposure: Exposure, ingress: ResolvedIngress) => PlannedObject[];
  /** It passes the caller's address on to a port by the PROXY protocol. */
  readonly proxyProtocol: boolean;
  /** It limits the calls of a source, and those under way. */
  readonly limits: boolean;
  /** Names and ports by which the public hosts are listened for. */
  readonly listeners: (ingress: ResolvedIngress) => readonly (string | number)[];
  /** Problems of a port's listener, at `path` of the arguments. */
  readonly listenerProblems: (path: string, listener: PortListener) => Problem[];
  /** What passes the requests on. */
  readonly proxy: (ingress: ResolvedIngress) => IngressProxy;
}

/** How a port that is no public host's is listened for. */
interface PortListener {
  readonly entryPoint: string;
  readonly listenerPort?: number;
}

const renderings: Readonly<Record<IngressKind, Rendering>> = {
  traefik: {
    objects: traefikObjects,
    proxyProtocol: true,
    limits: true,
    listeners: ({ entryPoint, httpEntryPoint }) => [entryPoint, httpEntryPoint],
    listenerProblems: (path, { listenerPort }) => (listenerPort === undefined ? [] : [unusedPort(path)]),
    proxy: () => traefikProxy,
  },
  gateway: {
    objects: gatewayObjects,
    proxyProtocol: false,
    limits: false,
    listeners: ({ gateway: { httpsPort, httpPort } }) => [httpsPort, httpPort],
    listenerProblems: (path, { entryPoint }) => objectName(`${path}.entryPoint`, entryPoint),
    proxy: ({ gateway }) => gatewayProxy(gateway),
  },
};

function unusedPort(path: string): Problem {
  return warning(
    "unused",
    `${path}.listenerPort`,
    "It has no effect with an ingress of kind traefik: the entry point has its own port.",
    "Leave it out.",
  );
}

/** The routes, rendered for the API in the settings; certificates are separate. */
export function exposureObjects(exposure: Exposure, ingress: ResolvedIngress): PlannedObject[] {
  return renderings[ingress.kind].objects(exposure, ingress);
}

/** What passes requests on, for network policies. */
export function proxyOf(ingress: ResolvedIngress): IngressProxy {
  return renderings[ingress.kind].proxy(ingress);
}

/** Whether a port's service is told the caller's address, where its arguments don't say. */
export function tellsCallers({ kind }: Pick<ResolvedIngress, "kind">): boolean {
  return renderings[kind].proxyProtocol;
}

// Rules judge arguments as they were given.

function renderingOf({ kind }: IngressArgs): Rendering {
  return renderings[resolve(ingressSchema.shape.kind, kind)];
}

/** Names and ports by which the public hosts are listened for: nothing else can have them. */
export function publicListeners(ingress: IngressArgs): readonly (string | number)[] {
  return renderingOf(ingress).listeners(resolve(ingressSchema, ingress));
}

/** Problems of a port's listener, at `path` of the arguments. */
export function listenerProblems(ingress: IngressArgs, path: string, listener: PortListener): Problem[] {
  return renderingOf(ingress).listenerProblems(path, listener);
}

/** A warning for a port whose service does not get the client's address. @param told the arguments say that it does, by other means */
export function callerProblems(ingress: IngressArgs, path: string, told: boolean | undefined): Problem[] {
  if (renderingOf(ingress).proxyProtocol || told !== undefined) return [];
  return [
    warning(
      "ingress-callers",
      path,
      "The Gateway API can't express the PROXY protocol. The service sees the gateway's address instead of the clients', in its log and in its limits by address.",
      "Let your gateway send it by its own policy (Envoy Gateway: BackendTrafficPolicy with proxyProtocol V2) and set this to true, or set it to false.",
    ),
  ];
}

/** A warning for a host whose limits are not enforced. @param guard the protection that remains */
export function limitProblems(ingress: IngressArgs, guard: string): Problem[] {
  if (renderingOf(ingress).limits) return [];
  return [
    warning(
      "ingress-limits",
      "platform.ingress.kind",
      `The Gateway API can't limit the calls of one source or the number of open calls, so floods reach the service. ${guard}`,
      "Set both with a policy of your gateway (Envoy Gateway: BackendTrafficPolicy on the HTTPRoute), or set kind: traefik.",
    ),
  ];
}
