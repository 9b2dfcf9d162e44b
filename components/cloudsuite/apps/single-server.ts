import type { Container, PodTemplateSpec, Probe } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../../core/plan.ts";
import { deployment, service } from "../../kubernetes/workload.ts";
import { suiteMetadata } from "../metadata.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";

/**
 * A server beside the suite and its Service, made after the web. It has one replica, since all who work on a document have to
 * meet in one process.
 * @param ports of the Service by name, which is the name of the container's port as well
 */
export function singleServer(
  args: ResolvedSuite,
  name: string,
  ports: Readonly<Record<string, number>>,
  template: PodTemplateSpec,
): PlannedObject[] {
  const metadata = suiteMetadata(args, name);
  return [
    {
      // Two servers at once would split those who work on a document.
      object: deployment({ metadata, replicas: 1, strategy: "Recreate", template }),
      after: [`Deployment/${suiteNames.web}`],
    },
    { object: service(metadata, ports) },
  ];
}

/** Probes of a small server, which all look the same way: two minutes to start, and two without an answer before it is started anew. */
export function serverProbes(
  look: Pick<Probe, "httpGet" | "tcpSocket">,
): Required<Pick<Container, "startupProbe" | "readinessProbe" | "livenessProbe">> {
  return {
    startupProbe: { ...look, periodSeconds: 5, failureThreshold: 24 },
    readinessProbe: { ...look, periodSeconds: 10, timeoutSeconds: 5 },
    livenessProbe: { ...look, periodSeconds: 20, timeoutSeconds: 10, failureThreshold: 6 },
  };
}
