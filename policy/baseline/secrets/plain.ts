import type { Field } from "../../core/field.ts";
import { containers, podTemplateOf } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { givesSecret, isLiteralSecret, isSecretSetting } from "./named-values.ts";
import { holdsKnownSecret } from "./published-rules.ts";

/** Secret wherever it stands: an address with a password, a private key. What is filled in later is none. */
const secretText = /:\/\/[^\s/:@]*:(?![$<{%])[^\s/@]+@|-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/;

/** An option whose value is a secret, unless it is a file's or an environment variable's: `--password=…`. */
const secretOption = /^--?[\w-]*(?:password|passwd|secret|token|api-?key|access-?key)=(?![$/.]).+/i;

/** Objects whose values are secrets, or say where one is. */
const secretKinds = ["Secret", "external-secrets.io/ExternalSecret"];

export const plainSecrets = resourcePolicy({
  id: "sec-no-plain-secret",
  title: "Secrets in Secrets only",
  rule: "Passwords, tokens and keys are only in Secrets: not in variables, arguments, ConfigMaps, annotations or the objects of operators.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation:
    "Put it in a Secret, refer to the Secret by secretKeyRef or a volume, and change the value: it was stored in the clear.",
  tags: ["secrets"],
  settings: {},
  kinds: "any",
  *check(resource) {
    if (resource.apiVersion === "") return;
    for (const container of containers(resource))
      for (const variable of container.get("env").items) {
        const value = variable.get("value");
        if (isSecretSetting(variable.get("name").text ?? "", value.text ?? ""))
          yield violation(value, "It must come from a Secret.");
      }
    for (const option of containers(resource).flatMap(wordsOf))
      if (secretOption.test(option.text ?? "")) yield violation(option, "It must not hold a secret.");
    for (const field of textsOf(resource)) if (isSecret(field.text ?? "")) yield violation(field, notHere);
    if (resource.groupKind === "ConfigMap") {
      for (const [key, field] of resource.get("data").entries)
        if (givesSecret(field.text ?? "") || isLiteralSetting(key, field.text ?? "")) yield violation(field, notHere);
      for (const [key, field] of resource.get("binaryData").entries) {
        const text = Buffer.from(field.text ?? "", "base64").toString("latin1");
        if (isSecret(text) || givesSecret(text) || isLiteralSetting(key, text)) yield violation(field, notHere);
      }
    }
    if (resource.isCustom && !secretKinds.includes(resource.groupKind))
      for (const field of resource.inputs.walk())
        if (isSecret(field.glance?.text ?? "")) yield violation(field, notHere);
  },
});

function isLiteralSetting(name: string, value: string): boolean {
  return isLiteralSecret(value) && isSecretSetting(name, value);
}

const notHere = "It must not hold a password, a token or a private key.";

function isSecret(text: string): boolean {
  return secretText.test(text) || holdsKnownSecret(text);
}

function textsOf(resource: PolicyResource): readonly Field[] {
  const texts = (map: Field) => map.entries.map(([, field]) => field);
  const template = podTemplateOf(resource);
  return [
    ...texts(resource.get("metadata", "annotations")),
    ...(template ? texts(template.get("metadata", "annotations")) : []),
    ...(resource.groupKind === "ConfigMap" ? texts(resource.get("data")) : []),
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
