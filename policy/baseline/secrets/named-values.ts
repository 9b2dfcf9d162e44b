/** Names whose value is a secret, however simple it is; a file's or a Secret's name is none. */
const secretName =
  "pass(?:word|wd|phrase|code)|pwd|secret|token|(?:api|access|private|secret|signing|encryption|master|account)[_-]?key(?:[_-]?base)?";

/** Names that may be of a key in a Secret as well, whose own name is a word without digits. */
const isKeyName = /(?:secret|signing|encryption|master|account)[_-]?key(?:[_-]?base)?$/i;

/** Names whose value often is one: it takes a value that looks random. After gitleaks' rule generic-api-key. */
const vagueName =
  "access|auth|credentials?|creds|(?<!(?:pub|public|publishable|site|host|topology|object|sort|map|cache)[_-]?)key|pass|signature|salt|pepper";

const isSecretName = new RegExp(`(?:${secretName})$`, "i");
const isVagueName = new RegExp(`(?:${vagueName})$`, "i");

/** Whether the value of a setting is a secret by its name, such as `DB_PASSWORD`, or by its name and how random it looks. */
export function isSecretSetting(name: string, value: string): boolean {
  if (value === "" || (isKeyName.test(name) && /^[a-z._-]{1,24}$/i.test(value))) return false;
  return isSecretName.test(name) || (isVagueName.test(name) && isLiteralSecret(value) && looksRandom(value));
}

/** A value: quoted, or a word that no code goes on after. */
const quotedValue = String.raw`"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'`;
const value = String.raw`(?:${quotedValue}|(?<plain>[^\s"'<>,;&)}]+)(?![^\s"'<>,;&)}]|,?[ \t]*(?:[?=|+]|&&|,\n|,$)))`;

/** After a colon a word is a value only where the line, or what encloses it, ends: prose goes on, and code has a comma. */
const lastValue = String.raw`(?:${quotedValue}|(?<plain>[^\s"'<>,;&)}]+)(?=[ \t]*(?:$|[\]};#]|,(?![ \t]*$))))`;

/** Text before a name with `=`, which may be in the middle of a line, and before a name with `:`, which prose has too. */
const beforeEquals = String.raw`(?:^|[\s"'{,;&?(:\x00-\x1f])`;
const beforeColon = String.raw`(?:^[ \t]*(?:-[ \t]+)?|["'{,][ \t]*)`;

/** A name and a value: `name=value`, `"name": "value"`, `'name' => 'value'`, `<name>value<`, `<add key="name" value="value">`, `define('name', 'value')`. */
const assignments = (name: string) =>
  [
    String.raw`${beforeEquals}(?<name>[\w.-]*?(?:${name}))["']?[ \t]*(?:=>|:=|=)[ \t]*${value}`,
    String.raw`${beforeColon}["']?(?<name>[\w.-]*?(?:${name}))["']?[ \t]*:[ \t]*${lastValue}`,
    String.raw`<(?<name>[\w.-]*?(?:${name}))>(?<plain>[^<\s]+)<`,
    String.raw`\b(?:key|name|id)=["'](?<name>[\w.-]*?(?:${name}))["'][ \t]+value=(?:${quotedValue})`,
    String.raw`\bdefine\([ \t]*["'](?<name>[\w.-]*?(?:${name}))["'][ \t]*,[ \t]*(?:${quotedValue})`,
  ].map((form) => new RegExp(form, "gim"));
const strong = assignments(secretName);
const vague = assignments(vagueName);
/** The password of a .netrc, of a .pgpass, in a statement of SQL, of an option, and in files of a keystore and a directory. */
const others = [
  /^(?:machine\s+\S+\s+)?(?:login\s+\S+\s+)?password[ \t]+(?<plain>[^\s=:]\S*)$/gim,
  /^(?:\*|[^:\s]*[a-z][^:\s]*):(?:\d+|\*):[^:\s]+:[^:\s]+:(?<plain>\S+)$/gim,
  /\b(?:password|identified\s+by)\s+(?:e)?'(?<plain>[^']+)'/gi,
  /^[ \t]*(?:requirepass|masterauth|bindpw|rootpw)[ \t]+(?<plain>\S+)[ \t]*$/gim,
  new RegExp(String.raw`(?:^|[\s"'])--?[\w-]*(?:${secretName})[ \t]+["']?(?<plain>[^\s"'-][^\s"']*)`, "gim"),
];

/** Names of settings whose value is a Secret's name. */
const ofObject = /(?:existing|pull|tls|ca|cert|password|credentials?|admin|token)_?secret$/i;

/** Values that are no secret: a placeholder, the place of a secret, a type, a switch, or code that reads one. */
const reference =
  /^(?:[-$<{%([!&*@|>]|file:|ENC\[|env\.|vault:|ref\+|\/|\.{1,2}\/)|^(?:true|false|null|none|nil|yes|no|on|off|string|required|optional|undefined|changeme_?)$|^[*x]+$|[($]|\{\{|<%|^\d{1,2}$/i;

/** Whether a text gives a secret by the name of a setting, in whatever format: JSON, YAML, INI, PHP, shell, XML, .netrc, .pgpass, SQL. */
export function givesSecret(text: string): boolean {
  if (
    !/pass|pwd|secret|token|key|auth|cred|access|salt|pepper|signature|identified|bindpw|rootpw|:\d+:|:\*:/i.test(text)
  )
    return false;
  return (
    valuesOf(text, [...strong, ...others]).some(isLiteralSecret) ||
    valuesOf(text, vague).some((value) => isLiteralSecret(value) && looksRandom(value))
  );
}

function valuesOf(text: string, forms: readonly RegExp[]): string[] {
  return forms.flatMap((form) =>
    [...text.matchAll(form)]
      .filter(({ groups }) => !ofObject.test(groups?.name ?? ""))
      .map(({ groups }) => groups?.double ?? groups?.single ?? groups?.plain ?? ""),
  );
}

/** Whether a value is written out: no template, reference, path or switch. */
export function isLiteralSecret(value: string): boolean {
  return value.trim().length > 2 && !reference.test(value.trim());
}

/** As random as keys are: ten characters or more of two kinds at least, with 3.5 bits each. (gitleaks, generic-api-key) */
export function looksRandom(value: string): boolean {
  return value.length >= 10 && /\d/.test(value) && /[a-z]/i.test(value) && entropy(value) >= 3.5;
}

/** Shannon's entropy of a text, in bits a character. */
export function entropy(text: string): number {
  const counts = Map.groupBy(text, (character) => character).values();
  return -counts.reduce((sum, { length }) => sum + (length / text.length) * Math.log2(length / text.length), 0);
}
