import type { Field } from "../../core/field.ts";
import { containers, podTemplate, workloadKinds } from "../../core/pods.ts";
import { Level, resourcePolicy, Severity, violation } from "../../core/policy.ts";
import type { Resource } from "../../core/resource.ts";

/** Environment names whose value is a secret. A file's or a Secret's name is none. */
const secretName = /(?:password|passwd|secret|token|api_?key|access_?key|private_?key)$/i;

/** An address with a password, or a private key: secret wherever it stands. */
const secretText = /:\/\/[^\s/:@]+:[^\s/@]+@|-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/;

export const plainSecrets = resourcePolicy({
  id: "sec-no-plain-secret",
  title: "Secrets in Secrets only",
  rule: "No password, token or key stands in an environment value, an argument, a ConfigMap or an annotation.",
  severity: Severity.critical,
  level: Level.mandatory,
  remediation: "Put it in a Secret, name that by secretKeyRef or a volume, and change it: it was in the clear.",
  tags: ["secrets"],
  settings: {},
  kinds: [...workloadKinds, "ConfigMap"],
  *check(resource) {
    for (const container of containers(resource))
      for (const variable of container.get("env").items) {
        const value = variable.get("value");
        if ((value.text ?? "") !== "" && secretName.test(variable.get("name").text ?? ""))
          yield violation(value, "It must come from a Secret.");
      }
    for (const field of textsOf(resource))
      if (secretText.test(field.text ?? "")) yield violation(field, "It must not hold a password or a private key.");
  },
});

function textsOf(resource: Resource): readonly Field[] {
  const texts = (map: Field) => map.entries.map(([, field]) => field);
  return [
    ...texts(resource.get("metadata", "annotations")),
    ...texts(podTemplate(resource)?.get("metadata", "annotations") ?? resource.get("data")),
    ...containers(resource).flatMap((container) => [
      ...container.get("env").items.map((variable) => variable.get("value")),
      ...container.get("command").items,
      ...container.get("args").items,
    ]),
  ];
}
