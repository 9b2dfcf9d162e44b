import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { PodTemplateSpec, Service } from "kubernetes-types/core/v1.d.ts";
import type { PlannedObject } from "../plan.ts";
import { selectorLabels } from "../pod.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { suiteMetadata } from "./metadata.ts";
import { suiteNames } from "./suite-names.ts";

/**
 * A server beside the suite and its Service, made after the web. It has one replica, since all who work on a document have to
 * meet in one process.
 * @param port of the Service and the pod; the container calls it `http`
 */
export function singleServer(
  args: CloudSuiteArgs,
  name: string,
  port: number,
  template: PodTemplateSpec,
): PlannedObject[] {
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: suiteMetadata(args, name),
    spec: {
      replicas: 1,
      // Two servers at once would split those who work on a document.
      strategy: { type: "Recreate" },
      selector: { matchLabels: selectorLabels(name) },
      template,
    },
  } satisfies Deployment;
  const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: suiteMetadata(args, name),
    spec: {
      selector: selectorLabels(name),
      ports: [{ name: "http", port, targetPort: "http", protocol: "TCP" }],
    },
  } satisfies Service;
  return [{ object: deployment, after: [`Deployment/${suiteNames.web}`] }, { object: service }];
}
