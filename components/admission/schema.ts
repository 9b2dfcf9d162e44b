import { storageClasses } from "../catalogue/limits.ts";
import { platform } from "../core/platform-schema.ts";
import { as, block, choice, count, defaultsTo, list, optional, text } from "../core/schema.ts";
import { fixedSet, namespaceName } from "../core/value-rules.ts";

export const admissionAction = choice(
  "AdmissionAction",
  { warn: "warn", audit: "audit", deny: "deny" },
  "What the API server does with a change that breaks a limit.",
  {
    warn: "Admits it, warns whoever makes it, and notes it in the audit log.",
    audit: "Admits it and notes it in the audit log.",
    deny: "Refuses it and notes it in the audit log; what the limits only recommend is warned about.",
  },
);

const storageClass = (path: string, value: string | undefined) => fixedSet(path, value, Object.values(storageClasses));

export const admissionNamespace = block("AdmissionNamespaceArgs", "A namespace whose objects are judged.", {
  name: text("Its name.", { rule: namespaceName }),
  storageClass: optional(
    text("Storage class of its suite's web volume, which decides how many web pods it may have.", {
      rule: storageClass,
    }),
    "no suite in it",
  ),
  files: optional(
    count("Number of files its suite is meant for; the least size of the database's volume follows from it."),
    "the least there is",
  ),
});

export const admission = block(
  "AdmissionArgs",
  'The table "Limits" inside the cluster: the API server judges whoever scales or changes what is deployed.',
  {
    namespace: defaultsTo(
      text(
        "Namespace of the ConfigMap with the limits, made with it; names of the policies start with it. Each stack of a cluster needs its own.",
        { rule: namespaceName },
      ),
      "hearth-limits",
    ),
    action: defaultsTo(as(admissionAction, "What happens to a change that breaks a limit."), "warn"),
    namespaces: list(admissionNamespace, "Namespaces whose objects are judged; all others are left alone."),
    platform: as(platform, "Settings every component of the stack shares."),
  },
);
