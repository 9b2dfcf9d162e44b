import { Decrypter, Encrypter } from "age-encryption";

/** Files as the program `age` reads and writes them: https://age-encryption.org/v1 */

const intro = "age-encryption.org/v1\n";

/** Encrypts for each of these public keys. @throws Error for one that is no public key of age */
export async function encryptFor(recipients: readonly string[], content: Uint8Array): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      throw new Error(
        `${recipient.slice(0, 20)}… of hearth:kit.recipients is not a public key of age: copy the line "Public key" that age-keygen prints.`,
        { cause: error },
      );
    }
  return encrypter.encrypt(content);
}

/**
 * Decrypts a file.
 * @param identities content of an identity file, as age-keygen writes it; no error repeats any of it
 * @param names of the file and of the identity file, for errors
 * @throws Error where no identity opens the file, or it is damaged
 */
export async function decryptWith(
  identities: string,
  file: Uint8Array,
  names: { readonly file: string; readonly identity: string },
): Promise<Uint8Array> {
  if (Buffer.from(file.subarray(0, intro.length)).toString() !== intro)
    throw new Error(`${names.file} is not a recovery kit: it is not encrypted with age.`);
  const decrypter = identitiesOf(identities, names.identity);
  try {
    return await decrypter.decrypt(file);
  } catch (error) {
    if (/no identity matched/.test((error as Error).message))
      throw new Error(`No key in ${names.identity} opens ${names.file}. It is encrypted for other keys.`);
    throw new Error(`${names.file} is damaged or cut off: take another copy of it.`);
  }
}

function identitiesOf(text: string, name: string): Decrypter {
  if (text.startsWith(intro) || text.startsWith("-----BEGIN AGE ENCRYPTED FILE-----"))
    throw new Error(`${name} is encrypted itself. Decrypt it on the way: --identity <(age -d ${name})`);
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const decrypter = new Decrypter();
  try {
    for (const line of lines) decrypter.addIdentity(line);
  } catch {
    throw new Error(noIdentity(name));
  }
  if (lines.length === 0) throw new Error(noIdentity(name));
  return decrypter;
}

const noIdentity = (name: string) =>
  `${name} is not an identity file of age: it has lines that begin with AGE-SECRET-KEY-1, as age-keygen writes them.`;
