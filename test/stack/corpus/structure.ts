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
      ["a value without a space after the colon", "namespace: team", "namespace: 10", "type namespace:1"],
      [
        "a number past what JavaScript counts",
        "cloudsuite: 1\n",
        "cloudsuite: 99999999999999999999\n",
        "replicas-storage replicas.cloudsuite:30",
      ],
    ),
  ],
  missing: leftOut([...leaves, ...blocks]),
  "unknown keys": edits(
    [
      "a letter too few",
      "storageClass",
      "storageClas",
      "missing storage.storageClass:15",
      "unknown-key storage.storageClas:16",
    ],
    ["two letters changed places", "namespace:", "namepsace:", "missing namespace:1", "unknown-key namepsace:1"],
    ["another case", "  region", "  Region", "missing s3.region:9", "unknown-key s3.Region:11"],
    ["dashes instead of capitals", "dbSize", "db-size", "missing storage.dbSize:15", "unknown-key storage.db-size:17"],
    ["the singular", "  buckets:", "  bucket:", "missing s3.buckets:9", "unknown-key s3.bucket:12"],
    ["the right key too far out", "namespace: team\n", "namespace: team\ndbSize: 10Gi\n", "unknown-key dbSize:2"],
    ["the right key too far in", "  db: 1\n", "  db: 1\n  namespace: team\n", "unknown-key replicas.namespace:32"],
    ["the right key in another block", "  db: 1\n", "  db: 1\n  office: 1\n", "unknown-key replicas.office:32"],
    ["a space at the end", "namespace: team\n", 'namespace: team\n"domain ": x\n', 'unknown-key ["domain "]:2'],
    ["a homoglyph", "domain: cloud", "dоmain: cloud", "missing domain:1", "unknown-key dоmain:2"],
    ["a full-width letter", "domain: cloud", "ｄomain: cloud", "missing domain:1", "unknown-key ｄomain:2"],
    [
      "a zero-width space",
      "domain: cloud",
      "do\u200bmain: cloud",
      "missing domain:1",
      'unknown-key ["do\u200bmain"]:2',
    ],
    [
      "a setting of the stack",
      "namespace: team\n",
      "namespace: team\nofficeEngine: collabora\n",
      "unknown-key officeEngine:2",
    ],
    [
      "a third amount",
      "cpu: 200m, memory: 512Mi",
      "cpu: 200m, memory: 512Mi, gpu: 1",
      "unknown-key resources.cloudsuite.requests.gpu:21",
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
    ["__proto__", "namespace: team\n", "namespace: team\n__proto__: { admin: true }\n", "unknown-key __proto__:2"],
    [
      "__proto__ in quotes",
      "namespace: team\n",
      'namespace: team\n"__proto__": { admin: true }\n',
      "unknown-key __proto__:2",
    ],
    [
      "__proto__ by an escape",
      "namespace: team\n",
      'namespace: team\n"\\u005f_proto__": { a: 1 }\n',
      "unknown-key __proto__:2",
    ],
    [
      "__proto__ in a block",
      "  region: fsn1\n",
      "  region: fsn1\n  __proto__: { a: 1 }\n",
      "unknown-key s3.__proto__:12",
    ],
    [
      "__proto__ in braces",
      "cpu: 200m, memory: 512Mi",
      "cpu: 200m, memory: 512Mi, __proto__: x",
      "unknown-key resources.cloudsuite.requests.__proto__:21",
    ],
    [
      "__proto__ for a required field",
      "namespace: team\n",
      "__proto__: { namespace: team }\n",
      "unknown-key __proto__:1",
    ],
    ["constructor", "namespace: team\n", "namespace: team\nconstructor: x\n", "unknown-key constructor:2"],
    ["prototype", "namespace: team\n", "namespace: team\nprototype: { a: 1 }\n", "unknown-key prototype:2"],
    ["hasOwnProperty", "namespace: team\n", "namespace: team\nhasOwnProperty: x\n", "unknown-key hasOwnProperty:2"],
    ["toString", "namespace: team\n", "namespace: team\ntoString: x\n", "unknown-key toString:2"],
    ["valueOf for a number", "cloudsuite: 1\n", "cloudsuite: { valueOf: 1 }\n", "type replicas.cloudsuite:30"],
    ["toJSON", "namespace: team\n", "namespace: team\ntoJSON: x\n", "unknown-key toJSON:2"],
    ["then", "namespace: team\n", "namespace: team\nthen: x\n", "unknown-key then:2"],
  ),
  duplicates: edits(
    ["at the top", "domain: cloud", "namespace: other\ndomain: cloud", "yaml-duplicate namespace:2"],
    ["at the end", /$/, "namespace: other\n", "yaml-duplicate namespace:44"],
    ["with the same value", "domain: cloud", "namespace: team\ndomain: cloud", "yaml-duplicate namespace:2"],
    ["in a block", "  region: fsn1\n", "  region: fsn1\n  region: nbg1\n", "yaml-duplicate s3.region:12"],
    [
      "in a block of a block",
      "    data: data-team-a1b2\n",
      "    data: data-team-a1b2\n    data: x\n",
      "yaml-duplicate s3.buckets.data:14",
    ],
    ["of a block", "storage:\n", "s3: {}\nstorage:\n", "yaml-duplicate s3:15"],
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
    ["of an unknown key", "domain: cloud", "x: 1\nx: 2\ndomain: cloud", "yaml-duplicate x:3"],
    ["beside a merge", "domain: cloud", "<<: { namespace: other }\ndomain: cloud", 'yaml-merge ["<<"]:2'],
  ),
  secrets: edits(
    ["a password", "namespace: team\n", "namespace: team\npassword: hunter2\n", "secret password:2"],
    [
      "the administrator's password",
      "namespace: team\n",
      "namespace: team\nadminPassword: hunter2\n",
      "secret adminPassword:2",
    ],
    ["an access key", "  region: fsn1\n", "  region: fsn1\n  accessKey: hunter2\n", "secret s3.accessKey:12"],
    [
      "AWS's name of it",
      "  region: fsn1\n",
      "  region: fsn1\n  AWS_SECRET_ACCESS_KEY: hunter2\n",
      "secret s3.AWS_SECRET_ACCESS_KEY:12",
    ],
    ["AWS's id", "  region: fsn1\n", "  region: fsn1\n  access_key_id: hunter2\n", "secret s3.access_key_id:12"],
    ["a secret key", "  region: fsn1\n", "  region: fsn1\n  secretKey: hunter2\n", "secret s3.secretKey:12"],
    ["a token", "namespace: team\n", "namespace: team\napi-token: hunter2\n", "secret api-token:2"],
    [
      "credentials as a block",
      "  region: fsn1\n",
      "  region: fsn1\n  credentials: { id: hunter2 }\n",
      "secret s3.credentials:12",
    ],
    ["a passphrase", "namespace: team\n", "namespace: team\npassphrase: hunter2\n", "secret passphrase:2"],
    ["in the endpoint", "https://fsn1", "https://key:hunter2@fsn1", "endpoint s3.endpoint:10"],
    ["in an endpoint that is no URL", "https://fsn1.", "https://key:hunter2@ fsn1.", "endpoint s3.endpoint:10"],
    [
      "as the endpoint's signature",
      "objectstorage.com",
      "objectstorage.com/?X-Amz-Signature=hunter2",
      "endpoint s3.endpoint:10",
    ],
  ),
};
