import { OfficeEngine } from "@hearth-platform/hearth/cloudsuite/args";
import { Profile, SecretStoreKind } from "@hearth-platform/hearth/core/platform-args";
import { BucketProvisioner, ObjectStoreProvider } from "@hearth-platform/hearth/stores/object-storage/args";
import { z } from "zod";
import { admission } from "./admission-schema.ts";
import { database, forge, keystore } from "./forge-schema.ts";
import { hub } from "./hub-schema.ts";
import { count, flag, recovery, text, textMap, texts } from "./schema-parts.ts";
import { siteWebhook } from "./site-webhook-schema.ts";

/** The settings of a stack, each a key `hearth:<name>` of `Pulumi.<stack>.yaml`. */

const toleration = z.strictObject({
  key: text("Taint key; absent matches every key and needs operator Exists.").optional(),
  operator: z.enum(["Exists", "Equal"]).meta({ description: "Exists or Equal (default)." }).optional(),
  value: text("Taint value, with operator Equal.").optional(),
  effect: z
    .enum(["NoSchedule", "PreferNoSchedule", "NoExecute"])
    .meta({ description: "Taint effect; absent matches all." })
    .optional(),
  tolerationSeconds: count("Seconds a pod stays after a NoExecute taint appears; absent: forever.").optional(),
});

const workload = z.strictObject({
  nodeSelector: textMap("Labels a node must have.").optional(),
  tolerations: z.array(toleration).meta({ description: "Taints the pods accept." }).optional(),
  priorityClassName: text("PriorityClass of the pods.").optional(),
  labels: textMap("Labels added to the workload and its pods.").optional(),
  annotations: textMap("Annotations added to the workload and its pods.").optional(),
});

const databaseConnection = z.strictObject({
  host: text("DNS name of the database."),
  port: z.int().min(1).max(65535).meta({ description: "TCP port, usually 5432." }),
  database: text("Name of the database."),
  user: text("Role the suite signs in as."),
  password: z
    .strictObject({ name: text("Name of the Secret."), key: text("Key in the Secret.") })
    .meta({ description: "Secret in the suite's namespace that holds the password." }),
});

const keystoreConnection = z.strictObject({
  host: text("DNS name of the keystore."),
  port: z.int().min(1).max(65535).meta({ description: "TCP port, usually 6379." }),
  password: z
    .strictObject({ name: text("Name of the Secret."), key: text("Key in the Secret.") })
    .meta({ description: "Secret in the suite's namespace that holds the password; absent: it asks for none." })
    .optional(),
});

const cloudsuite = z.strictObject({
  name: text("Name of the suite in this stack: of its resources in Pulumi's state and its outputs. Never change it.", [
    "team",
  ]),
  config: text("Its config.yaml, relative to the project.", ["suites/team/config.yaml"]),
  officeEngine: z
    .enum(Object.values(OfficeEngine))
    .meta({ description: "Program that edits documents: collabora (default) or onlyoffice." })
    .optional(),
  maintenance: flag("Shows visitors the maintenance page and stops background jobs. Default false.").optional(),
  recover: recovery.optional(),
  users: count("Users it is meant for; only advice on its size follows from it.").optional(),
  files: count("Files it is meant for; only advice on its size follows from it.").optional(),
  webSize: text("Volume of the program, its apps and configuration. Default 10Gi.", ["10Gi"]).optional(),
  database: databaseConnection
    .meta({ description: "A PostgreSQL database of one's own instead of the suite's." })
    .optional(),
  keystore: keystoreConnection.meta({ description: "A keystore of one's own instead of the suite's." }).optional(),
  existingBuckets: flag("The buckets exist already and are only used. Default false: they are made.").optional(),
});

export const StackSettings = z
  .strictObject({
    profile: z.enum(Object.values(Profile)).meta({ description: "What the stack is for: development or production." }),
    kubernetes: z
      .strictObject({
        context: text("Context of the kubeconfig."),
        kubeconfig: text("Path of the kubeconfig. Default: KUBECONFIG, then ~/.kube/config.").optional(),
      })
      .meta({ description: "The cluster. Default: the current context of the kubeconfig." })
      .optional(),
    namespace: text("Namespace that forge and hub share. Default platform.", ["platform"]).optional(),
    domain: text("Domain below which forge and hub have their hosts.", ["example.org"]).optional(),
    forge: forge.optional(),
    hub: hub.optional(),
    database: database.optional(),
    keystore: keystore.optional(),
    ingress: z
      .strictObject({
        clusterIssuer: text("cert-manager ClusterIssuer of the certificates.", ["letsencrypt-prod"]),
        wildcardClusterIssuer: text("ClusterIssuer with a DNS-01 solver, which wildcards need.").optional(),
        entryPoint: text("Traefik entry point for HTTPS. Default websecure.").optional(),
        httpEntryPoint: text("Traefik entry point for HTTP, redirected to HTTPS. Default web.").optional(),
        trustedProxies: texts(
          "Addresses (CIDR) of proxies whose X-Forwarded-For is trusted. Default: the private ranges.",
        ).optional(),
      })
      .meta({ description: "How public hosts reach the cluster." }),
    secrets: z
      .strictObject({
        store: z
          .strictObject({
            name: text("Name of the SecretStore or ClusterSecretStore."),
            kind: z
              .enum(Object.values(SecretStoreKind))
              .meta({ description: "Its kind. Default ClusterSecretStore." })
              .optional(),
            prefix: text("Put before a Secret's namespace and name, team/cloudsuite-admin, to make the remote key.", [
              "prod/",
            ]).optional(),
            refreshInterval: text("How often values are read again, as a Go duration. Default 1h0m0s.").optional(),
          })
          .meta({
            description:
              "External Secrets store that all Secrets are synced from. Default: generated in the stack's state.",
          })
          .optional(),
        generate: flag(
          "Generates what can be generated all the same, so that only the rest comes from the store. Default false.",
        ).optional(),
        existing: textMap(
          "Secrets that exist already: the platform's name to the name of the Secret in the same namespace.",
        ).optional(),
        revisions: z
          .record(z.string(), z.int().min(0))
          .meta({
            description:
              "Counters of Secrets: raising one makes a new value where that is safe, and rolls the pods that read it.",
          })
          .optional(),
      })
      .meta({ description: "Where secrets come from." })
      .optional(),
    objectStorage: z
      .strictObject({
        endpoint: text("URL of the endpoint of forge and hub; a suite's stands in its config.yaml.", [
          "https://fsn1.your-objectstorage.com",
        ]).optional(),
        region: text("Region code the store signs with.", ["fsn1"]).optional(),
        bucketSuffix: text("Part of the buckets' names, <use>-<suffix>-<namespace>. Never change it.", [
          "a1b2",
        ]).optional(),
        existingBuckets: flag("The buckets of forge and hub exist already. Default false: they are made.").optional(),
        provider: z
          .enum(Object.values(ObjectStoreProvider))
          .meta({ description: "Maker of the object store. Default: known by the endpoint, else generic." })
          .optional(),
        provisioner: z
          .enum(Object.values(BucketProvisioner))
          .meta({
            description:
              "Who makes the buckets: aws (default), this program with the S3 API; cluster, a resource manager in the cluster.",
          })
          .optional(),
        cluster: z
          .strictObject({
            apiVersion: text(
              "API version of the objects. Default s3.aws.upbound.io/v1beta2, Crossplane's AWS provider.",
            ).optional(),
            kind: text("Kind of the objects. Default Bucket.").optional(),
            providerConfig: text(
              "Name of the ProviderConfig with endpoint and credentials. Default default.",
            ).optional(),
            namespace: text("Namespace of the objects, for kinds that have one.").optional(),
          })
          .meta({ description: "The Bucket objects of provisioner cluster." })
          .optional(),
      })
      .meta({ description: "How buckets are made. Default: by this program, as the endpoint's provider can." })
      .optional(),
    images: z
      .strictObject({
        mirrors: textMap("Prefix of an image to what takes its place; the longest prefix first.").optional(),
        pullSecrets: texts("Names of image-pull Secrets in every namespace of the stack.").optional(),
        lock: text(
          "File with the digest of every image, relative to the project; npm run images -- lock writes it. Default none: images are pulled by their tags.",
          ["images.lock.json"],
        ).optional(),
      })
      .meta({ description: "Where images come from." })
      .optional(),
    workload: workload.meta({ description: "Settings of every workload." }).optional(),
    workloads: z
      .record(z.string(), workload)
      .meta({ description: "Settings of one workload by its name, over those of every workload." })
      .optional(),
    privateCa: z
      .strictObject({
        configMap: text("ConfigMap in every namespace of the stack."),
        key: text("Key that holds the PEM bundle. Default ca.crt.").optional(),
      })
      .meta({ description: "A certificate authority of one's own, beside the public ones." })
      .optional(),
    monitoring: flag("PodMonitors and ServiceMonitors for the Prometheus operator. Default true.").optional(),
    allowDataLoss: texts(
      "What may be lost, as namespace/name, of a namespace or a bucket its name: the one unlock of every refusal to lose data.",
    ).optional(),
    admission: admission.optional(),
    siteWebhook: siteWebhook.optional(),
    cloudsuites: z.array(cloudsuite).meta({ description: "The collaboration suites. Default none." }).optional(),
  })
  .meta({ title: "hearth", description: "Settings of a stack." });

/** The settings of a stack without problems. */
export type StackSettings = z.infer<typeof StackSettings>;

/** The settings of one suite. */
export type CloudSuiteSettings = z.infer<typeof cloudsuite>;
