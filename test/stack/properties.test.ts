import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { configFiles } from "./arbitrary-config.ts";
import { anyContent, wrongFields } from "./arbitrary-problems.ts";
import { check, edited, good, problemsOf } from "./suite-file.ts";

/** Runs of a property, 4,000 in all; `HEARTH_RUNS` multiplies them, for a night. What fails prints its seed. */
const runs = (count: number) => ({ numRuns: count * Number(process.env.HEARTH_RUNS ?? 1) });
const patience = 300_000 * Number(process.env.HEARTH_RUNS ?? 1);

describe("any config.yaml", () => {
  it(
    "that is written as YAML is read as it was",
    () => {
      const styles = fc.record({
        indent: fc.integer({ min: 1, max: 8 }),
        defaultStringType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE"),
        defaultKeyType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE"),
        collectionStyle: fc.constantFrom("any", "block", "flow"),
        sortMapEntries: fc.boolean(),
      } as const);
      fc.assert(
        fc.property(configFiles, styles, fc.constantFrom("\n", "\r\n"), (config, style, end) => {
          const { config: read, problems } = check(stringify(config, style).replaceAll("\n", end));
          expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
          expect(read).toEqual(config);
        }),
        runs(600),
      );
    },
    patience,
  );

  it(
    "with one field wrong has problems at that field and its line, and nowhere else",
    () => {
      fc.assert(
        fc.property(wrongFields, ({ content, path, line }) => {
          const { problems } = check(content);
          expect(problems.length, content).toBeGreaterThan(0);
          for (const problem of problems) expect([problem.path, problem.line], content).toEqual([path, line]);
        }),
        runs(800),
      );
    },
    patience,
  );

  it(
    "or anything else gives a value or problems with a place and a remedy, never an exception",
    () => {
      fc.assert(
        fc.property(anyContent, (content) => {
          const { config, problems } = check(content);
          expect(config).toBeUndefined();
          expect(problems.length).toBeGreaterThan(0);
          for (const { line, column, remedy } of problems)
            if (!(Number(line) > 0 && Number(column) > 0 && /[.?]$/.test(remedy)))
              expect.fail(`${line}:${column} ${remedy}`);
        }),
        runs(2_500),
      );
    },
    patience,
  );
});

describe("a file with n independent problems", () => {
  /** Edits of different lines, each with its one problem. */
  const independent: readonly [found: string, written: string, problem: string][] = [
    ["namespace: team", "namespace: Team", "dns-label namespace:1"],
    ["domain: cloud.example.org\nv", "domain: 12\nv", "type domain:2"],
    ["31.0.8-apache", "31.0.8-fpm", "image-variant versions.cloudsuite:4"],
    ['"16"', "16", "type versions.db:5"],
    ["8.1.4-alpine", "alpine", "version-number versions.keystore:6"],
    ["office: 25.04.7.1.1", "office: latest", "version-moves? versions.office:7"],
    ["v1.2.1", '"a b"', "image-tag versions.whiteboard:8"],
    ["region: fsn1", "region: eu", "value s3.region:11"],
    ["data-team-a1b2", "teamfiles", "bucket-shape? s3.buckets.data:13"],
    ["backups-team-a1b2", "Backups", "bucket-name s3.buckets.backups:14"],
    ["replicated-block", "standard", "value storage.storageClass:16"],
    ["dbSize: 10Gi", "dbSize: 10GB", "size storage.dbSize:17"],
    ["keystoreSize: 5Gi", "keystoreSize: 1Gi", "keystore-size? storage.keystoreSize:18"],
    [
      "{ cpu: 200m, memory: 512Mi }",
      "{ cpu: 200m, memory: 512Mi, gpu: 1 }",
      "unknown-key resources.cloudsuite.requests.gpu:21",
    ],
    ["cpu: 1000m, memory: 2Gi }", "cpu: 1000m }", "missing resources.cloudsuite.limits.memory:22"],
    ["cpu: 100m, memory: 256Mi }", "cpu: 600m, memory: 256Mi }", "request-above-limit resources.db.requests.cpu:24"],
    ["cpu: 50m, memory: 128Mi }", "cpu: 0.05, memory: 128Mi }", "type resources.keystore.requests.cpu:27"],
    ["  cloudsuite: 1\n", "  cloudsuite: 0\n", "replicas replicas.cloudsuite:30"],
    ["  db: 1\n", "  db: 3\n", "replicas replicas.db:31"],
    ["  keystore: 1\n", '  keystore: "1"\n', "type replicas.keystore:32"],
    ["domain: office.cloud.example.org", "domain: of_fice.cloud.example.org", "host-name office.domain:35"],
    [
      "whiteboard:\n  enabled: true\n",
      "whiteboard:\n  enabled: true\n  domain: x\n",
      "unknown-key whiteboard.domain:41",
    ],
  ];

  it("reports n, in the order of their lines", { timeout: patience }, () => {
    fc.assert(
      fc.property(fc.subarray([...independent]), (chosen) => {
        const content = chosen.reduce((text, [found, written]) => edited(found, written, text), good);
        expect(problemsOf(content)).toEqual(chosen.map(([, , problem]) => problem));
      }),
      { ...runs(100), examples: [[[...independent]]] },
    );
  });
});
