import { parse, stringify } from "yaml";
import { edited, good, withValue } from "../suite-file.ts";

/** A file without problem and without warning, and the content it must be read as. */
export interface GoodFile {
  readonly name: string;
  readonly content: string;
  readonly normal: unknown;
}

/** What the good file says. */
const normal = parse(good);

const inLines = (change: (line: string, index: number) => string) => good.split("\n").map(change).join("\n");
const indented = (spaces: number) =>
  inLines((line) => line.replace(/^ +/, (indent) => indent.replaceAll("  ", " ".repeat(spaces))));
const reordered = (value: unknown, order: (keys: string[]) => string[]): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(
        order(Object.keys(value)).map((key) => [key, reordered((value as Record<string, unknown>)[key], order)]),
      )
    : value;

/** Other ways to write the good file. */
const written: readonly [name: string, content: string][] = [
  ["as it is", good],
  ["carriage returns", good.replaceAll("\n", "\r\n")],
  ["a byte order mark", `\ufeff${good}`],
  ["both", `\ufeff${good.replaceAll("\n", "\r\n")}`],
  ["no line break at the end", good.trimEnd()],
  ["empty lines", good.replaceAll("\n", "\n\n")],
  ["lines of spaces", good.replaceAll("\n", "\n   \n")],
  ["spaces at the ends of lines", inLines((line) => `${line}  `)],
  ["tabs before comments", inLines((line) => (/^ *[a-zA-Z]+: ["\w]/.test(line) ? `${line}\t# x` : line))],
  ["a tab behind a colon", edited("region: fsn1", "region:\tfsn1")],
  ["a comment on every line", inLines((line) => (line === "" ? line : `${line} # why`))],
  ["a comment before every line", inLines((line) => `# why\n${line}`)],
  ["comments in the margin of blocks", inLines((line) => `#\n${line}`)],
  ["comments in many scripts", `# Überschrift 団体 команда مرحبا עברית 👩‍🚀 e\u0301\n${good}`],
  ["a comment with a line separator", `# a\u2028b\n${good}`],
  ["a comment that looks like YAML", `# namespace: other\n#- [{ !!x *y &z\n${good}`],
  ["a comment of 200 KB", `# ${"x".repeat(200_000)}\n${good}`],
  ["the line of editors", `# yaml-language-server: $schema=../../schemas/config.schema.json\n${good}`],
  ["a mode line", `# -*- mode: yaml -*-\n${good}# vim: ft=yaml\n`],
  ["a start marker", `---\n${good}`],
  ["a start marker with a comment", `--- # the suite\n${good}`],
  ["start and end markers", `---\n${good}...\n`],
  ["a comment behind the end", `${good}...\n# the end\n`],
  ["four spaces", indented(4)],
  ["three spaces", indented(3)],
  ["one space", indented(1)],
  ["JSON", JSON.stringify(normal)],
  ["JSON on many lines", JSON.stringify(normal, null, 2)],
  ["JSON with tabs", JSON.stringify(normal, null, "\t")],
  [
    "JSON with comments and a comma too many",
    JSON.stringify(normal, null, 2).replace("{", "{ # suite").replace(/\}$/, ",}"),
  ],
  ["braces for one block", edited(/replicas:\n( {2}.*\n){3}/, "replicas: { cloudsuite: 1, db: 1, keystore: 1 }\n")],
  ["braces on many lines", edited("{ cpu: 200m, memory: 512Mi }", "{\n      cpu: 200m,\n      memory: 512Mi,\n    }")],
  ["braces without spaces", good.replaceAll("{ ", "{").replaceAll(" }", "}")],
  ["blocks without braces", stringify(normal)],
  ["single quotes", stringify(normal, { defaultStringType: "QUOTE_SINGLE", defaultKeyType: "PLAIN" })],
  ["double quotes", stringify(normal, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" })],
  ["quotes everywhere", stringify(normal, { defaultStringType: "QUOTE_DOUBLE" })],
  ["escapes", edited("namespace: team", 'namespace: "\\x74\\u0065\\U00000061m"')],
  ["an escaped slash", edited("https://fsn1.your-objectstorage.com", '"https:\\/\\/fsn1.your-objectstorage.com"')],
  ["an escaped key", edited("namespace:", '"n\\u0061mespace":')],
  ["a space before the colon", edited("namespace:", '"namespace" :')],
  ["folded text", edited("namespace: team", "namespace: >-\n  team")],
  ["literal text", edited("namespace: team", "namespace: |-\n  team")],
  ["a value on the next line", edited("namespace: team", "namespace:\n  team")],
  ["a quoted value over two lines", edited("domain: cloud.example.org", 'domain: "cloud.\\\n  example.org"')],
  ["keys from Z to A", stringify(reordered(normal, (keys) => keys.sort().reverse()))],
  ["keys from A to Z", stringify(reordered(normal, (keys) => keys.sort()))],
  ["a text tag", edited('"16"', "!!str 16")],
  ["a text tag on a key", edited("namespace:", "!!str namespace:")],
  ["an anchor that nothing uses", edited("namespace: team", "namespace: &name team")],
  ["an anchor on a block", edited("storage:\n", "storage: &storage\n")],
  [
    "an alias of an amount",
    edited("cpu: 200m, memory: 256Mi", "cpu: *web, memory: 256Mi", edited("cpu: 200m", "cpu: &web 200m")),
  ],
  [
    "an alias of a block",
    edited(
      "    requests: { cpu: 50m, memory: 256Mi }\n    limits: { cpu: 500m, memory: 512Mi }\n",
      "    requests: { cpu: 50m, memory: 256Mi }\n    limits: *limits\n",
      edited("limits: { cpu: 500m", "limits: &limits { cpu: 500m"),
    ),
  ],
  ["an alias of a number", edited("  db: 1\n", "  db: *one\n", edited("  cloudsuite: 1\n", "  cloudsuite: &one 1\n"))],
  [
    "an alias of true",
    edited(
      "whiteboard:\n  enabled: true",
      "whiteboard:\n  enabled: *yes",
      edited("office:\n  enabled: true", "office:\n  enabled: &yes true"),
    ),
  ],
  [
    "other forms of one",
    edited(
      "  keystore: 1\n",
      "  keystore: 1.0\n",
      edited("  db: 1\n", "  db: 0x1\n", edited("  cloudsuite: 1\n", "  cloudsuite: +1\n")),
    ),
  ],
  [
    "other forms of true",
    edited(
      "enabled: true\n  resources",
      "enabled: TRUE\n  resources",
      edited("enabled: true\n  domain", "enabled: True\n  domain"),
    ),
  ],
];

/** The good file with other values, each as it is read. */
const others: readonly [name: string, content: string][] = [
  [
    "no office",
    edited(
      /office:\n {2}enabled: true\n( {2}.*\n)+?whiteboard:/,
      "office:\n  enabled: false\nwhiteboard:",
      edited(/ {2}office: 25.*\n/, ""),
    ),
  ],
  ["an office that is not enabled, its fields kept", edited("enabled: true\n  domain", "enabled: false\n  domain")],
  [
    "an office that is not enabled, with a host and a version that would be warned of",
    edited(
      "enabled: true\n  domain: office.cloud.example.org",
      "enabled: false\n  domain: office.example.net",
      edited("office: 25.04.7.1.1", "office: latest"),
    ),
  ],
  [
    "no whiteboard",
    edited(
      /whiteboard:\n {2}enabled: true\n(.*\n)+/,
      "whiteboard: { enabled: false }\n",
      edited(/ {2}whiteboard: v.*\n/, ""),
    ),
  ],
  [
    "a whiteboard that is not enabled, its fields kept",
    edited("enabled: true\n  resources", "enabled: false\n  resources"),
  ],
  ["two databases", withValue("replicas.db", "2")],
  ["three web pods on shared storage", edited("replicated-block", "smb-csi", withValue("replicas.cloudsuite", "3"))],
  ["two web pods on shared storage", edited("replicated-block", "smb-csi", withValue("replicas.cloudsuite", "2"))],
  ...["14", "15", "16"].map((major): [string, string] => [
    `database major ${major}`,
    withValue("versions.db", `"${major}"`),
  ]),
  ...["nbg1", "hel1"].map((code): [string, string] => [`location ${code}`, good.replaceAll("fsn1", code)]),
  ["an endpoint with a port", edited("objectstorage.com", "objectstorage.com:8443")],
  ["another provider's endpoint", edited("fsn1.your-objectstorage.com", "s3.fsn1.example.net")],
  [
    "sizes in other units",
    edited("keystoreSize: 5Gi", "keystoreSize: 5120Mi", withValue("storage.dbSize", "10485760Ki")),
  ],
  ["a large volume", withValue("storage.dbSize", "8191Pi")],
  ["requests equal to limits", withValue("resources.db.requests.cpu", "500m")],
  ["requests equal to limits in other units", withValue("resources.cloudsuite.requests.memory", "2048Mi")],
  ["an image tag without variant", withValue("versions.cloudsuite", "31.0.8")],
  ["a zero in quotes", withValue("versions.cloudsuite", '"31.0.10"')],
  ["a keystore's major alone", withValue("versions.keystore", '"8"')],
  ["a tag with an underscore", withValue("versions.office", "25.04_7")],
  ["a namespace of one letter", withValue("namespace", "a")],
  ["a namespace of 63", withValue("namespace", "a".repeat(63))],
  ["a namespace that starts with a digit", withValue("namespace", "1st-team")],
  ["a name in punycode", withValue("office.domain", "xn--bro-hoa.cloud.example.org")],
  ["a host far below", withValue("office.domain", "a.b.c.d.cloud.example.org")],
  ["a host of 253 characters", withValue("office.domain", `${"a.".repeat(116)}abc.cloud.example.org`)],
];

export const goodFiles: readonly GoodFile[] = [
  ...written.map(([name, content]) => ({ name, content, normal })),
  ...others.map(([name, content]) => ({ name, content, normal: parse(content) })),
];
