/** Names whose value is a secret, however simple it is; a file's or a Secret's name is none. */
const secretName = "pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key";

/** Names whose value often is one: it takes a value that looks random. After gitleaks' rule generic-api-key. */
const vagueName = "access|auth|credentials?|creds|key|pwd|pass|signature|salt|pepper";

const isSecretName = new RegExp(`(?:${secretName})$`, "i");
const isVagueName = new RegExp(`(?:${vagueName})$`, "i");

/** Whether the value of a setting is a secret by its name, such as `DB_PASSWORD`, or by its name and how random it looks. */
export function isSecretSetting(name: string, value: string): boolean {
  if (value === "") return false;
  return isSecretName.test(name) || (isVagueName.test(name) && isLiteralSecret(value) && looksRandom(value));
}

/** A value: quoted, or a word that no code goes on after. */
const value = String.raw`(?:"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'|(?<plain>[^\s"'<>,;&)}]+)(?![^\s"'<>,;&)}]|,?[ \t]*(?:[?=|+]|&&|,\n|,$)))`;

/** Text before a name with `=`, which may be in the middle of a line, and before a name with `:`, which prose has too. */
const beforeEquals = String.raw`(?:^|[\s"'{,;&?(])`;
const beforeColon = String.raw`(?:^[ \t]*(?:-[ \t]+)?|["'{,][ \t]*)`;

/** A name and a value: `name=value`, `"name": "value"`, `'name' => 'value'`, `<name>value<`. */
const assignments = (name: string) =>
  [
    String.raw`${beforeEquals}[\w.-]*?(?:${name})["']?[ \t]*(?:=>|:=|=)[ \t]*${value}`,
    String.raw`${beforeColon}["']?[\w.-]*?(?:${name})["']?[ \t]*:[ \t]*${value}`,
    String.raw`<[\w.-]*?(?:${name})>(?<plain>[^<\s]+)<`,
  ].map((form) => new RegExp(form, "gim"));
const strong = assignments(secretName);
const vague = assignments(vagueName);
/** The password of a .netrc, of a .pgpass, and in a statement of SQL. */
const others = [
  /^(?:machine\s+\S+\s+)?(?:login\s+\S+\s+)?password[ \t]+(?<plain>[^\s=:]\S*)$/gim,
  /^[^:\s]+:(?:\d+|\*):[^:\s]+:[^:\s]+:(?<plain>\S+)$/gim,
  /\bpassword\s+'(?<plain>[^']+)'/gi,
];

/** Values that are no secret: a placeholder, the place of a secret, a type, a switch, or code that reads one. */
const reference =
  /^(?:[-$<{%([!&*@|>]|file:|env\.|vault:|ref\+|\/|\.{1,2}\/)|^(?:true|false|null|none|nil|yes|no|on|off|string|required|optional|undefined|changeme_?)$|^[*x]+$|[($]|\{\{|<%|^\d{1,2}$/i;

/** Whether a text gives a secret by the name of a setting, in whatever format: JSON, YAML, INI, PHP, shell, XML, .netrc, .pgpass, SQL. */
export function givesSecret(text: string): boolean {
  if (!/pass|pwd|secret|token|key|auth|cred|access|salt|pepper|signature|:\d+:/i.test(text)) return false;
  return (
    valuesOf(text, [...strong, ...others]).some(isLiteralSecret) ||
    valuesOf(text, vague).some((value) => isLiteralSecret(value) && looksRandom(value))
  );
}

function valuesOf(text: string, forms: readonly RegExp[]): string[] {
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map(({ groups }) => groups?.double ?? groups?.single ?? groups?.plain ?? ""),
  );
}

/** Whether a value is written out: no template, reference, path or switch. */
export function isLiteralSecret(value: string): boolean {
  return value.trim() !== "" && !reference.test(value.trim());
}

/** As random as keys are: ten characters or more of two kinds at least, with 3.5 bits each. (gitleaks, generic-api-key) */
function looksRandom(value: string): boolean {
  return value.length >= 10 && /\d/.test(value) && /[a-z]/i.test(value) && entropy(value) >= 3.5;
}

/** Shannon's entropy of a text, in bits a character. */
export function entropy(text: string): number {
  const counts = Map.groupBy(text, (character) => character).values();
  return -counts.reduce((sum, { length }) => sum + (length / text.length) * Math.log2(length / text.length), 0);
}
