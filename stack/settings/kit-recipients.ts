import { error, type Problem, warning } from "@hearth-platform/hearth/core/problems";

/** The form of a public key: X25519, or the hybrid against quantum computers. Letters and digits of bech32 (BIP 173). */
const form = /^age1(?:[ac-hj-np-z02-9]{58}|pq1[ac-hj-np-z02-9]{1000,3000})$/;

/** The keys that a recovery kit is encrypted for. Whether a key is whole, the encryption itself tells. */
export function kitRecipients(path: string, keys: readonly string[] | undefined): Problem[] {
  if (keys === undefined) return [];
  const wrong = keys.flatMap((key, index) => (form.test(key) ? [] : [notPublic(`${path}[${index}]`, key)]));
  if (wrong.length > 0 || keys.length === 0 || new Set(keys).size > 1) return wrong;
  return [
    warning(
      "one-recipient",
      path,
      "The kit is for one key. If that is lost, nobody can open it.",
      "Add the public key of a second person or place.",
    ),
  ];
}

function notPublic(path: string, key: string): Problem {
  if (/^age-secret-key-/i.test(key))
    return error(
      "private-key",
      path,
      "The value is a private key. Whoever reads the settings could open every kit.",
      "Make a new pair of keys with age-keygen, write the public key here, and use this one no more.",
    );
  return error(
    "age-key",
    path,
    "The value is not a public key of age.",
    'Write what age-keygen prints as "Public key": age1 and 58 letters and digits.',
  );
}
