import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkout, type Session } from "@hearth-platform/cli/command";
import { gateCommand } from "@hearth-platform/cli/gate/command";
import { type PreviewOutput, type PreviewRequest, previewArguments } from "@hearth-platform/cli/gate/preview";
import type { ToldProblem } from "@hearth-platform/hearth/core/problem-file";
import { error as problem } from "@hearth-platform/hearth/core/problems";
import type { Policy } from "@hearth-platform/policy/core/policy";
import { limitsPack } from "@hearth-platform/policy/limits/policies";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call } from "../../support/caller.ts";

const databaseReplicas = limitsPack.policies.find(({ id }) => id === "lim-db-replicas") as Policy;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-gate-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What the real CLI printed of stack dev, shortened: with a changed suite, held to production, of a faulty file; and of a program with an unknown value. */
function recorded(name: "changes" | "violations" | "problem" | "skipped"): PreviewOutput {
  const events = readFileSync(join(import.meta.dirname, "recordings", `${name}.jsonl`), "utf8");
  const file = join(import.meta.dirname, "recordings", `${name}.problems.jsonl`);
  const problems = existsSync(file) ? readFileSync(file, "utf8") : "";
  return { events, problems, error: "", succeeded: name === "changes" };
}

/** Runs the gate on what Pulumi is made to answer. */
async function gate(answer: PreviewOutput, ...args: string[]) {
  const requests: PreviewRequest[] = [];
  const preview = async (request: PreviewRequest) => {
    requests.push(request);
    return answer;
  };
  const command = (session: Session) => gateCommand(session, preview);
  const { status, stdout, stderr } = await call(command, folder, ["--stack", "dev", ...args]);
  return { status, stdout, stderr, requests };
}

async function summary(answer: PreviewOutput, ...args: string[]): Promise<string> {
  await gate(answer, "--summary", "summary.md", ...args);
  return readFileSync(join(folder, "summary.md"), "utf8");
}

const event = (content: object) => `${JSON.stringify(content)}\n`;

/** A preview in which a policy said this. @param told by one of ours, as data */
function withPolicyEvent(policyEvent: object, ...told: ToldProblem[]): PreviewOutput {
  const { events } = recorded("changes");
  const defaults = { policyName: "their-policy", enforcementLevel: "mandatory", severity: "high", message: "No." };
  return {
    events: events + event({ policyEvent: { ...defaults, ...policyEvent } }),
    problems: told.map(event).join(""),
    error: "",
    succeeded: false,
  };
}

describe("a change that breaks no policy", () => {
  it("passes, and its changes are counted by kind", async () => {
    const { status, stdout } = await gate(recorded("changes"));
    expect(status).toBe(0);
    expect(stdout).toContain("Stack dev passes the gate: 0 violations, 0 of 38 evaluations skipped.");
    expect(stdout).toContain("Changes: 1 to create, 8 to update, 6 to delete, 3 unchanged.");
    expect(stdout).toMatch(/│ batch\/Job +│ 1 +│ +│ 1 +│/);
  });

  it("shows what becomes of each thing that is there, with the paths of an update", async () => {
    const { stdout } = await gate(recorded("changes"));
    const keystore = "spec.template.spec.containers[0].resources.limits.cpu";
    expect(stdout).toContain(`\n  update apps/StatefulSet team-keystore/keystore: ${keystore}\n`);
    expect(stdout).toContain("\n  delete apps/Deployment team/whiteboard\n");
    expect(stdout).not.toContain("300m");
  });
});

describe("a violation", () => {
  it("closes the gate, with policy, severity, path and remedy", async () => {
    const { status, stdout } = await gate(recorded("violations"));
    expect(status).toBe(1);
    expect(stdout).toContain("Stack dev does not pass the gate: 2 violations, 0 of 12 evaluations skipped.");
    expect(stdout).toMatch(
      /\n {2}lim-db-replicas \(high\): hearth\/CloudSuite club, replicas\.db, suites\/club\/config\.yaml:\d+\n/,
    );
  });

  it("has its message and remedy on lines of their own", async () => {
    const { id, rule, remediation } = databaseReplicas;
    const text = `spec.instances: Profile production wants 2. ${remediation}`;
    const told = { ...problem(id, "spec.instances", "Profile production wants 2.", remediation), text };
    const { stdout } = await gate(withPolicyEvent({ policyName: id, message: `${rule}\n${text}\n` }, told));
    expect(stdout).toContain(`, spec.instances\n    Profile production wants 2.\n    ${remediation}\n`);
  });

  it("of an advisory policy is told and lets the change pass", async () => {
    const { status, stdout } = await gate({ ...withPolicyEvent({ enforcementLevel: "advisory" }), succeeded: true });
    expect(status).toBe(0);
    expect(stdout).toContain("0 violations, 1 piece of advice");
    expect(stdout).toContain("\nAdvice:\n  their-policy (high): the stack\n    No.\n");
  });

  it("of the program in the settings is advice, with its place, and lets the change pass", async () => {
    const warning = {
      ...{ severity: "warning" as const, code: "version-ended", path: "hearth:hub.version", file: "Pulumi.dev.yaml" },
      ...{ line: 7, column: 3, message: "Harbor 2.12 has had no fixes since 2026-03-20.", remedy: "Take 2.15.2." },
    };
    const { status, stdout } = await gate({ ...recorded("changes"), problems: event(warning) });
    expect(status).toBe(0);
    expect(stdout).toContain(
      "\nAdvice:\n  version-ended: Pulumi.dev.yaml:7:3, hearth:hub.version\n    Harbor 2.12 has had no fixes since 2026-03-20.\n    Take 2.15.2.\n",
    );
  });

  it("of Pulumi, which are not about the settings, are left to its log", async () => {
    const told = recorded("changes");
    const warning = {
      diagnosticEvent: { severity: "warning", message: "A new version of Pulumi is available.", urn: "" },
    };
    expect((await gate({ ...told, events: told.events + event(warning) })).stdout).not.toContain("Advice");
  });

  it("of a policy of somebody else's pack is told in that policy's words", async () => {
    const { status, stdout } = await gate(withPolicyEvent({ message: "Buckets: are named by the team." }));
    expect(status).toBe(1);
    expect(stdout).toContain("    Buckets: are named by the team.\n");
  });
});

describe("a policy that could not be judged", () => {
  it("closes the gate and names the value that is not known", async () => {
    const { status, stdout } = await gate(recorded("skipped"));
    expect(status).toBe(1);
    expect(stdout).toContain("2 of 19 evaluations skipped");
    expect(stdout).toContain("lim-keystore-replicas (high): apps/StatefulSet keystore, spec.replicas\n");
    expect(stdout).not.toContain("Advice:");
  });

  it("passes where that is allowed", async () => {
    const message = "can't run policy 'p' from policy pack 'q@v1' during preview: string value at .a can't be known";
    const answer = { ...withPolicyEvent({ message, enforcementLevel: "advisory" }), succeeded: true };
    expect((await gate(answer)).status).toBe(1);
    expect((await gate(answer, "--allow-skipped")).status).toBe(0);
    expect((await gate(recorded("violations"), "--allow-skipped")).status).toBe(1);
  });
});

describe("a preview that ends early", () => {
  it("does not pass, and the program's own report is shown as it is", async () => {
    const { status, stdout } = await gate(recorded("problem"));
    expect(status).toBe(1);
    expect(stdout).toContain("1 error, 0 violations");
    expect(stdout).toContain(
      '  Pulumi.dev.yaml: error: hearth:profile: "devel" is not allowed. [value]\n      Write development or production.\n',
    );
    expect(stdout).not.toContain("preview failed");
  });

  it("is JSON for programs, and nothing else", async () => {
    const { status, stdout } = await gate(recorded("violations"), "--json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      stack: "dev",
      passed: false,
      violations: [{ policy: "lim-db-replicas", path: "replicas.db" }, {}],
      unchanged: 0,
    });
  });

  it("before the engine says anything is told in the CLI's words", async () => {
    const { status, stdout } = await gate({
      events: "",
      problems: "",
      error: "error: no stack named 'dev' found",
      succeeded: false,
    });
    expect(status).toBe(1);
    expect(stdout).toContain("Errors:\n  error: no stack named 'dev' found\n");
  });

  it("does not pass without the policies, whatever Pulumi says", async () => {
    const events = recorded("changes").events.replaceAll("platform|local", "other|local");
    const { status, stdout } = await gate({ events, problems: "", error: "", succeeded: true });
    expect(status).toBe(1);
    expect(stdout).toContain("  The policy pack platform did not run.\n");
  });
});

describe("the summary", () => {
  it("is Markdown with a table of violations and one of changes", async () => {
    const text = await summary(recorded("violations"));
    expect(text).toMatch(/^### ❌ Stack `dev`\n\n2 violations/);
    expect(text).toMatch(
      /\n\| `lim-db-replicas` \(high\) \| `hearth\/CloudSuite club` `replicas\.db` \| `suites\/club\/config\.yaml:\d+` \| Profile production wants 2\./,
    );
    expect(text).toContain("<details><summary>Changes: 4 to create, 0 unchanged</summary>");
    expect(await summary(recorded("changes"))).toMatch(/^### ✅ Stack `dev`/);
  });

  it("keeps what a program prints from ending a cell, mentioning a person or becoming HTML", async () => {
    const text = await summary(withPolicyEvent({ message: "| x | <img src=y> @team [z](https://example.org)\nnext" }));
    expect(text).toContain(
      "&#124; x &#124; &#60;img src=y> &#64;team &#91;z&#93;(https://example.org)<br>next".replace("y>", "y&#62;"),
    );
  });

  it("of thousands of findings and changes fits into a comment", async () => {
    const { events } = recorded("changes");
    const line = event({
      policyEvent: { policyName: "p", enforcementLevel: "mandatory", message: "word ".repeat(1000) },
    });
    const text = await summary({ events: events + line.repeat(5000), problems: "", error: "", succeeded: false });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain("and 4940 more: see the log.");
  });
});

describe("values and places", () => {
  const update = (type: string, name: string, before: object, now: object, detailedDiff: object | null = null) => {
    const urn = `urn:pulumi:dev::hearth::${type}::${name}`;
    const metadata = { op: "update", urn, type, detailedDiff, old: { inputs: before }, new: { inputs: now } };
    return event({ resourcePreEvent: { metadata } });
  };
  const previewed = (...events: string[]): PreviewOutput => {
    const told = recorded("changes");
    return { ...told, events: told.events + events.join("") };
  };
  const stackFile = `config:
  hearth:workload:
    priorityClassName: high
  hearth:forge:
    replicas:
      webservice: 2
  hearth:cloudsuites:
    - name: team
      config: ${join(import.meta.dirname, "../../../suites/team/config.yaml")}
`;
  const summaryOf = (answer: PreviewOutput) => {
    writeFileSync(join(folder, "stack.yaml"), stackFile);
    return summary(answer, "--config-file", "stack.yaml");
  };

  it("a value is shown as it was and as it would be, with file and line where it is written", async () => {
    const before = { replicas: { webservice: 1 }, namespace: "platform" };
    const now = { replicas: { webservice: 2 }, namespace: "platform" };
    const text = await summaryOf(previewed(update("hearth:index:Forge", "forge", before, now)));
    expect(text).toContain("| `replicas.webservice` `1` → `2` |");
    expect(text).toMatch(/`replicas.webservice` `1` → `2` \| `[^`]*stack\.yaml:6` \|/);
  });

  it("a block that is new is shown by its values", async () => {
    const text = await summaryOf(previewed(update("hearth:index:Forge", "forge", {}, { replicas: { webservice: 2 } })));
    expect(text).toContain("| `replicas.webservice` → `2` |");
  });

  it("of an object the settings of its component are named, and a long text is not shown", async () => {
    const diff = { 'data["a.conf"]': {} };
    const [before, now] = [{ data: { "a.conf": "x\ny" } }, { data: { "a.conf": "x\nz" } }];
    const text = await summaryOf(previewed(update("kubernetes:core/v1:ConfigMap", "forge/a", before, now, diff)));
    expect(text).toMatch(/\| `data\["a\.conf"\]` \| `[^`]*stack\.yaml:4` \|/);
  });

  it("nothing is shown of a Secret but its paths", async () => {
    const [before, now] = [{ data: { password: "b2xk" } }, { data: { password: "bmV3" } }];
    const text = await summaryOf(
      previewed(update("kubernetes:core/v1:Secret", "forge/a", before, now, { "data.password": {} })),
    );
    expect(text).toContain("`data.password`");
    expect(text).not.toMatch(/b2xk|bmV3/);
  });

  it("a violation in a suite is shown where its config.yaml says it", async () => {
    const urn = "urn:pulumi:dev::hearth::hearth:index:CloudSuite::team";
    const { id, rule, remediation } = databaseReplicas;
    const text = `replicas.db: Profile production wants 2. ${remediation}`;
    const told = { ...problem(id, "replicas.db", "Profile production wants 2.", remediation), text };
    const violation = { policyName: id, resourceUrn: urn, message: `${rule}\n${text}\n` };
    const written = await summaryOf(withPolicyEvent(violation, told));
    const config = readFileSync(join(import.meta.dirname, "../../../suites/team/config.yaml"), "utf8").split("\n");
    const line = config.indexOf("  db: 1") + 1;
    expect(written).toContain(`suites/team/config.yaml:${line}\``);
  });

  it("a column that holds nothing is left out", async () => {
    expect(await summary(recorded("violations"))).not.toContain("Written in |  |");
    const text = await summary(withPolicyEvent({ message: "Their words." }));
    expect(text).toContain("| Policy | Where | What is wrong |\n");
  });

  it("an error is told in the program's words, and not what the engine ended for it", async () => {
    const error = (message: string) => event({ diagnosticEvent: { severity: "error", message, urn: "" } });
    const own =
      'Preview failed: before hook "hearth:index:Database/platform-db" failed: platform-db can\'t be changed.';
    const events = recorded("changes").events + error(own) + error("failed to run remediation: context canceled");
    const { stdout } = await gate({ events, problems: "", error: "", succeeded: false });
    expect(stdout).toContain("Errors:\n  platform-db can't be changed.\n\n");
    expect(stdout).not.toContain("context canceled");
  });
});

describe("the configuration of the policies", () => {
  it("with a problem is told, and nothing is previewed", async () => {
    writeFileSync(join(folder, "policies.json"), '{\n  "lim-db-replica": {}\n}\n');
    const { status, stderr, requests } = await gate(recorded("changes"), "--policy-config", "policies.json");
    expect([status, requests]).toEqual([1, []]);
    expect(stderr).toContain("policies.json:2:3: error: lim-db-replica: Unknown key");
    expect(stderr).toContain("Did you mean lim-db-replicas?");
  });

  it("goes to Pulumi, and that of another stack to none", async () => {
    writeFileSync(join(folder, "policies.json"), '{ "wl-spread": { "enforcementLevel": "mandatory" } }');
    const policyConfig = join(folder, "policies.json");
    const { requests } = await gate(recorded("changes"), "--policy-config", "policies.json");
    expect(requests).toMatchObject([{ policyConfig }]);
    expect((await gate(recorded("changes"))).requests).toMatchObject([{ policyConfig: undefined }]);
  });

  it("that is not there is a usage error", async () => {
    expect(await gate(recorded("changes"), "--policy-config", "none.json")).toMatchObject({ status: 2, requests: [] });
  });
});

describe("what is asked of Pulumi", () => {
  it("is a preview with all policies in one pack, and their configuration", () => {
    const args = previewArguments({ stack: "prod", policyConfig: "/x/policies.json", configFile: "/x/stack.yaml" });
    expect(args.join(" ")).toBe(
      `preview --stack prod --json --non-interactive --color never --config-file /x/stack.yaml --policy-pack ${checkout}/policy --policy-pack-config /x/policies.json`,
    );
  });

  it("is said by the options, whose paths start where the caller is", async () => {
    const { requests } = await gate(
      recorded("changes"),
      "--sandbox",
      "--profile",
      "maintenance",
      "--config-file",
      "a.yaml",
    );
    expect(requests).toEqual([
      {
        project: join(import.meta.dirname, "../../.."),
        stack: "dev",
        sandbox: true,
        profile: "maintenance",
        configFile: join(folder, "a.yaml"),
        policyConfig: undefined,
      },
    ]);
  });

  it.each([
    [[], "Required option '--stack <STACK>'"],
    [["--stack", "../dev"], "is not the name of a stack"],
    [["--stack", "dev", "--profile", "strict"], "Option '--profile <PROFILE>' argument 'strict' is invalid"],
    [["--stack", "dev", "more"], "Too many arguments"],
  ])("is nothing at all after a usage error: %s", async (args, problem) => {
    const asked = (session: Session) => gateCommand(session, () => Promise.reject(new Error("asked")));
    const { status, stderr } = await call(asked, folder, args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});
