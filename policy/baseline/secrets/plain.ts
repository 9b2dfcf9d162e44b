import type { Field } from "../../core/field.ts";
import { containers, podTemplate, workloadKinds } from "../../core/pods.ts";
import { Level, resourcePolicy, Severity, violation } from "../../core/policy.ts";
import type { Resource } from "../../core/resource.ts";

/** Environment names whose value is a secret. A file's or a Secret's name is none. */
const secretName = /(?:password|passwd|secret|token|api_?key|access_?key|private_?key)$/i;

/** Secret wherever it stands: an address with a password, a private key, a token of GitHub, GitLab, Slack or AWS by its form. What is filled in later is none. */
const secretText = new RegExp(
  [
    String.raw`:\/\/[^\s/:@]*:(?![$<{%])[^\s/@]+@`,
    "-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    String.raw`\b(?:gh[pousr]_\w{36}|glpat-[\w-]{20}|xox[abprs]-[\w-]{10}|A[KS]IA[0-9A-Z]{16}\b)`,
  ].join("|"),
);

/** An option whose value is a secret, unless it is a file's or an environment variable's: `--password=…`. */
const secretOption = /^--?[\w-]*(?:password|passwd|secret|token|api-?key|access-?key)=(?![$/.]).+/i;

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
    for (const option of containers(resource).flatMap(wordsOf))
      if (secretOption.test(option.text ?? "")) yield violation(option, "It must not hold a secret.");
    for (const field of textsOf(resource))
      if (secretText.test(field.text ?? ""))
        yield violation(field, "It must not hold a password, a token or a private key.");
  },
});

function textsOf(resource: Resource): readonly Field[] {
  const texts = (map: Field) => map.entries.map(([, field]) => field);
  return [
    ...texts(resource.get("metadata", "annotations")),
    ...texts(podTemplate(resource)?.get("metadata", "annotations") ?? resource.get("data")),
    ...containers(resource).flatMap((container) => [
      ...container.get("env").items.map((variable) => variable.get("value")),
      ...wordsOf(container),
    ]),
  ];
}

/** The words of a container's command line. */
function wordsOf(container: Field): readonly Field[] {
  return [...container.get("command").items, ...container.get("args").items];
}
