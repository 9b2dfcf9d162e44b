import type { Field, NamedText } from "../../core/field.ts";
import { containers, podTemplateOf } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { holdsSecret } from "./forms.ts";
import { isLiteralSecret, isSecretSetting } from "./named-values.ts";
import { isPublicPlace, namesSecret } from "./public-texts.ts";

export const plainSecrets = resourcePolicy({
  id: "sec-no-plain-secret",
  title: "Secrets in Secrets only",
  rule: "Passwords, tokens and keys are only in Secrets: not in variables, arguments, ConfigMaps, labels, annotations, templates of external secrets or the objects of operators, nor there in base64.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation:
    "Put it in a Secret, refer to the Secret by secretKeyRef or a volume, and change the value: it was stored in the clear.",
  unseen:
    "A secret in words of its own, compressed or encrypted text, one that is put together from several values, and a simple value of a field called secret, which may be a Secret's name.",
  tags: ["secrets"],
  settings: {},
  kinds: "any",
  *check(resource) {
    if (resource.apiVersion === "") return;
    for (const field of settingsOf(resource)) field.value;
    const found = resource.texts.filter(
      (each) => each.text !== "" && isSecret(resource, each) && !isPublicPlace(resource, each),
    );
    const lines = commandLines(resource).filter((words) => !words.some((word) => found.includes(word)));
    for (const { keys } of found) yield violation(resource.get(...keys), notHere);
    for (const words of lines)
      if (holdsSecret(words.map(({ text }) => text).join(" ")))
        yield violation(resource.get(...(words[0]?.keys.slice(0, -1) ?? [])), notHere);
  },
});

const notHere = "It must not hold a password, a token or a private key.";

/** Command lines by their words: some options are one's of a certain program. */
function commandLines({ texts }: PolicyResource): NamedText[][] {
  const words = texts.filter(({ keys }) => keys.at(-2) === "command" || keys.at(-2) === "args");
  return [...Map.groupBy(words, ({ keys }) => keys.slice(0, -1).join(".")).values()];
}

function isSecret(resource: PolicyResource, { text, name, keys }: NamedText): boolean {
  if (isVariable(keys)) return isSecretSetting(name, text) || holdsSecret(text);
  if (resource.groupKind === "ConfigMap" && keys[0] === "binaryData") {
    const content = Buffer.from(text, "base64").toString("latin1");
    return holdsSecret(content) || (isLiteralSecret(content) && isSecretSetting(name, content));
  }
  const isOwn = resource.groupKind !== "ConfigMap" || keys[0] === "metadata";
  const isNamed = isLiteralSecret(text) && isSecretSetting(name, text) && !(isOwn && namesSecret(name, text));
  return isNamed || holdsSecret(text);
}

/** The value of a container's variable: what is there by a secret's name is a secret, be it a path. */
function isVariable(keys: readonly (string | number)[]): boolean {
  return keys.at(-1) === "value" && keys.at(-3) === "env";
}

/** What has to be known before anything can be said: settings, command lines and notes of the object. */
function settingsOf(resource: PolicyResource): readonly Field[] {
  const texts = (map: Field) => map.entries.map(([, field]) => field);
  const template = podTemplateOf(resource);
  return [
    ...texts(resource.get("metadata", "annotations")),
    ...(template ? texts(template.get("metadata", "annotations")) : []),
    ...(resource.groupKind === "ConfigMap"
      ? [...texts(resource.get("data")), ...texts(resource.get("binaryData"))]
      : []),
    ...containers(resource).flatMap((container) => [
      ...container.get("env").items.flatMap((variable) => [variable.get("name"), variable.get("value")]),
      ...container.get("command").items,
      ...container.get("args").items,
    ]),
  ];
}
