import type { Chart, ChartValues } from "@hearth-platform/hearth/catalogue/prerequisites";
import { ingress as ingressSchema } from "@hearth-platform/hearth/core/platform-schema";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import type { StackSettings } from "@hearth-platform/stack/settings/stack-schema";

/** Port of SSH in Traefik's pod, where no setting names another. */
const sshPort = 2222;

/** The values with which a chart makes what this stack needs. */
export function valuesFor(chart: Chart, settings: StackSettings): ChartValues {
  return chart.name === "traefik" ? traefikValues(settings) : (chart.values ?? {});
}

/** Traefik's values: docs/how-to/traefik.md and docs/how-to/gateway.md have the reason of each. */
export function traefikValues({ ingress, forge }: StackSettings): ChartValues {
  const { kind, entryPoint, httpEntryPoint, gateway } = resolve(ingressSchema, ingress);
  const isGateway = kind === "gateway";
  const ssh = forge?.ssh;
  const proxies = ingress?.trustedProxies;
  const https = {
    transport: { respondingTimeouts: { readTimeout: 0 } },
    ...(proxies && { forwardedHeaders: { trustedIPs: proxies } }),
  };
  const ports = isGateway ? { websecure: gateway.httpsPort, web: gateway.httpPort } : undefined;
  return {
    providers: isGateway
      ? { kubernetesGateway: { enabled: true, ...(ssh && { experimentalChannel: true }) } }
      : { kubernetesCRD: { allowEmptyServices: true } },
    // The stack makes its Gateways.
    ...(isGateway && { gateway: { enabled: false } }),
    ports: {
      ...(ports && { web: { port: ports.web } }),
      ...(isGateway || entryPoint === "websecure"
        ? { websecure: { ...(ports && { port: ports.websecure }), ...https } }
        : { websecure: null, [entryPoint]: { ...exposed(8443, 443), tls: { enabled: true }, ...https } }),
      ...(!isGateway && httpEntryPoint !== "web" && { web: null, [httpEntryPoint]: exposed(8000, 80) }),
      ...(ssh && {
        [isGateway ? "ssh" : ssh.entryPoint]: exposed(
          isGateway ? (ssh.listenerPort ?? ssh.port ?? 22) : sshPort,
          ssh.port ?? 22,
        ),
      }),
    },
    // Traefik finds the listeners of a Gateway by the ports of its pod, and it is no root.
    ...(ports && Math.min(ports.web, ports.websecure) < 1024 && { podSecurityContext: unprivilegedPorts }),
  };
}

const unprivilegedPorts = { sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "0" }] };

function exposed(port: number, exposedPort: number): ChartValues {
  return { port, exposedPort, expose: { default: true }, protocol: "TCP" };
}
