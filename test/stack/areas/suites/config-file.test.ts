import { describe, expect, it } from "vitest";
import { check, edited, good, problemsOf } from "../../suite-file.ts";

describe("a config.yaml", () => {
  it("without problems has none, and no warnings", () => {
    expect(check(good).problems).toEqual([]);
    expect(check(good).config?.versions.db).toBe("16");
  });

  it("shows all its problems at once, in the order of its lines", () => {
    const text = [
      ["namespace: team", "namespace: Team"],
      ['"16"', "16"],
      ["region: fsn1", "region: hel2"],
      ["dbSize: 10Gi", "dbSize: 10GB"],
      ["keystore: 1\n", "keystore: 3\n"],
      ["  whiteboard: v1.2.1\n", ""],
    ].reduce((current, [found = "", written = ""]) => edited(found, written, current), good);
    expect(problemsOf(text)).toEqual([
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
    expect(check(text).problems).toEqual([]);
    expect(check(text).config?.office).toEqual({ enabled: false });
  });

  it("warns about what is ill-typed or not allowed in a part that is not enabled", () => {
    const text = edited("enabled: true\n  domain: office.", "enabled: false\n  domain: Office.");
    expect(problemsOf(edited("office: 25.04.7.1.1", "office: 25.04", text))).toEqual([
      "type? versions.office:7",
      "host-name? office.domain:35",
    ]);
  });

  it("may have three web pods on storage with several writers", () => {
    const text = edited("replicated-block", "smb-csi", edited("cloudsuite: 1\n", "cloudsuite: 3\n"));
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(edited("cloudsuite: 3\n", "cloudsuite: 4\n", text))).toEqual(["replicas replicas.cloudsuite:30"]);
  });

  it.each([
    ["small", 9, 4, ["200m", "512Mi", "1000m", "2Gi"]],
    ["medium", 50, 4, ["500m", "1Gi", "2000m", "4Gi"]],
    ["large", 100_000, 0, ["1000m", "2Gi", "4000m", "8Gi"]],
  ])("of the size %s is enough for %d users, and one more makes %d warnings", (_, users, warnings, amounts) => {
    const [cpu, memory, cpuLimit, memoryLimit] = amounts;
    const text = good.replace("{ cpu: 1000m, memory: 2Gi }", `{ cpu: ${cpuLimit}, memory: ${memoryLimit} }`);
    const sized = text.replace("{ cpu: 200m, memory: 512Mi }", `{ cpu: ${cpu}, memory: ${memory} }`);
    expect(problemsOf(sized, { users })).toEqual([]);
    expect(problemsOf(sized, { users: users + 1 })).toHaveLength(warnings);
  });

  it("gets advice on its size for the users and files it is meant for", () => {
    expect(problemsOf(good, { users: 9, files: 10_000 })).toEqual([]);
    expect(problemsOf(good, { users: 10 })).toEqual([
      "sizing-users? resources.cloudsuite.requests.cpu:21",
      "sizing-users? resources.cloudsuite.requests.memory:21",
      "sizing-users? resources.cloudsuite.limits.cpu:22",
      "sizing-users? resources.cloudsuite.limits.memory:22",
    ]);
    expect(problemsOf(good, { files: 10_001 })).toEqual(["sizing-files? storage.dbSize:17"]);
  });
});
