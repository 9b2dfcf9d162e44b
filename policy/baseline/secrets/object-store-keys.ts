import { names } from "@hearth-platform/hearth/catalogue/names";
import { objectStoreKeys } from "@hearth-platform/hearth/stores/connections";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";

const storeKind = "barmancloud.cnpg.io/ObjectStore";

export const objectStoreCredentials = resourcePolicy({
  id: "sec-object-store-keys",
  title: "Both keys of the object store",
  rule: `A Secret with the object store's credentials has both of its keys: ${Object.values(objectStoreKeys).join(" and ")}.`,
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: `Add the key that is missing; the names are ${Object.values(objectStoreKeys).join(" and ")}.`,
  unseen: "Whether the keys are right, and a Secret of another name whose values the update makes.",
  tags: ["secrets", "storage"],
  settings: {
    secrets: {
      description: "Names of the Secrets that hold such credentials.",
      default: [sharedNames.objectStoreCredentials, names.cloudsuite.objectStoreCredentials],
    },
  },
  kinds: ["Secret", "external-secrets.io/ExternalSecret", storeKind],
  *check(resource, { secrets }) {
    if (resource.groupKind === storeKind) {
      const credentials = resource.get("spec", "configuration", "s3Credentials");
      if (!credentials.exists || credentials.get("inheritFromIAMRole").value === true) return;
      for (const key of ["accessKeyId", "secretAccessKey"])
        for (const part of ["name", "key"])
          if ((credentials.get(key, part).text ?? "") === "")
            yield violation(credentials.get(key, part), "It must name the Secret and its key.");
      return;
    }
    const wanted = Object.values(objectStoreKeys);
    const isNamed = secrets.includes(secretOf(resource) ?? "");
    const keys = keysOf(resource, isNamed);
    // Whatever its name, a Secret with one of them is meant to have both.
    if (!keys || !(isNamed || wanted.some((key) => keys.names.includes(key)))) return;
    for (const key of wanted) if (!keys.names.includes(key)) yield violation(keys.field, `The key ${key} is missing.`);
  },
});

/** Name of the Secret that a resource is or makes. */
function secretOf(resource: PolicyResource): string | undefined {
  return resource.get("spec", "target", "name").text ?? resource.name;
}

interface Keys {
  readonly field: Field;
  readonly names: readonly string[];
}

/**
 * The keys a Secret gets; undefined where only the store knows them.
 * @param isNamed whether it holds such credentials by its name. Of another Secret the update may still make the values.
 */
function keysOf(resource: PolicyResource, isNamed: boolean): Keys | undefined {
  if (resource.groupKind === "Secret") {
    const maps = [resource.get("data"), resource.get("stringData")].map((map) => (isNamed ? map : map.glance));
    return {
      field: resource.get("data"),
      names: maps.flatMap((map) => map?.entries.map(([key]) => key) ?? []),
    };
  }
  const template = resource.get("spec", "target", "template", "data");
  if (template.exists) return { field: template, names: template.entries.map(([key]) => key) };
  if (resource.get("spec", "dataFrom").items.length > 0) return undefined;
  const data = resource.get("spec", "data");
  return { field: data, names: data.items.map((entry) => entry.get("secretKey").text ?? "") };
}
