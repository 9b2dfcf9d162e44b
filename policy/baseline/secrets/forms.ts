import { givesSecret } from "./named-values.ts";
import { holdsKnownSecret } from "./published-rules.ts";

/** What is filled in later is no secret: `$(NAME)`, `${NAME}`, `<NAME>`, `{{ .name }}`, `%(name)s`, `%{name}`. */
const literal = "(?![$<{]|%[({A-Z_]{2}|%[({])";

/** Secrets by their form alone, beyond those of secretlint's rules, which know no texts of these services or only some of them. */
const forms: readonly RegExp[] = [
  // An address with a password.
  new RegExp(String.raw`:\/\/[^\s/:@]*:${literal}[^\s/@]+@`),
  new RegExp(String.raw`(?:^|[\s"'=])[\w.+-]+:${literal}[^\s:@/"']{3,}@(?:(?:tcp|unix)\(|[\w.-]+:\d+(?:[/?\s"']|$))`),
  // A private key, of OpenSSL, OpenSSH, PGP, PuTTY, age.
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]{20,}/,
  // A token that says who somebody is: JWT.
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/,
  // Tokens of forges and registries: GitLab's kinds, PyPI.
  /\bgl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|soat|ffct|rtr|sa|oas)-[\w.-]{16,}|\b_gitlab_session=[0-9a-f]{32}/,
  /\bpypi-[\w-]{30,}/,
  // Clouds and services: Google, DigitalOcean, Azure, Slack, Discord, Telegram, OpenAI, Anthropic, Teams.
  /\bAIza[\w-]{35}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}/,
  /\bdo[opr]_v1_[0-9a-f]{64}/,
  /\b(?:AccountKey|SharedAccessKey)=[\w+/]{30,}=*|[?&]sig=[\w%+/-]{30,}/,
  /\bxapp-\d-[A-Z0-9]+-\d+-\w{20,}|\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{30,}|\b\d{8,10}:AA[\w-]{33}/,
  /\bsk-(?:proj-|ant-|svcacct-)?[\w-]{32,}|webhook\.office\.com\/webhookb2\/[\w@-]{30,}/,
  // A password's hash, as htpasswd and crypt write it.
  /\$apr1\$[\w./]{1,8}\$[\w./]{22}|\$2[abxy]\$\d\d\$[\w./]{53}|\$[56]\$(?:rounds=\d+\$)?[\w./]{1,16}\$[\w./]{43,}|\$argon2(?:id|i|d)\$/,
  // A password on the command line of a program.
  new RegExp(String.raw`(?:^|\s)(?:-u|--user)[ =]["']?(?!\d+:\d|[\w.-]+:\/)[\w.-]+:${literal}[^\s"':]+`),
  new RegExp(String.raw`\bsshpass\s+-p\s*["']?${literal}[^\s"']+|\bredis-cli\b[^\n|;]*\s-a\s+["']?${literal}[^\s"']+`),
  new RegExp(String.raw`\b(?:mysql|mysqldump|mariadb)\b[^\n|;]*\s-p(?![\s"']|$)["']?${literal}[^\s"']+`),
];

/** A header by which somebody signs in, and what is in it. */
const headers = /\b(?:Bearer|Basic|Token|Digest)\s+(?<value>[\w+/.~-]{6,}=*)/g;

/** Who signs in to a registry, in its file of credentials. */
const registryAuth = /"auth"\s*:\s*"(?<value>[\w+/]{8,}=*)"/g;

const known = new Map<string, boolean>();

/** Whether a text holds a secret: by its form, by the name of a setting in it, or once it is decoded. */
export function holdsSecret(text: string): boolean {
  let found = known.get(text);
  if (found === undefined) {
    found = readingsOf(text).some((reading) => hasSecretForm(reading) || givesSecret(reading));
    known.set(text, found);
  }
  return found;
}

/** Whether a value, be it of any setting, is one by its form alone. */
function hasSecretForm(text: string): boolean {
  return forms.some((form) => form.test(text)) || signsIn(text) || holdsKnownSecret(text);
}

function signsIn(text: string): boolean {
  const pairs = [...text.matchAll(headers), ...text.matchAll(registryAuth)];
  return pairs.some(({ groups, index }) => {
    const value = groups?.value ?? "";
    const isHeader = /authorization["']?\s*[:=]?>?\s*["']?$/i.test(text.slice(0, index)) || index === 0;
    return isPair(decoded(value) ?? "") || (isHeader && /\d/.test(value) && value.length >= 8);
  });
}

/** A user and a password, as Basic authentication joins them. */
function isPair(text: string): boolean {
  return /^[\w.@+-]*:[^\s:][^\n]*$/.test(text);
}

const base64Word = /[\w+/-]{16,}={0,2}/g;

/** How often a text is decoded again. */
const deepest = 3;

/** A text as it is, and as who takes it may read it: without escapes, and decoded. */
function readingsOf(text: string, depth = 0): string[] {
  if (depth === deepest) return [text];
  const below: string[] = [];
  if (text.includes('\\"') || text.includes("\\n")) below.push(text.replaceAll('\\"', '"').replaceAll("\\n", "\n"));
  if (/%(?:3A|40|2F|3D|20)/i.test(text))
    below.push(text.replaceAll(/%[0-7][0-9a-f]/gi, (code) => decodeURIComponent(code)));
  for (const [word] of text.matchAll(base64Word)) {
    const plain = decoded(word);
    if (plain !== undefined) below.push(plain);
  }
  return [text, ...below.flatMap((reading) => readingsOf(reading, depth + 1))];
}

/** What a word of base64 says; undefined where that is no text. */
function decoded(word: string): string | undefined {
  const text = Buffer.from(word, "base64").toString("latin1");
  return text.length >= 3 && /^[\t\n\r\x20-\x7e]+$/.test(text) ? text : undefined;
}
