import { lineOf, withoutKey, withValue } from "../suite-file.ts";
import { type BadFile, edits, type Kinds } from "./bad-file.ts";
import { amounts, blocks, booleans, leaves, numbers, texts } from "./fields.ts";

/** Each path × each value of another type. */
function wrongTypes(paths: readonly string[], written: readonly string[]): BadFile[] {
  return paths.flatMap((path) =>
    written.map((value) => ({
      name: `${path}: ${value}`,
      content: withValue(path, value),
      problems: [`type ${path}:${lineOf(path)}`],
    })),
  );
}

/** Each path left out: the problem is shown at the block that should hold it, at the top for the outermost. */
function leftOut(paths: readonly string[]): BadFile[] {
  return paths.map((path) => {
    const parent = path.split(".").slice(0, -1).join(".");
    const line = parent === "" ? 1 : lineOf(parent);
    return { name: path, content: withoutKey(path), problems: [`missing ${path}:${line}`] };
  });
}

const singleTexts = texts.filter((path) => !amounts.includes(path));

/** Problems of what there is, not of what it says. */
export const structure: Kinds = {
  types: [
    ...wrongTypes(singleTexts, ["{ a: b }", "[a]", "true", "12", "~", "1.10", "30.0"]),
    ...wrongTypes(amounts, ["1", "[1]"]),
    ...wrongTypes(numbers, ['"1"', "true", "[1]", "{ a: 1 }", "~", "one", ".nan"]),
    ...wrongTypes(booleans, ["yes", "no", "on", '"true"', "1", "[true]", "~"]),
    ...wrongTypes(blocks, ["big", "[a]", "~"]),
    ...edits(
      ["a value without a space after the colon", "namespace: team", "namespace: 10", "type namespace"],
      [
        "a number past what JavaScript counts",
        "cloudsuite: 1\n",
        "cloudsuite: 99999999999999999999\n",
        "value replicas.cloudsuite",
      ],
    ),
  ],
  missing: leftOut([...leaves, ...blocks]),
  "unknown keys": edits(
    [
      "a letter too few",
      "storageClass",
      "storageClas",
      "missing storage.storageClass",
      "unknown-key storage.storageClas",
    ],
    ["two letters changed places", "namespace:", "namepsace:", "missing namespace", "unknown-key namepsace"],
    ["another case", "  region", "  Region", "missing s3.region", "unknown-key s3.Region"],
    ["dashes instead of capitals", "dbSize", "db-size", "missing storage.dbSize", "unknown-key storage.db-size"],
    ["the singular", "  buckets:", "  bucket:", "missing s3.buckets", "unknown-key s3.bucket"],
    ["the right key too far out", "namespace: team\n", "namespace: team\ndbSize: 10Gi\n", "unknown-key dbSize"],
    ["the right key too far in", "  db: 1\n", "  db: 1\n  namespace: team\n", "unknown-key replicas.namespace"],
    ["the right key in another block", "  db: 1\n", "  db: 1\n  office: 1\n", "unknown-key replicas.office"],
    ["a space at the end", "namespace: team\n", 'namespace: team\n"domain ": x\n', 'unknown-key ["domain "]:2'],
    ["a homoglyph", "domain: cloud", "dоmain: cloud", "missing domain", "unknown-key dоmain:2"],
    ["a full-width letter", "domain: cloud", "ｄomain: cloud", "missing domain", "unknown-key ｄomain:2"],
    ["a zero-width space", "domain: cloud", "do\u200bmain: cloud", "missing domain", 'unknown-key ["do\u200bmain"]:2'],
    [
      "a setting of the stack",
      "namespace: team\n",
      "namespace: team\nofficeEngine: collabora\n",
      "unknown-key officeEngine",
    ],
    [
      "a third amount",
      "cpu: 200m, memory: 512Mi",
      "cpu: 200m, memory: 512Mi, gpu: 1",
      "unknown-key resources.cloudsuite.requests.gpu",
    ],
    ["an empty key", "namespace: team\n", 'namespace: team\n"": x\n', 'unknown-key [""]:2'],
    [
      "a key that looks like a path",
      "namespace: team\n",
      'namespace: team\n"s3.region": x\n',
      'unknown-key ["s3.region"]:2',
    ],
  ),
  prototypes: edits(
    ["__proto__", "namespace: team\n", "namespace: team\n__proto__: { admin: true }\n", "unknown-key __proto__"],
    [
      "__proto__ in quotes",
      "namespace: team\n",
      'namespace: team\n"__proto__": { admin: true }\n',
      "unknown-key __proto__",
    ],
    [
      "__proto__ by an escape",
      "namespace: team\n",
      'namespace: team\n"\\u005f_proto__": { a: 1 }\n',
      "unknown-key __proto__:2",
    ],
    ["__proto__ in a block", "  region: fsn1\n", "  region: fsn1\n  __proto__: { a: 1 }\n", "unknown-key s3.__proto__"],
    [
      "__proto__ in braces",
      "cpu: 200m, memory: 512Mi",
      "cpu: 200m, memory: 512Mi, __proto__: x",
      "unknown-key resources.cloudsuite.requests.__proto__",
    ],
    [
      "__proto__ for a required field",
      "namespace: team\n",
      "__proto__: { namespace: team }\n",
      "unknown-key __proto__",
    ],
    ["constructor", "namespace: team\n", "namespace: team\nconstructor: x\n", "unknown-key constructor"],
    ["prototype", "namespace: team\n", "namespace: team\nprototype: { a: 1 }\n", "unknown-key prototype"],
    ["hasOwnProperty", "namespace: team\n", "namespace: team\nhasOwnProperty: x\n", "unknown-key hasOwnProperty"],
    ["toString", "namespace: team\n", "namespace: team\ntoString: x\n", "unknown-key toString"],
    ["valueOf for a number", "cloudsuite: 1\n", "cloudsuite: { valueOf: 1 }\n", "type replicas.cloudsuite"],
    ["toJSON", "namespace: team\n", "namespace: team\ntoJSON: x\n", "unknown-key toJSON"],
    ["then", "namespace: team\n", "namespace: team\nthen: x\n", "unknown-key then"],
  ),
  duplicates: edits(
    ["at the top", "domain: cloud", "namespace: other\ndomain: cloud", "yaml-duplicate namespace:2"],
    ["at the end", /$/, "namespace: other\n", "yaml-duplicate namespace"],
    ["with the same value", "domain: cloud", "namespace: team\ndomain: cloud", "yaml-duplicate namespace:2"],
    ["in a block", "  region: fsn1\n", "  region: fsn1\n  region: nbg1\n", "yaml-duplicate s3.region"],
    [
      "in a block of a block",
      "    data: data-team-a1b2\n",
      "    data: data-team-a1b2\n    data: x\n",
      "yaml-duplicate s3.buckets.data",
    ],
    ["of a block", "storage:\n", "s3: {}\nstorage:\n", "yaml-duplicate s3"],
    [
      "in braces",
      "cpu: 200m, memory: 512Mi",
      "cpu: 200m, cpu: 300m, memory: 512Mi",
      "yaml-duplicate resources.cloudsuite.requests.cpu:21",
    ],
    ["in quotes", "domain: cloud", '"namespace": other\ndomain: cloud', "yaml-duplicate namespace:2"],
    ["by an escape", "domain: cloud", '"n\\u0061mespace": other\ndomain: cloud', "yaml-duplicate namespace:2"],
    [
      "of a key with a text tag",
      "domain: cloud",
      "!!str namespace: other\ndomain: cloud",
      "yaml-duplicate namespace:2",
    ],
    [
      "three times",
      "domain: cloud",
      "namespace: a\nnamespace: b\ndomain: cloud",
      "yaml-duplicate namespace:2",
      "yaml-duplicate namespace:3",
    ],
    ["of an unknown key", "domain: cloud", "x: 1\nx: 2\ndomain: cloud", "yaml-duplicate x"],
    ["beside a merge", "domain: cloud", "<<: { namespace: other }\ndomain: cloud", 'yaml-merge ["<<"]:2'],
  ),
  secrets: edits(
    ["a password", "namespace: team\n", "namespace: team\npassword: hunter2\n", "secret password"],
    [
      "the administrator's password",
      "namespace: team\n",
      "namespace: team\nadminPassword: hunter2\n",
      "secret adminPassword",
    ],
    ["an access key", "  region: fsn1\n", "  region: fsn1\n  accessKey: hunter2\n", "secret s3.accessKey"],
    [
      "AWS's name of it",
      "  region: fsn1\n",
      "  region: fsn1\n  AWS_SECRET_ACCESS_KEY: hunter2\n",
      "secret s3.AWS_SECRET_ACCESS_KEY",
    ],
    ["AWS's id", "  region: fsn1\n", "  region: fsn1\n  access_key_id: hunter2\n", "secret s3.access_key_id"],
    ["a secret key", "  region: fsn1\n", "  region: fsn1\n  secretKey: hunter2\n", "secret s3.secretKey"],
    ["a token", "namespace: team\n", "namespace: team\napi-token: hunter2\n", "secret api-token"],
    [
      "credentials as a block",
      "  region: fsn1\n",
      "  region: fsn1\n  credentials: { id: hunter2 }\n",
      "secret s3.credentials",
    ],
    ["a passphrase", "namespace: team\n", "namespace: team\npassphrase: hunter2\n", "secret passphrase"],
    ["in the endpoint", "https://fsn1", "https://key:hunter2@fsn1", "endpoint s3.endpoint"],
    ["in an endpoint that is no URL", "https://fsn1.", "https://key:hunter2@ fsn1.", "endpoint s3.endpoint"],
    [
      "as the endpoint's signature",
      "objectstorage.com",
      "objectstorage.com/?X-Amz-Signature=hunter2",
      "endpoint s3.endpoint",
    ],
  ),
};
