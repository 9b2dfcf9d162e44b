import { names } from "../../catalogue/names.ts";
import { ports } from "../../catalogue/ports.ts";
import type { PlannedObject } from "../../core/plan.ts";
import { as, block, optional } from "../../core/schema.ts";
import { secretName } from "../../core/secrets.ts";
import type { ExposureRule } from "../../exposure/exposure.ts";
import { fromSecret, podTemplate } from "../../kubernetes/pod.ts";
import { authorityMounts, authorityVolumes, nodeEnvironment } from "../../kubernetes/private-ca.ts";
import { resourceRequirements } from "../../kubernetes/resources.ts";
import { recommendedResources } from "../../kubernetes/resources-schema.ts";
import { limits } from "../../limits/table.ts";
import { partOf } from "../metadata.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";
import { publicHostEdges, suiteApp } from "./app.ts";
import { serverProbes, singleServer } from "./single-server.ts";

const name = names.cloudsuite.whiteboard;
const credentials = `${name}-credentials`;
const secretKey = "jwt-secret";
const repository = "ghcr.io/nextcloud-releases/whiteboard";
const path = "/whiteboard";
/** Variable of the configuration Job with the secret that suite and whiteboard share. */
const secretVariable = "WHITEBOARD_JWT_SECRET";

/** `nobody`, the user of the image. */
const user = 65534;

/** Seconds the server gives its rooms to save before it ends; below the pod's grace period. */
const closeSeconds = 25;

const cloudSuiteWhiteboard = block("CloudSuiteWhiteboardArgs", "Whiteboard: `whiteboard` of config.yaml.", {
  resources: recommendedResources("Resources of the whiteboard pod.", limits.whiteboardResources.least()),
});

export const whiteboardArguments = optional(as(cloudSuiteWhiteboard, "Whiteboard."), "none");

/** Boards that several people draw on at once, below a path of the suite's host. */
export const whiteboard = suiteApp({
  key: "whiteboard",
  title: "the whiteboard",
  schema: whiteboardArguments,
  server: { workload: name, repositories: [repository], version: ["versions", "whiteboard"] },
  credentials,
  nextcloudApps: ["whiteboard"],
  parts: (args, own) => {
    const secret = { name: secretName(args.platform.secrets, credentials), key: secretKey };
    const url = `https://${args.domain}${path}`;
    return {
      objects: server(args, own, secret),
      secrets: [{ name: credentials, namespace: args.namespace, data: { [secretKey]: { password: 48 } } }],
      rules: [boards],
      settings: { whiteboard: { collabBackendUrl: url, jwt_secret_key: `\${${secretVariable}}` } },
      variables: { [secretVariable]: secret },
      url,
      edges: [
        { from: "ingress", to: name, ports: [ports.whiteboard], reason: "Browsers draw together." },
        ...publicHostEdges(name, "Boards and users, by the suite's public host."),
      ],
    };
  },
});

const boards: ExposureRule = {
  paths: [{ tree: path }],
  service: name,
  port: ports.whiteboard,
  strictTransport: suiteNames.strictTransport,
  stripPrefix: { name: `${name}-prefix`, prefix: path },
};

function server(
  args: ResolvedSuite,
  { resources }: NonNullable<ResolvedSuite["whiteboard"]>,
  secret: { readonly name: string; readonly key: string },
): PlannedObject[] {
  const template = podTemplate(
    {
      name,
      partOf,
      user,
      group: user,
      gracePeriodSeconds: closeSeconds + 5,
      secrets: [credentials],
      volumes: [{ name: "scratch", emptyDir: {} }, ...authorityVolumes(args)],
      containers: [
        {
          name,
          image: `${repository}:${args.versions.whiteboard}`,
          env: [
            fromSecret("JWT_SECRET_KEY", secret),
            { name: "NEXTCLOUD_URL", value: `https://${args.domain}` },
            { name: "PORT", value: String(ports.whiteboard) },
            { name: "STORAGE_STRATEGY", value: "lru" },
            { name: "FORCE_CLOSE_TIMEOUT", value: String(closeSeconds * 1000) },
            // npm keeps a cache and logs at home, which is below the root otherwise.
            { name: "HOME", value: "/tmp" },
            ...nodeEnvironment(args),
          ],
          ports: [{ name: "http", containerPort: ports.whiteboard, protocol: "TCP" }],
          resources: resourceRequirements(resources),
          volumeMounts: [{ name: "scratch", mountPath: "/tmp" }, ...authorityMounts(args)],
          ...serverProbes({ httpGet: { path: "/", port: "http" } }),
        },
      ],
    },
    args.platform,
  );
  return singleServer(args, name, { http: ports.whiteboard }, template);
}
