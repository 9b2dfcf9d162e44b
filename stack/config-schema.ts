import { limits, storageClasses } from "@hearth-platform/hearth/catalogue/limits";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { locations } from "@hearth-platform/hearth/cloudsuite/rules";
import { z } from "zod";

/** The shape of config.yaml: the specification's table "config.yaml fields". What the values may be is in components/cloudsuite/rules.ts. */

const majors = Array.from({ length: limits.databaseMajor.max - limits.databaseMajor.min + 1 }, (_, index) =>
  String(limits.databaseMajor.min + index),
);

const text = (description: string, hints: Record<string, unknown> = {}) => z.string().meta({ description, ...hints });

const host = (description: string, example: string) => text(description, { examples: [example], format: "hostname" });

const size = (description: string, example: string) =>
  text(description, { pattern: "^[1-9][0-9]*(Ki|Mi|Gi|Ti|Pi)$", examples: [example] });

const amounts = (description: string) =>
  z
    .strictObject({
      cpu: text("CPU in millicores, e.g. 200m.", { pattern: "^[1-9][0-9]*m$", examples: ["200m"] }),
      memory: size("Memory with a binary suffix, e.g. 512Mi.", "512Mi"),
    })
    .meta({ description });

const resources = (description: string) =>
  z
    .strictObject({
      requests: amounts("What is reserved: cpu and memory."),
      limits: amounts("Above the CPU limit the component is throttled, above the memory limit it is killed."),
    })
    .meta({ description });

/** What holds once a field of a block has a value, told to editors; the rules check it. */
const once = (field: string, value: unknown, then: object) => ({
  if: { properties: { [field]: { const: value } }, required: [field] },
  then,
});

/** Fields an optional part needs once it is enabled. */
const neededIfEnabled = (...required: string[]) => once("enabled", true, { required });

/** The same for what another block then needs. */
const onceIn = (block: string, field: string, value: unknown, then: object) => ({
  if: { properties: { [block]: { properties: { [field]: { const: value } }, required: [field] } }, required: [block] },
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's keyword
  then: { properties: then },
});

export const ConfigFile = z
  .strictObject({
    namespace: text("Namespace of the suite, a DNS label of its own, e.g. team.", {
      pattern: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$",
      examples: ["team"],
    }),
    domain: host(
      "Primary domain: ingress host, TLS certificate, trusted domain and office server URL, e.g. cloud.example.org.",
      "cloud.example.org",
    ),
    versions: z
      .strictObject({
        cloudsuite: text(`Image tag of the suite, never older than its data, e.g. "${programs.nextcloud.deployed}".`, {
          examples: [programs.nextcloud.deployed],
        }),
        db: text(`Major version of the database in quotes: ${majors.map((major) => `"${major}"`).join(", ")}.`, {
          enum: majors,
        }),
        keystore: text(`Image tag of the keystore, e.g. "${programs.valkey.deployed}".`, {
          examples: [programs.valkey.deployed],
        }),
        office: text("Image tag of the office server; required if office is enabled.").optional(),
        whiteboard: text("Image tag of the whiteboard server; required if the whiteboard is enabled.").optional(),
      })
      .meta({ description: "Image tags and the major version of the database." }),
    s3: z
      .strictObject({
        endpoint: text("URL of the S3-compatible endpoint of the location, e.g. https://fsn1.your-objectstorage.com.", {
          format: "uri",
          pattern: "^https://[^/]+$",
          examples: locations.map((code) => `https://${code}.your-objectstorage.com`),
        }),
        region: text(`Location of the endpoint: ${locations.join(", ")}.`, { enum: [...locations] }),
        buckets: z
          .strictObject({
            data: text("Bucket for user files, e.g. data-team-a1b2.", { examples: ["data-team-a1b2"] }),
            backups: text("Bucket for database backups, e.g. backups-team-a1b2.", { examples: ["backups-team-a1b2"] }),
          })
          .meta({ description: "Names of the buckets." }),
      })
      .meta({ description: "Object storage." }),
    storage: z
      .strictObject({
        storageClass: text(
          `${storageClasses.replicatedBlock} (single-writer, recommended) or ${storageClasses.smb} (multi-writer), for the web volume.`,
          {
            enum: Object.values(storageClasses),
          },
        ),
        dbSize: size("Volume size of each database replica, e.g. 10Gi.", "10Gi"),
        keystoreSize: size("Volume size of the keystore (cache only), e.g. 5Gi.", "5Gi"),
      })
      .meta({ description: "Volumes." }),
    resources: z
      .strictObject({
        cloudsuite: resources("Of each web pod."),
        db: resources("Of each database instance."),
        keystore: resources("Of the keystore."),
      })
      .meta({ description: "CPU and memory of the pods." }),
    replicas: z
      .strictObject({
        cloudsuite: z.number().meta({
          description: "Web pods: 1 with replicated-block, up to 3 with smb-csi.",
          minimum: 1,
          maximum: 3,
          multipleOf: 1,
        }),
        db: z.number().meta({ description: "Database instances: 2 for production, 1 for development.", enum: [1, 2] }),
        keystore: z.number().meta({ description: "Keystore pods: 1.", const: 1 }),
      })
      .meta({ description: "Replica counts." }),
    office: z
      .strictObject({
        enabled: z.boolean().meta({ description: "Whether documents can be edited in the browser." }),
        domain: host(
          "Public host of the office server, a subdomain of domain, e.g. office.cloud.example.org.",
          "office.cloud.example.org",
        ).optional(),
        resources: resources("Of the office pod.").optional(),
      })
      .meta({ description: "Office editing.", ...neededIfEnabled("domain", "resources") }),
    whiteboard: z
      .strictObject({
        enabled: z.boolean().meta({ description: "Whether there is a whiteboard." }),
        resources: resources("Of the whiteboard pod.").optional(),
      })
      .meta({ description: "Whiteboard.", ...neededIfEnabled("resources") }),
  })
  .meta({
    title: "config.yaml",
    description: "A collaboration suite.",
    allOf: [
      onceIn("office", "enabled", true, { versions: { required: ["office"] } }),
      onceIn("whiteboard", "enabled", true, { versions: { required: ["whiteboard"] } }),
      onceIn("storage", "storageClass", storageClasses.replicatedBlock, {
        replicas: { properties: { cloudsuite: { maximum: 1 } } },
      }),
    ],
  });

/** The content of a config.yaml without problems. */
export type ConfigFile = z.infer<typeof ConfigFile>;
