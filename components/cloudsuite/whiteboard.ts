import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { secretName } from "../core/secrets.ts";
import { podTemplate } from "../kubernetes/pod.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { fromSecret } from "./environment.ts";
import { images } from "./images.ts";
import { partOf } from "./metadata.ts";
import { whiteboardKey } from "./secrets.ts";
import { singleServer } from "./single-server.ts";
import { suiteNames } from "./suite-names.ts";
import { authorityMounts, authorityVolumes, nodeEnvironment } from "./trust.ts";

/** `nobody`, the user of the image. */
const user = 65534;

/** Seconds the server gives its rooms to save before it ends; below the pod's grace period. */
const closeSeconds = 25;

/** The whiteboard server and its Service. No objects without `whiteboard`. */
export function whiteboardObjects(args: CloudSuiteArgs): PlannedObject[] {
  const { whiteboard, platform } = args;
  if (!whiteboard) return [];
  const name = suiteNames.whiteboard;
  const probe = { httpGet: { path: "/", port: "http" } };
  const template = podTemplate(
    {
      name,
      partOf,
      user,
      group: user,
      gracePeriodSeconds: closeSeconds + 5,
      secrets: [suiteNames.whiteboardCredentials],
      volumes: [{ name: "scratch", emptyDir: {} }, ...authorityVolumes(args)],
      containers: [
        {
          name,
          image: images(args).whiteboard,
          env: [
            fromSecret("JWT_SECRET_KEY", {
              name: secretName(platform.secrets, suiteNames.whiteboardCredentials),
              key: whiteboardKey,
            }),
            { name: "NEXTCLOUD_URL", value: `https://${args.domain}` },
            { name: "PORT", value: String(ports.whiteboard) },
            { name: "STORAGE_STRATEGY", value: "lru" },
            { name: "FORCE_CLOSE_TIMEOUT", value: String(closeSeconds * 1000) },
            // npm keeps a cache and logs at home, which is below the root otherwise.
            { name: "HOME", value: "/tmp" },
            ...nodeEnvironment(args),
          ],
          ports: [{ name: "http", containerPort: ports.whiteboard, protocol: "TCP" }],
          resources: resourceRequirements(whiteboard.resources),
          volumeMounts: [{ name: "scratch", mountPath: "/tmp" }, ...authorityMounts(args)],
          startupProbe: { ...probe, periodSeconds: 5, failureThreshold: 24 },
          readinessProbe: { ...probe, periodSeconds: 10, timeoutSeconds: 5 },
          livenessProbe: { ...probe, periodSeconds: 20, timeoutSeconds: 10, failureThreshold: 6 },
        },
      ],
    },
    platform,
  );
  return singleServer(args, name, { http: ports.whiteboard }, template);
}
