import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

/** Fields by which a client takes any certificate. */
const unchecked = /^(?:insecure|insecure_?skip_?(?:tls_?)?verify|skip_?(?:tls_?)?verify|tls_?insecure)$/i;

/** Fields of the oldest or newest version that is spoken, and versions that are broken. */
const version = /^(?:(?:min|max)(?:imum)?(?:tls|ssl)?(?:protocol)?version|ssl_(?:min|max)_protocol_version)$/i;
const old = /^(?:(?:version)?(?:tls|ssl)[v_]?)?(?:[23]0?|1(?:[._]?[01])?|30)$/i;

const weakCipher = /RC4|3DES|_DES_|NULL|EXPORT|_MD5|anon/i;

export const tlsStrength = resourcePolicy({
  id: "net-tls-strength",
  title: "TLS that protects",
  rule: "TLS is of version 1.2 or newer, with ciphers that are not broken, and a client checks the certificate of its server.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Write version 1.2 or newer, and give the client the certificate authority of its server.",
  unseen: "Settings in a ConfigMap or on a command line, and connections without any TLS.",
  tags: ["network", "tls"],
  settings: {},
  kinds: "any",
  *check(resource) {
    // Of Kubernetes' own kinds only an API service has such a field.
    const isJudged = resource.isCustom || resource.groupKind === "apiregistration.k8s.io/APIService";
    for (const field of isJudged ? resource.inputs.walk() : []) {
      const key = String(field.key ?? "");
      if (unchecked.test(key) && isTrue(field))
        yield violation(field, "It must not be true: anybody could be the server.");
      if (version.test(key) && old.test(field.text ?? "")) yield violation(field, "It must be TLS 1.2 or newer.");
      if (key === "cipherSuites")
        for (const cipher of field.items)
          if (weakCipher.test(cipher.text ?? "")) yield violation(cipher, "It must be a cipher that is not broken.");
    }
  },
});

function isTrue({ value }: Field): boolean {
  return value === true || value === "true";
}
