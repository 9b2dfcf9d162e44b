import { keystoreDatabases } from "@hearth-platform/hearth/catalogue/keystore-databases";
import { names } from "@hearth-platform/hearth/catalogue/names";
import { ports } from "@hearth-platform/hearth/catalogue/ports";
import { suiteKind } from "@hearth-platform/hearth/limits/limit";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import type { Field } from "../core/field.ts";
import { containers, workloadKinds } from "../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../core/policy.ts";
import type { PolicyResource } from "../core/resource.ts";
import { fieldAt, isOfSuite } from "./suites.ts";

const connections = {
  [suiteKind]: ["database", "host"],
  "hearth/Forge": ["database", "host"],
  "hearth/Hub": ["database", "host"],
};

/** All text by which a workload or its configuration may name an address. */
function texts(resource: PolicyResource): readonly Field[] {
  if (resource.groupKind === "ConfigMap") return resource.get("data").entries.map(([, field]) => field);
  return containers(resource).flatMap((container) => [
    ...container.get("env").items.map((variable) => variable.get("value")),
    ...container.get("command").items,
    ...container.get("args").items,
  ]);
}

export const poolerOnly = resourcePolicy({
  id: "lim-db-pooler-only",
  title: "Databases through the pooler",
  rule: "Applications connect to a database through its pooler. Only the operator and the pooler use the direct services: no text of another object names them, and no Service selects the database's own pods.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: `Use the pooler's service, such as ${sharedNames.pooler}.`,
  unseen: "Addresses of pods, other names that lead there by DNS, and clusters that the setting does not name.",
  tags: ["limits", "database", "network"],
  settings: {
    clusters: {
      description: "Names of the database clusters. Clusters that a recovery of one of them makes are included.",
      default: [sharedNames.database, names.cloudsuite.database] as readonly string[],
    },
    allowed: { description: "Names of workloads that may connect directly.", default: [] as readonly string[] },
  },
  kinds: "any",
  *check(resource, { clusters, allowed }) {
    if (ofOperator.test(resource.groupKind) || (allowed.length > 0 && allowed.includes(resource.name ?? ""))) return;
    const ofComponent = fieldAt(resource, connections);
    if (!ofComponent && resource.apiVersion === "") return;
    const services = clusters.map(directService);
    const named = ofComponent ? [ofComponent] : texts(resource);
    for (const field of named)
      if (readingsOf(field.text ?? "").some((reading) => services.some((service) => service.test(reading))))
        yield violation(field, "It names a direct service of the database.");
    for (const { text, keys } of ofComponent ? [] : resource.texts) {
      const isName =
        keys[0] === "metadata" || (/^(?:name|app|cluster)$/.test(String(keys.at(-1))) && !isReference(keys));
      const field = resource.get(...keys);
      if (isName || named.some((each) => each.path === field.path)) continue;
      if (readingsOf(text).some((reading) => services.some((service) => service.test(reading))))
        yield violation(field, "It names a direct service of the database.");
    }
    const selector = resource.get("spec", "selector");
    if (resource.groupKind === "Service")
      for (const [key, label] of selector.entries)
        if (key === "cnpg.io/cluster" && selector.get("cnpg.io/podRole").value !== "pooler")
          yield violation(label, "It selects the database's own pods.");
  },
});

/** The operator's own objects, rules for its traffic, and certificates of its services. */
const ofOperator = /^(?:(?:postgresql|barmancloud)\.cnpg\.io|cert-manager\.io)\/|^networking\.k8s\.io\/NetworkPolicy$/;

/** Whether a name is of a service: a backend of a route, the target of a monitor or an autoscaler. */
function isReference(keys: readonly (string | number)[]): boolean {
  return keys.some((key) => /^(?:services?|backendRefs|backend|defaultBackend)$/.test(String(key)));
}

/** A text as it is, and a word of base64 in it as what it says. */
function readingsOf(text: string): string[] {
  const words = [...text.matchAll(/[\w+/-]{12,}={0,2}/g)].map(([word]) =>
    Buffer.from(word, "base64").toString("latin1"),
  );
  return [text, ...words];
}

/** The services that the operator makes beside the pooler: of the primary, of the standbys, of all. */
function directService(cluster: string): RegExp {
  const name = cluster.replace(/\W/g, "\\$&");
  return new RegExp(`(?<![\\w-])${name}(?:-[a-z0-9]+)*-(?:rw|ro|r|any)(?![\\w-])`, "i");
}

/** Databases of the keystore by the start of their owners' names. */
const owners = {
  "forge-": [keystoreDatabases.forgeCache, keystoreDatabases.forgeJobQueue],
  "hub-": [keystoreDatabases.hub],
} as const;
const ofSuite = [keystoreDatabases.cloudsuite, keystoreDatabases.cloudsuiteSessions];

const keystoreHost = `${names.keystore}(?:\\.[a-z0-9-]+)*\\.?`;
/** An address with its scheme or its port, and the number as its path or in its query. */
const keystoreAddress = new RegExp(
  `(?:rediss?://(?:[^\\s/@]*@)?${keystoreHost}(?::${ports.keystore})?|(?<![\\w.-])${keystoreHost}:${ports.keystore})` +
    "(?:/(\\d+)|/?\\?(?:[^\\s#]*&)?db=(\\d+))",
  "gi",
);

export const keystoreDatabase = resourcePolicy({
  id: "lim-keystore-db",
  title: "Databases of the keystore",
  rule: `The forge uses the keystore's databases ${owners["forge-"].join(" and ")}, the hub ${owners["hub-"]}, and a suite ${ofSuite.join(" and ")} of its own.`,
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Write the number of the application's own database.",
  unseen: "Numbers apart from the address, such as in a variable of their own, and addresses in a Secret.",
  tags: ["limits", "keystore"],
  settings: {},
  kinds: [...workloadKinds, "ConfigMap"],
  *check(resource) {
    const own = databasesOf(resource);
    if (!own) return;
    for (const field of texts(resource))
      for (const [, inPath, inQuery] of (field.text ?? "").matchAll(keystoreAddress))
        if (!own.includes(Number(inPath ?? inQuery)))
          yield violation(field, `Of the keystore it may use database ${own.join(" and ")} alone.`);
  },
});

function databasesOf(resource: PolicyResource): readonly number[] | undefined {
  const name = resource.name ?? "";
  const [, numbers] = Object.entries(owners).find(([start]) => name.startsWith(start)) ?? [];
  return numbers ?? (isOfSuite(resource) ? ofSuite : undefined);
}
