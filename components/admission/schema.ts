import { platform } from "../core/platform-schema.ts";
import type { Resolved } from "../core/resolve.ts";
import { as, block, choice, count, defaultsTo, flag, list, optional, text } from "../core/schema.ts";
import { namespaceName } from "../core/value-rules.ts";
import { limits } from "../limits/table.ts";
import { allowedName } from "../limits/value-rules.ts";

/** Namespace of the limits when none is named. */
export const defaultNamespace = "hearth-limits";

export const admissionAction = choice(
  "AdmissionAction",
  { warn: "warn", audit: "audit", deny: "deny" },
  "What the API server does with a change that breaks a limit.",
  {
    warn: "Admits it, warns the client, and records it in the audit log.",
    audit: "Admits it and records it in the audit log.",
    deny: "Refuses it and records it in the audit log. Limits that are only recommended give warnings.",
  },
);

export const admissionNamespace = block("AdmissionNamespaceArgs", "A namespace whose objects are checked.", {
  name: text("Its name.", { rule: namespaceName }),
  storageClass: optional(
    text("Storage class of its suite's web volume, e.g. `smb-csi`, which decides how many web pods it may have.", {
      rule: allowedName(limits.storageClass),
    }),
    "no suite in it",
  ),
  users: optional(
    count("Number of users the suite is meant for. It sets the recommended resources of its web pods."),
    "the least there is",
  ),
  files: optional(
    count("Number of files the suite is meant for. It sets the smallest size of the database's volume."),
    "the least there is",
  ),
});

export const admission = block(
  "AdmissionArgs",
  'The table "Limits" inside the cluster: the API server judges whoever scales or changes what is deployed.',
  {
    namespace: defaultsTo(
      text(
        "Namespace of the ConfigMap with the limits, created with it. The policies' names start with it. Each stack of a cluster needs its own.",
        { rule: namespaceName },
      ),
      defaultNamespace,
    ),
    action: defaultsTo(as(admissionAction, "What happens to a change that breaks a limit."), "warn"),
    drills: defaultsTo(
      flag("Lets a drill make its own database, which has one instance whatever the limits say; nobody else can."),
      false,
    ),
    namespaces: list(admissionNamespace, "Namespaces whose objects are checked. The policies ignore all others."),
    platform: as(platform, "Settings that all components of the stack share."),
  },
);

/** The arguments of the limits in the cluster with their defaults. */
export interface ResolvedAdmission extends Resolved<typeof admission> {}
