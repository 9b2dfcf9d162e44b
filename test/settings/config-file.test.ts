import { describe, expect, it } from "vitest";
import type { ConfigContext } from "../../settings/config-file.ts";
import { check, edited, faultsOf, good } from "./suite-file.ts";

/** A kind of bad file: what is written in place of what, and every fault that follows. */
type Case = readonly [
  name: string,
  found: string | RegExp,
  written: string,
  faults: readonly string[],
  context?: ConfigContext,
];

const kinds: Readonly<Record<string, readonly Case[]>> = {
  types: [
    ["a number for the database's major", '"16"', "16", ["type versions.db:5"]],
    ["a number for an image tag", "31.0.8-apache", "1.10", ["type versions.cloudsuite:4"]],
    ["yes for a namespace stays text, true does not", "namespace: team", "namespace: true", ["type namespace:1"]],
    ["an empty field", "namespace: team", "namespace:", ["type namespace:1"]],
    ["a list for text", "namespace: team", "namespace: [team]", ["type namespace:1"]],
    ["text for a number", "db: 1\n", 'db: "1"\n', ["type replicas.db:31"]],
    ["text for a boolean", "enabled: true", "enabled: yes", ["type office.enabled:34"]],
    ["a value for a block", /storage:\n( {2}.*\n){3}/, "storage: big\n", ["type storage:15"]],
    [
      "a number for cpu",
      "{ cpu: 200m, memory: 512Mi }",
      "{ cpu: 1, memory: 512Mi }",
      ["type resources.cloudsuite.requests.cpu:21"],
    ],
  ],
  missing: [
    ["a top-level field", "namespace: team\n", "", ["missing namespace:1"]],
    ["a nested field", "  region: fsn1\n", "", ["missing s3.region:9"]],
    ["a block", /replicas:\n( {2}.*\n){3}/, "", ["missing replicas:1"]],
    ["the limits of a resource", "    limits: { cpu: 500m, memory: 512Mi }\n", "", ["missing resources.db.limits:23"]],
    [
      "the office's domain when it is enabled",
      "  domain: office.cloud.example.org\n",
      "",
      ["missing office.domain:33"],
    ],
    ["the office's version when it is enabled", "  office: 25.04.7.1.1\n", "", ["missing versions.office:3"]],
    ["the whiteboard's version when it is enabled", "  whiteboard: v1.2.1\n", "", ["missing versions.whiteboard:3"]],
    ["whether the office is enabled", "office:\n  enabled: true\n", "office:\n", ["missing office.enabled:33"]],
  ],
  "unknown keys": [
    [
      "a misspelt one",
      "storageClass",
      "storageclas",
      ["missing storage.storageClass:15", "unknown-key storage.storageclas:16"],
    ],
    ["another case", "  region", "  Region", ["missing s3.region:9", "unknown-key s3.Region:11"]],
    ["one on the wrong level", "namespace: team\n", "namespace: team\ndbSize: 10Gi\n", ["unknown-key dbSize:2"]],
    ["__proto__", "namespace: team\n", "namespace: team\n__proto__: { admin: true }\n", ["unknown-key __proto__:2"]],
    ["constructor", "namespace: team\n", "namespace: team\nconstructor: x\n", ["unknown-key constructor:2"]],
    ["a homoglyph", "domain: cloud", "dоmain: cloud", ["missing domain:1", "unknown-key dоmain:2"]],
  ],
  namespaces: [
    ["upper case", "namespace: team", "namespace: Team", ["dns-label namespace:1"]],
    ["a dot", "namespace: team", "namespace: te.am", ["dns-label namespace:1"]],
    ["a dash in front", "namespace: team", "namespace: -team", ["dns-label namespace:1"]],
    ["64 characters", "namespace: team", `namespace: ${"a".repeat(64)}`, ["dns-label namespace:1"]],
    ["one of Kubernetes' own", "namespace: team", "namespace: kube-system", ["namespace-reserved namespace:1"]],
  ],
  domains: [
    ["a scheme", "domain: cloud", "domain: https://cloud", ["host-name domain:2", "office-domain? office.domain:35"]],
    [
      "a port",
      "domain: cloud.example.org",
      'domain: "cloud.example.org:443"',
      ["host-name domain:2", "office-domain? office.domain:35"],
    ],
    [
      "an address",
      "domain: office.cloud.example.org",
      "domain: 192.0.2.1",
      ["host-name office.domain:35", "office-domain? office.domain:35"],
    ],
    [
      "a final dot",
      "domain: office.cloud.example.org",
      "domain: office.cloud.example.org.",
      ["host-name office.domain:35", "office-domain? office.domain:35"],
    ],
    ["a wildcard", "domain: office.cloud.example.org", 'domain: "*.cloud.example.org"', ["host-name office.domain:35"]],
    [
      "an underscore",
      "domain: office.cloud.example.org",
      "domain: of_fice.cloud.example.org",
      ["host-name office.domain:35"],
    ],
    ["254 characters", "domain: office.cloud.example.org", `domain: ${"a.".repeat(118)}cloud.example.org`, []],
    ["an umlaut", "domain: office.cloud.example.org", "domain: büro.cloud.example.org", ["host-name office.domain:35"]],
    [
      "the office on the suite's own domain",
      "office.cloud.example.org",
      "cloud.example.org",
      ["office-domain-same office.domain:35"],
    ],
    [
      "a suffix that is no subdomain",
      "office.cloud.example.org",
      "evilcloud.example.org",
      ["office-domain? office.domain:35"],
    ],
  ],
  versions: [
    ["an unsupported major", '"16"', '"17"', ["value versions.db:5"]],
    ["a minor version", '"16"', '"16.4"', ["value versions.db:5"]],
    ["a major the operator no longer runs", '"16"', '"13"', ["database-major-old? versions.db:5"]],
    ["latest, which can't be compared", "31.0.8-apache", "latest", ["version-number versions.cloudsuite:4"]],
    ["a v in front", "31.0.8-apache", "v31.0.8", ["version-number versions.cloudsuite:4"]],
    ["a leading zero", "31.0.8-apache", "031.0.8", ["version-number versions.cloudsuite:4"]],
    ["the FPM image", "31.0.8-apache", "31.0.8-fpm", ["image-variant versions.cloudsuite:4"]],
    ["a whole image name", "31.0.8-apache", "nextcloud:31.0.8", ["image-tag versions.cloudsuite:4"]],
    ["a space", "31.0.8-apache", '"31.0.8 apache"', ["image-tag versions.cloudsuite:4"]],
    ["a tag that moves", "31.0.8-apache", '"31"', ["version-moves? versions.cloudsuite:4"]],
    ["a keystore that can't be compared", "8.1.4-alpine", "alpine", ["version-number versions.keystore:6"]],
    ["a whiteboard that moves", "v1.2.1", "release", ["version-moves? versions.whiteboard:8"]],
  ],
  "object storage": [
    ["another location than the endpoint's", "region: fsn1", "region: hel1", ["region-location s3.region:11"]],
    ["an unknown location", "region: fsn1", "region: eu-central-1", ["value s3.region:11"]],
    ["an endpoint of no location", "fsn1.your-objectstorage.com", "s3.example.org", ["region-location s3.region:11"]],
    ["http", "https://fsn1", "http://fsn1", ["endpoint s3.endpoint:10"]],
    ["no scheme", "https://fsn1", "fsn1", ["endpoint s3.endpoint:10"]],
    ["a path", "objectstorage.com", "objectstorage.com/bucket", ["endpoint s3.endpoint:10"]],
    ["credentials", "https://fsn1", "https://key:secret@fsn1", ["endpoint s3.endpoint:10"]],
    [
      "one bucket for both",
      "backups-team-a1b2",
      "data-team-a1b2",
      ["bucket-shape? s3.buckets.backups:14", "bucket-shared s3.buckets.backups:14"],
    ],
    ["upper case in a bucket", "data-team-a1b2", "Data-team-a1b2", ["bucket-name s3.buckets.data:13"]],
    ["another shape of name", "data-team-a1b2", "teamfiles", ["bucket-shape? s3.buckets.data:13"]],
  ],
  quantities: [
    ["a decimal suffix", "512Mi }", "512M }", ["size resources.cloudsuite.requests.memory:21"]],
    ["a space", "dbSize: 10Gi", 'dbSize: "10 Gi"', ["size storage.dbSize:17"]],
    ["Gib", "dbSize: 10Gi", "dbSize: 10Gib", ["size storage.dbSize:17"]],
    ["zero", "dbSize: 10Gi", "dbSize: 0Gi", ["size storage.dbSize:17", "sizing-files? storage.dbSize:17"]],
    ["a negative size", "dbSize: 10Gi", "dbSize: -10Gi", ["size storage.dbSize:17", "sizing-files? storage.dbSize:17"]],
    ["a fraction", "dbSize: 10Gi", "dbSize: 10.5Gi", ["size storage.dbSize:17"]],
    ["more than 64 bits", "dbSize: 10Gi", `dbSize: 1${"0".repeat(30)}Gi`, ["size storage.dbSize:17"]],
    ["cores instead of millicores", "cpu: 200m", 'cpu: "0.2"', ["cpu resources.cloudsuite.requests.cpu:21"]],
    [
      "a request above its limit",
      "cpu: 200m",
      "cpu: 1001m",
      ["request-above-limit resources.cloudsuite.requests.cpu:21"],
    ],
    [
      "memory compared as a number, not as text",
      "memory: 512Mi }",
      "memory: 3000Mi }",
      ["request-above-limit resources.cloudsuite.requests.memory:21"],
    ],
    ["less than recommended", "cpu: 500m", "cpu: 400m", ["resources-low? resources.db.limits.cpu:25"]],
    ["a small keystore", "keystoreSize: 5Gi", "keystoreSize: 1Gi", ["keystore-size? storage.keystoreSize:18"]],
    ["a small database", "dbSize: 10Gi", "dbSize: 5Gi", ["sizing-files? storage.dbSize:17"]],
    [
      "little memory for OnlyOffice",
      "25.04.7.1.1",
      "8.3.2",
      ["office-memory? office.resources.limits.memory:38"],
      { officeEngine: "onlyoffice" },
    ],
  ],
  replicas: [
    [
      "three writers on single-writer storage",
      "cloudsuite: 1\n",
      "cloudsuite: 3\n",
      ["replicas-storage replicas.cloudsuite:30"],
    ],
    ["no web pod", "cloudsuite: 1\n", "cloudsuite: 0\n", ["replicas replicas.cloudsuite:30"]],
    ["half a database", "db: 1\n", "db: 1.5\n", ["replicas replicas.db:31"]],
    ["three databases", "db: 1\n", "db: 3\n", ["replicas replicas.db:31"]],
    ["two keystores", "keystore: 1\n", "keystore: 2\n", ["replicas replicas.keystore:32"]],
    [
      "no standby in production",
      "db: 1\n",
      "db: 1 #\n",
      ["replicas-profile? replicas.db:31"],
      { profile: "production" },
    ],
  ],
  "storage classes": [
    ["another class", "replicated-block", "standard", ["value storage.storageClass:16"]],
    ["a class in upper case", "replicated-block", "SMB-CSI", ["value storage.storageClass:16"]],
  ],
};

for (const [kind, cases] of Object.entries(kinds))
  describe(`a config.yaml with a fault of ${kind}`, () => {
    for (const [name, found, written, faults, context] of cases)
      it(name, () => {
        expect(faultsOf(edited(found, written), context)).toEqual(faults);
      });
  });

describe("a config.yaml", () => {
  it("without faults has none, and no warnings", () => {
    expect(check(good).faults).toEqual([]);
    expect(check(good).config?.versions.db).toBe("16");
  });

  it("shows all its faults at once, in the order of its lines", () => {
    const text = [
      ["namespace: team", "namespace: Team"],
      ['"16"', "16"],
      ["region: fsn1", "region: hel2"],
      ["dbSize: 10Gi", "dbSize: 10GB"],
      ["keystore: 1\n", "keystore: 3\n"],
      ["  whiteboard: v1.2.1\n", ""],
    ].reduce((current, [found = "", written = ""]) => edited(found, written, current), good);
    expect(faultsOf(text)).toEqual([
      "dns-label namespace:1",
      "missing versions.whiteboard:3",
      "type versions.db:5",
      "value s3.region:10",
      "size storage.dbSize:16",
      "replicas replicas.keystore:31",
    ]);
  });

  it("needs nothing of a part that is not enabled", () => {
    const office = edited(
      /office:\n {2}enabled: true\n( {2}.*\n)+?whiteboard:/,
      "office:\n  enabled: false\nwhiteboard:",
    );
    const text = edited(/ {2}office: 25.*\n/, "", office);
    expect(check(text).faults).toEqual([]);
    expect(check(text).config?.office).toEqual({ enabled: false });
  });

  it("warns about what is ill-typed or not allowed in a part that is not enabled", () => {
    const text = edited("enabled: true\n  domain: office.", "enabled: false\n  domain: Office.");
    expect(faultsOf(edited("office: 25.04.7.1.1", "office: 25.04", text))).toEqual([
      "type? versions.office:7",
      "host-name? office.domain:35",
    ]);
  });

  it("may have three web pods on storage with several writers", () => {
    const text = edited("replicated-block", "smb-csi", edited("cloudsuite: 1\n", "cloudsuite: 3\n"));
    expect(faultsOf(text)).toEqual([]);
    expect(faultsOf(edited("cloudsuite: 3\n", "cloudsuite: 4\n", text))).toEqual(["replicas replicas.cloudsuite:30"]);
  });

  it("gets advice on its size for the users and files it is meant for", () => {
    expect(faultsOf(good, { users: 9, files: 10_000 })).toEqual([]);
    expect(faultsOf(good, { users: 10 })).toEqual([
      "sizing-users? resources.cloudsuite.requests.cpu:21",
      "sizing-users? resources.cloudsuite.requests.memory:21",
      "sizing-users? resources.cloudsuite.limits.cpu:22",
      "sizing-users? resources.cloudsuite.limits.memory:22",
    ]);
    expect(faultsOf(good, { files: 10_001 })).toEqual(["sizing-files? storage.dbSize:17"]);
  });

  it("never shows the password of a URL", () => {
    const text = edited("https://fsn1", "https://key:hunter2@fsn1");
    expect(JSON.stringify(check(text).faults)).not.toContain("hunter2");
  });
});
