import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import { workloadNames } from "@hearth-platform/stack/areas/rules";
import { stackPlans } from "@hearth-platform/stack/parts";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { sourceFromEngine, sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { edited, good } from "./suite-file.ts";

const settings = `config:
  hearth:profile: development
  hearth:ingress:
    clusterIssuer: letsencrypt-prod
  hearth:secrets:
    store:
      name: hearth
    generate: true
  hearth:cloudsuites:
    - name: team
      config: team.yaml
`;

/** The same with a forge of all parts. */
const withForge = `${settings.replace("letsencrypt-prod", "letsencrypt-prod\n    wildcardClusterIssuer: letsencrypt-dns")}
  hearth:domain: example.org
  hearth:objectStorage:
    endpoint: https://fsn1.your-objectstorage.com
    region: fsn1
    bucketSuffix: a1b2
  hearth:forge:
    ssh:
      entryPoint: ssh
    pages: {}
    runner: {}
  hearth:siteWebhook:
    enabled: true
    domain: sync.example.org
    image: registry.example.org/hearth/site-webhook:1.0.0
`;

/** What the engine gives the program for the settings above. */
const engineConfig = {
  "hearth:profile": "development",
  "hearth:ingress": '{"clusterIssuer":"letsencrypt-prod"}',
  "hearth:secrets": '{"generate":true,"store":{"name":"hearth"}}',
  "hearth:cloudsuites": '[{"config":"team.yaml","name":"team"}]',
  "kubernetes:context": "other",
};

let project = "";
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "hearth-settings-"));
  writeFileSync(join(project, "team.yaml"), good);
});
afterEach(() => rmSync(project, { recursive: true }));

function judge(stackFile: string) {
  writeFileSync(join(project, "Pulumi.test.yaml"), stackFile);
  const { source, problems } = sourceFromFile(project, "test");
  return source ? checkStack(project, source) : { problems };
}

const problemsOf = (stackFile: string) =>
  judge(stackFile).problems.map(({ code, path, file, line }) => `${code} ${path} ${file}:${line}`);

describe("the settings of a stack", () => {
  it("without problems are typed, each suite with its config.yaml", () => {
    const { stack, problems } = judge(settings);
    expect(problems).toEqual([]);
    expect(stack?.settings.profile).toBe("development");
    expect(stack?.suites.map(({ settings: { name }, config }) => [name, config.namespace])).toEqual([["team", "team"]]);
  });

  it("with a major that the operator refuses are refused, though the file alone is only warned of", () => {
    writeFileSync(join(project, "team.yaml"), edited('db: "16"', 'db: "12"', good));
    expect(judge(settings).stack).toBeUndefined();
    expect(judge(settings).problems).toContainEqual(
      expect.objectContaining({ severity: "error", code: "database-major-refused", path: "versions.db" }),
    );
    writeFileSync(join(project, "team.yaml"), edited('db: "16"', 'db: "13"', good));
    expect(judge(settings).stack).toBeDefined();
  });

  it.each([
    [
      "a missing setting",
      edited("  hearth:profile: development\n", "", settings),
      ["missing hearth:profile Pulumi.test.yaml:1"],
    ],
    [
      "a value outside the fixed set",
      edited("development", "test", settings),
      ["value hearth:profile Pulumi.test.yaml:2"],
    ],
    [
      "an unknown setting",
      edited("hearth:secrets", "hearth:secret", settings),
      ["secret-source hearth:secrets Pulumi.test.yaml:1", "unknown-key hearth:secret Pulumi.test.yaml:5"],
    ],
    [
      "an unknown key inside one",
      edited("clusterIssuer", "clusterIsuer", settings),
      [
        "missing hearth:ingress.clusterIssuer Pulumi.test.yaml:3",
        "unknown-key hearth:ingress.clusterIsuer Pulumi.test.yaml:4",
      ],
    ],
    [
      "a wrong type",
      edited("generate: true", 'generate: "true"', settings),
      ["type hearth:secrets.generate Pulumi.test.yaml:8"],
    ],
    [
      "a config.yaml that is not there",
      edited("team.yaml", "none.yaml", settings),
      ["file hearth:cloudsuites[0].config Pulumi.test.yaml:11"],
    ],
    [
      "a folder for a config.yaml",
      edited("team.yaml", ".", settings),
      ["file hearth:cloudsuites[0].config Pulumi.test.yaml:11"],
    ],
    [
      "a name that is no DNS label",
      edited("name: team", "name: The_Team", settings),
      ["dns-label hearth:cloudsuites[0].name Pulumi.test.yaml:10"],
    ],
    [
      "an encrypted value",
      edited("name: hearth\n", "name:\n        secure: v1:abc\n", settings),
      ["encrypted hearth:secrets.store.name Pulumi.test.yaml:8"],
    ],
    [
      "keys of the object store that come from nowhere",
      edited("    store:\n      name: hearth\n", "", settings),
      ["secret-source hearth:secrets Pulumi.test.yaml:6"],
    ],
  ])("with %s are refused", (_, stackFile, problems) => {
    expect(problemsOf(stackFile)).toEqual(problems);
    expect(judge(stackFile).stack).toBeUndefined();
  });

  it.each([
    [
      "no point in time",
      "targetTime: yesterday",
      "recovery-time hearth:cloudsuites[0].recover.targetTime Pulumi.test.yaml:13",
    ],
    [
      "no such day",
      "targetTime: 2026-02-30 08:30:00",
      "recovery-time hearth:cloudsuites[0].recover.targetTime Pulumi.test.yaml:13",
    ],
    ["nothing to recover to", "keepSource: true", "recovery-time hearth:cloudsuites[0].recover Pulumi.test.yaml:13"],
    [
      "a suffix that is no DNS label",
      "suffix: R_1",
      "dns-label hearth:cloudsuites[0].recover.suffix Pulumi.test.yaml:13",
    ],
  ])("refuse a recovery with %s", (_, recover, problem) => {
    expect(problemsOf(`${settings}      recover:\n        ${recover}\n`)).toEqual([problem]);
  });

  it("refuse to recover a database of which only the address is known", () => {
    const database = "{ host: db, port: 5432, database: x, user: x, password: { name: x, key: password } }";
    expect(problemsOf(`${settings}      recover: { suffix: r1 }\n      database: ${database}\n`)).toEqual([
      "recovery-elsewhere hearth:cloudsuites[0].recover Pulumi.test.yaml:12",
    ]);
  });

  it("refuse two suites on one database elsewhere; a short name is another server in each namespace", () => {
    writeFileSync(
      join(project, "club.yaml"),
      good.replaceAll("team", "club").replaceAll("cloud.example.org", "club.example.org"),
    );
    const both = (host: string) => {
      const database = `database: { host: ${host}, port: 5432, database: x, user: x, password: { name: x, key: password } }`;
      return `${settings}      ${database}\n    - name: club\n      config: club.yaml\n      ${database}\n`;
    };
    expect(problemsOf(both("pg.example.org"))).toEqual(["shared hearth:cloudsuites[1].database Pulumi.test.yaml:15"]);
    expect(problemsOf(both("pg"))).toEqual([]);
  });

  it("refuse to unlock what several suites could have, and say whose there are", () => {
    const locked = `${settings.replace("config: team.yaml", "config: team.yaml\n    - { name: club, config: club.yaml }")}  hearth:allowDataLoss: `;
    const club = good.replaceAll("team", "club").replaceAll("cloud.example.org", "club.example.org");
    writeFileSync(join(project, "club.yaml"), club);
    for (const name of ["cloudsuite", "cloudsuite-db", "cloudsuite-admin", "data-keystore-0"])
      expect(judge(`${locked}[team, ${name}]\n`).problems).toMatchObject([
        {
          code: "data-loss-name",
          path: "hearth:allowDataLoss[1]",
          line: 13,
          remedy: `Write team/${name} or club/${name}.`,
        },
      ]);
    expect(problemsOf(`${locked}[team, team/cloudsuite, data-team-a1b2]\n`)).toEqual([]);
  });

  it("unlock a namespace by its name, whatever data is called the same", () => {
    const own = good.replaceAll("namespace: team", "namespace: cloudsuite");
    writeFileSync(join(project, "team.yaml"), own);
    expect(problemsOf(`${settings}  hearth:allowDataLoss: [cloudsuite]\n`)).toEqual([]);
    const named = `${withForge}  hearth:namespace: data-keystore-0\n  hearth:allowDataLoss: [data-keystore-0]\n`;
    expect(problemsOf(named)).toEqual([]);
  });

  it("unlock what a namespace that is gone had, and name what one of the stack's could have meant", () => {
    const judged = (entry: string, stack = settings) =>
      judge(`${stack}  hearth:allowDataLoss: [${entry}]\n`).problems.map(({ remedy }) => remedy);
    expect(judged("gone/anything")).toEqual([]);
    expect(judged("team/cloudsuit")).toEqual(["Did you mean team/cloudsuite?"]);
    const hub = `${withForge.replace(/ {2}hearth:forge:\n(?: {4}.*\n)+/, "  hearth:hub: {}\n")}`;
    expect(judged("platform/hub-admi", hub)).toEqual(["Did you mean platform/hub-admin?"]);
    expect(judged("hub-admin", hub)).toEqual(["Write platform/hub-admin."]);
  });

  it("refuse settings of a workload that is not there", () => {
    const problems = judge(`${settings}  hearth:workloads:\n    ofice:\n      labels: { a: b }\n`).problems;
    expect(problems.map(({ code, path, line, remedy }) => [code, path, line, remedy])).toEqual([
      ["unknown-key", "hearth:workloads.ofice", 13, "Did you mean office?"],
    ]);
  });

  it("lead an unknown key to its only place, and guess none of several", () => {
    const misplaced = `${settings}  hearth:hub:\n    shellVersion: 19.4.0\n    schedule: 0 1 * * *\n`;
    const remedies = judge(misplaced).problems.map(({ remedy }) => remedy);
    expect(remedies[0]).toBe("Did you mean forge.shellVersion?");
    expect(remedies[1]).toMatch(
      /^Known here: .*\. Elsewhere: [\w.]+\.schedule(, [\w.]+\.schedule)* or [\w.]+\.schedule\.$/,
    );
  });

  it("know the chart values of the webhook by their own names", () => {
    const chart = "  hearth:webhook:\n    enabled: true\n  hearth:webhook.domain: sync.example.org\n";
    const problems = judge(`${settings}${chart}`).problems;
    expect(problems.map(({ code, path, remedy }) => [code, path, remedy])).toEqual([
      ["unknown-key", "hearth:webhook", "Did you mean siteWebhook?"],
      ["unknown-key", `hearth:["webhook.domain"]`, "Did you mean siteWebhook.domain?"],
    ]);
  });

  it("may name every workload of a suite, the forge, the hub, the copies and the drills, and no other", () => {
    const to = "{ endpoint: https://s3.example.org, region: eu, bucket: copies }";
    const { stack } = judge(`${withForge}  hearth:hub: {}\n  hearth:copies: { to: ${to} }\n  hearth:drill: {}\n`);
    const names = workloadNames(stack?.settings ?? {});
    const objects = stack ? stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object)) : [];
    const workloads = objects.filter(({ kind }) =>
      ["Deployment", "StatefulSet", "CronJob", "Job", "Cluster", "Pooler"].includes(kind),
    );
    // The CronJobs of the copies are called after their sources, and are one workload.
    const known = workloads.map(({ metadata: { name: own, labels } }) => {
      const name = own.replace(/(-[0-9a-f]{8}|(-\d+){3})$/, "");
      return names.includes(name) ? name : labels?.["app.kubernetes.io/name"];
    });
    // Not every app of a suite is on in this one.
    const all = new Set([...known, ...servedApps.map(({ server }) => server.workload), suiteNames.blockedUsers]);
    expect([...all].sort()).toEqual([...names].sort());
  });

  it("of a forge that lacks what it needs are refused at the places where it belongs", () => {
    const lacking = edited(
      "    region: fsn1\n",
      "",
      edited("\n    wildcardClusterIssuer: letsencrypt-dns", "", withForge),
    );
    expect(problemsOf(edited("    endpoint: https://fsn1", "    endpoint: http://fsn1", lacking))).toEqual([
      "wildcard-issuer hearth:ingress.wildcardClusterIssuer Pulumi.test.yaml:3",
      "required hearth:objectStorage.region Pulumi.test.yaml:14",
      "endpoint hearth:objectStorage.endpoint Pulumi.test.yaml:15",
    ]);
  });

  it("refuse a suite in the forge's namespace or under its host", () => {
    writeFileSync(
      join(project, "team.yaml"),
      edited(
        "namespace: team",
        "namespace: platform-jobs",
        edited("domain: cloud.example.org", "domain: forge.example.org"),
      ),
    );
    expect(problemsOf(withForge).filter((problem) => problem.startsWith("shared"))).toEqual([
      "shared namespace team.yaml:1",
      "shared domain team.yaml:2",
    ]);
  });

  it("refuse suites that share a namespace, a host or a bucket", () => {
    const other = edited("backups-team-a1b2", "backups-other-a1b2", edited("office.cloud", "documents.cloud"));
    writeFileSync(join(project, "other.yaml"), other);
    expect(problemsOf(`${settings}    - name: other\n      config: other.yaml\n`)).toEqual([
      "shared namespace other.yaml:1",
      "shared domain other.yaml:2",
      "shared s3.buckets.data other.yaml:13",
    ]);
  });

  it("refuse suites that share only the bucket of their backups", () => {
    const other = edited("data-team-a1b2", "data-other-a1b2", edited("office.cloud", "documents.cloud"));
    writeFileSync(join(project, "other.yaml"), other);
    expect(problemsOf(`${settings}    - name: other\n      config: other.yaml\n`)).toContain(
      "shared s3.buckets.backups other.yaml:14",
    );
  });

  it("refuse one config.yaml for two suites, and one name", () => {
    const problems = problemsOf(`${settings}    - name: team\n      config: team.yaml\n`);
    expect(problems).toContain("shared hearth:cloudsuites[1].name Pulumi.test.yaml:12");
    expect(problems).toContain("shared hearth:cloudsuites[1].config Pulumi.test.yaml:13");
    // All that two suites with one file would share is not told as well.
    expect(problems.filter((problem) => problem.includes("team.yaml"))).toEqual([]);
  });

  it("tell the problems of the stack's file and of every config.yaml at once", () => {
    writeFileSync(join(project, "team.yaml"), edited("region: fsn1", "region: hel2"));
    writeFileSync(join(project, "other.yaml"), "namespace: [\n");
    const stackFile = edited("development", "test", `${settings}    - name: other\n      config: other.yaml\n`);
    expect(problemsOf(stackFile)).toEqual([
      "value hearth:profile Pulumi.test.yaml:2",
      "value s3.region team.yaml:11",
      expect.stringMatching(/^yaml-syntax {2}other\.yaml:/),
    ]);
  });

  it("are the same from the engine as from the file", () => {
    writeFileSync(join(project, "Pulumi.test.yaml"), settings);
    expect(checkStack(project, sourceFromEngine(project, "test", engineConfig))).toEqual(judge(settings));
  });

  it.each(["2026-11-20 08:30:00", "2026-11-20 08:30:00.25", "2026-11-20 10:30:00+02:00"])(
    "from the engine have the point in time %s as it was written",
    (written) => {
      // Go's form of a YAML timestamp, as the real engine hands it over.
      const given = written.replace(/\+02:00|$/, (offset) => (offset ? " +0200 +0200" : " +0000 UTC"));
      const cloudsuites = JSON.stringify([{ config: "team.yaml", name: "team", recover: { targetTime: given } }]);
      const source = sourceFromEngine(project, "test", { ...engineConfig, "hearth:cloudsuites": cloudsuites });
      const [suite] = checkStack(project, source).stack?.suites ?? [];
      expect(suite?.settings.recover?.targetTime).toBe(written);
    },
  );

  it("from the engine have no place where the file says something else", () => {
    writeFileSync(join(project, "Pulumi.test.yaml"), settings);
    const source = sourceFromEngine(project, "test", { ...engineConfig, "hearth:profile": "test" });
    expect(checkStack(project, source).problems).toEqual([
      expect.objectContaining({ code: "value", path: "hearth:profile", file: "Pulumi.test.yaml" }),
    ]);
    expect(checkStack(project, source).problems[0]).not.toHaveProperty("line");
  });

  it("don't need the stack's file when the engine gives them", () => {
    const { stack } = checkStack(project, sourceFromEngine(project, "absent", engineConfig));
    expect(stack?.suites).toHaveLength(1);
  });

  it("never show an encrypted value", () => {
    writeFileSync(
      join(project, "Pulumi.test.yaml"),
      edited("profile: development", "profile:\n    secure: v1:abc", settings),
    );
    const source = sourceFromEngine(project, "test", { ...engineConfig, "hearth:profile": "hunter2" });
    const { problems } = checkStack(project, source);
    expect(problems.map(({ code }) => code)).toEqual(["encrypted"]);
    expect(JSON.stringify(problems)).not.toContain("hunter2");
  });
});

describe("the report", () => {
  it("gives each problem its place, what was found, what is allowed and what to do", () => {
    cpSync(join(import.meta.dirname, "faulty-config.yaml"), join(project, "team.yaml"));
    const { problems } = judge(edited("hearth:ingress", "hearth:ingres", settings));
    expect(formatReport(problems)).toMatchInlineSnapshot(`
      "17 errors and 2 warnings in Pulumi.test.yaml, team.yaml:
      Pulumi.test.yaml:1:1: error: hearth:ingress: The field is missing. [missing]
          Add it. Exposure of public hosts: the API of their routes, and cert-manager's issuer.
      Pulumi.test.yaml:3:3: error: hearth:ingres: Unknown key "ingres". [unknown-key]
          Did you mean ingress?
      team.yaml:1:12: error: namespace: The value is not a DNS label. [dns-label]
          Use 1 to 63 lower-case letters, digits and dashes, with a letter or digit first and last.
      team.yaml:3:1: error: versions.office: The field is missing. [missing]
          The image tag of the office server. It is required because office is enabled.
      team.yaml:4:15: error: versions.cloudsuite: Found a number, not text. [type]
          Put it in quotes.
      team.yaml:5:7: error: versions.db: Found a number, not text. [type]
          Put it in quotes.
      team.yaml:7:1: error: s3.buckets: The field is missing. [missing]
          Add it. Names of the buckets.
      team.yaml:9:11: error: s3.region: The region is hel1, but the endpoint "fsn1.your-objectstorage.com" is in fsn1. [region-location]
          Write region fsn1, or the endpoint of hel1.
      team.yaml:10:3: error: s3.bucket: Unknown key "bucket". [unknown-key]
          Did you mean buckets?
      team.yaml:14:17: error: storage.storageClass: The value is not allowed. [value]
          Write replicated-block or smb-csi. An entry allows another: \`hearth:limits: {storageClasses: [{name: <name>, multiWriter: false, expandable: true, reason: <why>}]}\`.
      team.yaml:15:11: warning: storage.dbSize: 5Gi is low for a small instance. [sizing-files]
          Write 10Gi or more; a volume can grow, never shrink.
      team.yaml:16:17: error: storage.keystoreSize: The value is not a size with a binary suffix. [size]
          Write a whole number above 0, directly followed by Ki, Mi, Gi, Ti or Pi, for example 512Mi or 10Gi.
      team.yaml:19:22: error: resources.cloudsuite.requests.cpu: Found a number, not text. [type]
          Write text. CPU in millicores, e.g. \`200m\`.
      team.yaml:24:3: error: resources.keystore.limits: The field is missing. [missing]
          Add it. Above the CPU limit the container is throttled; above the memory limit it is killed.
      team.yaml:28:7: error: replicas.db: The value is not an allowed number of database instances. [replicas]
          Write 2 (primary and standby, for production) or 1 (no failover, for development).
      team.yaml:29:13: error: replicas.keystore: Found text, not a number. [type]
          Write a number. Keystore pods: 1.
      team.yaml:30:1: error: office.resources: The field is missing. [missing]
          Resources of the office pod. It is required because office is enabled.
      team.yaml:32:11: warning: office.domain: "office.example.net" is not a subdomain of "cloud.example.org". [office-domain]
          The usual name is like office.cloud.example.org.
      team.yaml:34:12: error: whiteboard.enabled: Found text, not true or false. [type]
          Write true or false. Whether the suite has a whiteboard."
    `);
  });
});
