import { cloudSuite, cloudSuiteStorage } from "@hearth-platform/hearth/cloudsuite/schema";
import { flag, without } from "@hearth-platform/hearth/core/schema";
import { storageClasses } from "@hearth-platform/hearth/limits/sets";
import { limits } from "@hearth-platform/hearth/limits/table";
import { z } from "zod";

/** The shape of config.yaml: the specification's table "config.yaml fields". A field is described where the component's argument is. */

/** Hints for editors that hold once a field of a block has a value; the rules check the same. */
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

const { namespace, domain, versions, s3, storage, resources, replicas, office, whiteboard } = cloudSuite.shape;

/** What is said of an argument's block. */
const of = (argument: z.ZodType) => ({ description: argument.meta()?.description });

export const ConfigFile = z
  .strictObject({
    namespace,
    domain,
    versions,
    s3,
    storage: z.strictObject(without(cloudSuiteStorage, "dbClass", "keystoreClass", "webSize")).meta(of(storage)),
    resources,
    replicas,
    office: z
      .strictObject({
        enabled: flag("Whether documents can be edited in the browser."),
        domain: office.unwrap().shape.domain.optional(),
        resources: office.unwrap().shape.resources.optional(),
      })
      .meta({ ...of(office.unwrap()), ...neededIfEnabled("domain", "resources") }),
    whiteboard: z
      .strictObject({
        enabled: flag("Whether the suite has a whiteboard."),
        resources: whiteboard.unwrap().shape.resources.optional(),
      })
      .meta({ ...of(whiteboard.unwrap()), ...neededIfEnabled("resources") }),
  })
  .meta({
    title: "config.yaml",
    description: "A collaboration suite.",
    allOf: [
      onceIn("office", "enabled", true, { versions: { required: ["office"] } }),
      onceIn("whiteboard", "enabled", true, { versions: { required: ["whiteboard"] } }),
      onceIn("storage", "storageClass", storageClasses.replicatedBlock, {
        replicas: {
          properties: {
            cloudsuite: { maximum: limits.cloudsuiteReplicas.most({ storageClass: storageClasses.replicatedBlock }) },
          },
        },
      }),
    ],
  });

/** The content of a config.yaml without problems. */
export type ConfigFile = z.input<typeof ConfigFile>;
