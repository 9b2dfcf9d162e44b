import { ingress, platform, privateCa, profile, secrets } from "@hearth-platform/hearth/core/platform-schema";
import { block, defaultsTo, optional, text, texts, without } from "@hearth-platform/hearth/core/schema";
import { dnsLabel, endpointUrl, hostName, ownNamespaceName } from "@hearth-platform/hearth/core/value-rules";
import { storageClasses } from "@hearth-platform/hearth/limits/sets";
import { singleWriterClass } from "@hearth-platform/hearth/limits/value-rules";
import { bucketSettings } from "@hearth-platform/hearth/stores/object-storage/schema";
import { storesObjectStorage } from "@hearth-platform/hearth/stores/shared/schema";
import { z } from "zod";
import { areas } from "../areas/index.ts";
import { uid } from "./cluster-choice.ts";
import { kitRecipients } from "./kit-recipients.ts";

/** The settings of a stack, each a key `hearth:<name>` of `Pulumi.<stack>.yaml`. */

const cluster = block("Kubernetes", "The cluster.", {
  context: text("Context of the kubeconfig."),
  kubeconfig: optional(text("Path of the kubeconfig."), "KUBECONFIG, then ~/.kube/config"),
  identity: optional(
    text(
      "UID of the namespace kube-system in the one cluster that hearth accepts. Set it to accept a rebuilt cluster.",
      {
        rule: uid,
      },
    ),
    "the cluster of the last update",
  ),
});

const objectStorage = block("ObjectStorage", "The object store of forge and hub, and how the buckets are made.", {
  endpoint: optional(
    text("URL of the endpoint for forge and hub. A suite's endpoint is in its config.yaml.", {
      examples: ["https://fsn1.your-objectstorage.com"],
      rule: endpointUrl,
    }),
    "none; forge and hub need one",
  ),
  region: optional(storesObjectStorage.shape.region, "none; forge and hub need one"),
  bucketSuffix: optional(
    text("Part of the buckets' names, `<use>-<suffix>-<namespace>`. Never change it.", {
      examples: ["a1b2"],
      rule: dnsLabel,
    }),
    "none; forge and hub need one",
  ),
  existingBuckets: storesObjectStorage.shape.existingBuckets,
  ...bucketSettings.shape,
});

const images = block("Images", "Mirrors, pull Secrets and digests of images.", {
  ...without(platform.shape.images.unwrap(), "digests"),
  lock: optional(
    text("File with the digest of every image, relative to the project; `./hearth images lock` writes it.", {
      examples: ["images.lock.json"],
    }),
    "none: images are pulled by their tags",
  ),
});

const kit = block("Kit", "The recovery kit, which `./hearth kit` writes.", {
  recipients: texts(
    "Public keys of age that a kit is encrypted for: any one of their private keys opens it. Name two or more, whose private keys are in different places.",
    { rule: kitRecipients },
  ),
});

const databaseOperator = block("DatabaseOperator", "CloudNativePG's operator.", {
  namespace: platform.shape.databaseOperatorNamespace,
});

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type AreaSettings = Intersection<(typeof areas)[keyof typeof areas]["settings"]>;

/** The settings of all areas. */
const areaSettings = Object.assign({}, ...Object.values(areas).map(({ settings }) => settings)) as {
  [Key in keyof AreaSettings]: AreaSettings[Key];
};

export const StackSettings = z
  .strictObject({
    profile,
    kubernetes: optional(cluster, "the current context of the kubeconfig"),
    namespace: optional(
      text("Namespace that forge and hub share.", { examples: ["platform"], rule: ownNamespaceName }),
      "platform",
    ),
    domain: optional(
      text("Parent domain of the hosts of forge and hub.", { examples: ["example.org"], rule: hostName }),
      "none",
    ),
    ...areaSettings,
    ingress,
    secrets: optional(secrets, "generated once in the stack's state"),
    objectStorage: optional(objectStorage, "buckets are made by this program, as the endpoint's provider can"),
    kit: optional(kit, "none: no kit can be made"),
    images: optional(images, "their makers' registries"),
    workload: platform.shape.workload,
    workloads: platform.shape.workloads,
    privateCa: optional(privateCa, "none"),
    monitoring: platform.shape.monitoring,
    monitoringLabels: platform.shape.monitoringLabels,
    privacy: platform.shape.privacy,
    mail: platform.shape.mail,
    databaseOperator: optional(databaseOperator, "any namespace: its pods are known by their label"),
    networkPolicies: platform.shape.networkPolicies,
    clusterNetworks: platform.shape.clusterNetworks,
    storageClass: defaultsTo(
      text(
        "Storage class of databases, keystores and repositories, whose volumes have one writer each. One other than `replicated-block` needs its entry in `limits`. A suite's web volume has its own, `storage.storageClass` of config.yaml.",
        { rule: singleWriterClass },
      ),
      storageClasses.replicatedBlock,
    ),
    limits: platform.shape.limits,
    existingNamespaces: platform.shape.existingNamespaces,
    allowDataLoss: platform.shape.allowDataLoss,
  })
  .meta({ title: "hearth", description: "Settings of a stack." });

/** The settings of a stack without problems. */
export type StackSettings = z.input<typeof StackSettings>;
