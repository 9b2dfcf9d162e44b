import { serviceHost } from "../../catalogue/names.ts";
import { ports } from "../../catalogue/ports.ts";
import { programs } from "../../catalogue/releases.ts";
import type { PlannedObject } from "../../core/plan.ts";
import { as, block, defaultsTo, flag, optional, text } from "../../core/schema.ts";
import type { SecretKey } from "../../core/secret-key-args.ts";
import { secretName } from "../../core/secrets.ts";
import { fromSecret, podTemplate } from "../../kubernetes/pod.ts";
import { resourceRequirements, resourceSpec } from "../../kubernetes/resources.ts";
import { resources } from "../../kubernetes/resources-schema.ts";
import { deployment, service } from "../../kubernetes/workload.ts";
import { phpConfiguration } from "../config/php.ts";
import { partOf, suiteMetadata } from "../metadata.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";
import { partVersion } from "../value-rules.ts";
import { nextcloud, suiteApp } from "./app.ts";
import { serverProbes } from "./single-server.ts";

const name = suiteNames.previews;
const credentials = `${name}-credentials`;
const secretKey = "key";
const repository = "ghcr.io/nextcloud-releases/aio-imaginary";

/** `nobody`, the user of the image. */
const user = 65534;

const cloudSuitePreviews = block(
  "CloudSuitePreviewsArgs",
  "Previews of pictures and PDF files. Imaginary makes them in a pod of its own, which calls nobody, in place of PHP in the web pods.",
  {
    enabled: flag(
      "Whether Imaginary makes the previews. Before you remove the block, set it to `false`, so that Nextcloud makes them itself again.",
    ),
    version: defaultsTo(
      text("Tag of the image.", { rule: partVersion, examples: [programs.imaginary.deployed] }),
      programs.imaginary.deployed,
    ),
    // A large photograph takes hundreds of megabytes once it is unpacked.
    resources: resources(
      "Resources of the pod.",
      "100m",
      "256Mi",
      "2000m",
      "1Gi",
      resourceSpec("50m", "128Mi", "500m", "512Mi"),
    ),
  },
);

export const previewsArguments = optional(
  as(cloudSuitePreviews, "Previews of pictures and PDF files by Imaginary."),
  "none: PHP in the web pods makes those of common pictures",
);

/**
 * What makes previews: Nextcloud's own list, in which Imaginary takes the place of those for pictures. (nextcloud/server
 * config/config.sample.php, lib/private/Preview/Imaginary.php)
 */
const providers = ["Imaginary", "ImaginaryPDF", "XBitmap", "Krita", "MarkDown", "OpenDocument", "TXT"];

/** Previews of pictures and PDF files, made outside of Nextcloud. */
export const previews = suiteApp({
  key: "previews",
  title: "Imaginary",
  schema: previewsArguments,
  server: { workload: name, repositories: [repository], version: ["previews", "version"] },
  credentials,
  nextcloudApps: [],
  switch: "PREVIEWS",
  parts: (args, own) => {
    const secret = { name: secretName(args.platform.secrets, credentials), key: secretKey };
    return {
      objects: server(args, own, secret),
      secrets: [{ name: credentials, namespace: args.namespace, data: { [secretKey]: { password: 48 } } }],
      settings: {},
      suiteEnvironment: [
        { name: "NC_preview_imaginary_url", value: `http://${serviceHost(name, args.namespace)}:${ports.previews}` },
        fromSecret("NC_preview_imaginary_key", secret),
      ],
      suiteSecrets: [credentials],
      suiteFiles: {
        "previews.config.php": phpConfiguration({
          enabledPreviewProviders: providers.map((provider) => `OC\\Preview\\${provider}`),
        }),
      },
      edges: [{ from: nextcloud, to: name, ports: [ports.previews], reason: "Files, of which it makes previews." }],
    };
  },
});

/** The server and its Service. It keeps nothing, and takes what it is sent: by no flag does it fetch from a URL. */
function server(
  args: ResolvedSuite,
  { version, resources }: NonNullable<ResolvedSuite["previews"]>,
  secret: SecretKey,
): PlannedObject[] {
  const template = podTemplate(
    {
      name,
      partOf,
      user,
      group: user,
      secrets: [credentials],
      volumes: [{ name: "scratch", emptyDir: {} }],
      containers: [
        {
          name,
          image: `${repository}:${version}`,
          env: [fromSecret("IMAGINARY_SECRET", secret), { name: "PORT", value: String(ports.previews) }],
          ports: [{ name: "http", containerPort: ports.previews, protocol: "TCP" }],
          resources: resourceRequirements(resources),
          volumeMounts: [{ name: "scratch", mountPath: "/tmp" }],
          // It answers to those who have the key alone, and tells everybody else so on /health, too. (h2non/imaginary middleware.go)
          ...serverProbes({ tcpSocket: { port: "http" } }),
        },
      ],
    },
    args.platform,
  );
  const metadata = suiteMetadata(args, name);
  return [
    { object: deployment({ metadata, replicas: 1, template }) },
    { object: service(metadata, { http: ports.previews }) },
  ];
}
