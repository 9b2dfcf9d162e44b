import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { commandNames } from "@hearth-platform/cli/hearth";
import { execa } from "execa";
import { afterAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { forgeApiProblems, forgeOperation } from "../support/forge-api.ts";

const project = join(import.meta.dirname, "../..");
const read = (...path: string[]) => readFileSync(join(project, ...path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "hearth-ci-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** As much of a GitHub workflow as is looked at. */
interface Workflow {
  readonly on: Record<string, unknown>;
  readonly permissions: Record<string, string>;
  readonly jobs: Record<string, Job>;
}
interface Job {
  readonly if?: string;
  readonly environment?: string;
  readonly permissions?: Record<string, string>;
  readonly steps: readonly Step[];
}
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Record<string, unknown>;
}

const workflows = readdirSync(join(project, ".github/workflows")).map((file) => {
  const text = read(".github/workflows", file);
  return { file, text, workflow: parse(text) as Workflow };
});
const jobs = workflows.flatMap(({ workflow }) => Object.entries(workflow.jobs).map(([name, job]) => ({ name, job })));
const jobNamed = (name: string) => jobs.find((each) => each.name === name)?.job;

const gitlab = parse(read(".gitlab-ci.yml"));
const gitlabScripts: string[] = Object.values(gitlab).flatMap((job) => {
  const { script = [], before_script = [] } = (job ?? {}) as { script?: string[]; before_script?: string[] };
  return [...before_script, ...script];
});
const scripts = [...jobs.flatMap(({ job }) => job.steps.flatMap(({ run }) => run ?? [])), ...gitlabScripts];

const ofPullRequests = workflows.filter(({ workflow }) => "pull_request" in workflow.on);

describe("on GitHub a pull request", () => {
  it("starts nothing with the rights of the repository itself", () => {
    expect(ofPullRequests.length).toBeGreaterThan(1);
    for (const { workflow } of workflows) {
      expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
      expect(Object.keys(workflow.on)).not.toContain("workflow_run");
      expect(workflow.permissions).toEqual({ contents: "read" });
    }
  });

  it("may write in one job only, which runs nothing of the pull request", () => {
    const own = ofPullRequests.flatMap(({ workflow }) => Object.entries(workflow.jobs));
    const writing = own.map(([name, job]) => ({ name, job })).filter(({ job }) => job.permissions !== undefined);
    expect(writing.map(({ name, job }) => [name, job.permissions])).toEqual([
      ["comment", { "pull-requests": "write" }],
    ]);
    expect(jobNamed("comment")?.steps.flatMap(({ uses = "" }) => uses.split("@")[0])).not.toContain("actions/checkout");
  });

  it("from a fork gets no secret: only jobs of an environment name any, and they leave forks out", () => {
    for (const { name, job } of jobs.filter(({ job }) => JSON.stringify(job).includes("secrets."))) {
      expect(job.environment, name).toBe("production-preview");
      expect(job.if, name).toContain("github.event.pull_request.head.repo.full_name == github.repository");
    }
    expect(jobs.filter(({ job }) => job.environment).map(({ name }) => name)).toEqual(["preview", "publish", "site"]);
  });

  it("runs actions of one commit, and leaves no token in the checkout", () => {
    for (const { uses, with: inputs } of jobs.flatMap(({ job }) => job.steps)) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
      if (uses?.startsWith("actions/checkout@")) expect(inputs).toMatchObject({ "persist-credentials": false });
    }
    for (const { text } of workflows)
      for (const line of text.match(/uses: .*/g) ?? []) expect(line).toMatch(/ # v\d+\.\d+\.\d+$/);
  });
});

describe("on GitLab the pipeline", () => {
  /** What gitlab-ci-local, with GitLab's own schema, says of a pipeline. */
  async function lint(pipeline: object) {
    const at = mkdtempSync(join(folder, "pipeline-"));
    writeFileSync(join(at, ".gitlab-ci.yml"), stringify(pipeline));
    await execa("git", ["init", "--quiet"], { cwd: at });
    const linter = fileURLToPath(import.meta.resolve("gitlab-ci-local"));
    return await execa(process.execPath, [linter, "--list"], { cwd: at, env: { HOME: at }, all: true, reject: false });
  }

  it("passes a linter, which finds the check and the gate of each stack", async () => {
    const { exitCode, stdout, all } = await lint(gitlab);
    expect(exitCode, all).toBe(0);
    expect(stdout.match(/^(?:check|gate: \[\w+\])(?= )/gm)).toEqual(["check", "gate: [dev]", "gate: [prod]"]);
  });

  it.each<[what: string, change: object]>([
    ["a script that is no text", { check: { ...gitlab.check, script: { run: "npm test" } } }],
    ["a rule of a misspelt condition", { comment: { ...gitlab.comment, rules: [{ iff: "$X" }] } }],
    ["a matrix that is none", { gate: { ...gitlab.gate, parallel: { matrix: "dev" } } }],
    ["a stage that there is not", { check: { ...gitlab.check, stage: "chek" } }],
  ])("would be refused with %s", async (_, change) => {
    expect((await lint({ ...gitlab, ...change })).exitCode).not.toBe(0);
  });

  it("comments only where the project's token is, which a fork's pipeline has not", () => {
    expect(gitlab.comment.rules[0].if).toContain("$GATE_TOKEN");
    const withToken = gitlabScripts.filter((script) => script.includes("GATE_TOKEN"));
    expect(withToken).toEqual([gitlab.comment.script.at(-1)]);
  });
});

describe("the steps", () => {
  const npmScripts = Object.keys(JSON.parse(read("package.json")).scripts);

  it("are shell that bash can read", async () => {
    for (const script of scripts) await execa("bash", ["-n"], { input: script });
  });

  it("run scripts and commands that there are, the gate of both stacks of the project among them", () => {
    const named = (call: RegExp) => scripts.flatMap((script) => [...script.matchAll(call)].map(([, name]) => name));
    expect(npmScripts).toEqual(expect.arrayContaining(named(/\bnpm run ([\w-]+)/g)));
    expect(new Set(named(/\bnpm run ([\w-]+)/g))).toEqual(
      new Set(["check", "unit", "pack", "e2e", "generate", "site"]),
    );
    expect(commandNames).toEqual(expect.arrayContaining(named(/\.\/hearth ([\w-]+)/g)));
    expect(new Set(named(/\.\/hearth ([\w-]+)/g))).toEqual(new Set(["sandbox", "gate"]));
    const stacks = ["dev", "prod"];
    const { strategy } = jobNamed("gate") as unknown as { strategy: { matrix: { stack: string[] } } };
    expect(strategy.matrix.stack).toEqual(stacks);
    expect(gitlab.gate.parallel.matrix).toEqual([{ STACK: stacks }]);
  });

  it("find the system programs of the tests", async () => {
    const list = scripts.filter((script) => script.includes("system-programs.ts"));
    expect(list).toHaveLength(3);
    for (const script of list) {
      const [sed = ""] = script.split("\n");
      const { stdout } = await execa("bash", ["-c", sed.replace("> packages.txt", "")], { cwd: project });
      expect(stdout.split("\n")).toEqual(expect.arrayContaining(["git", "buildah", "nginx-light"]));
    }
  });

  /** Runs shell in a folder with the summaries of two stacks, in which `program` notes its arguments. */
  async function comment(program: string, steps: readonly string[], env: Record<string, string>) {
    const at = mkdtempSync(join(folder, "comment-"));
    writeFileSync(join(at, "gate-dev.md"), "### dev\n");
    writeFileSync(join(at, "gate-prod.md"), "### prod\n");
    writeFileSync(join(at, program), '#!/bin/sh\nprintf "%s\\n" "$@" > arguments.txt\n');
    chmodSync(join(at, program), 0o755);
    const path = `${at}${delimiter}${process.env.PATH}`;
    await execa("bash", ["-eo", "pipefail", "-c", steps.join("\n")], { cwd: at, env: { ...env, PATH: path } });
    const lines = readFileSync(join(at, "arguments.txt"), "utf8").trimEnd().split("\n");
    return { lines, body: readFileSync(join(at, "summary.md"), "utf8") };
  }

  it("comment the summaries of all stacks as one: GitHub", async () => {
    const steps = jobNamed("comment")?.steps.flatMap(({ run }) => run ?? []) ?? [];
    const { lines, body } = await comment("gh", steps, { NUMBER: "7" });
    expect(body).toBe("### dev\n### prod\n");
    expect(lines.join(" ")).toBe("pr comment 7 --body-file summary.md --edit-last --create-if-none");
  });

  it("comment the summaries of all stacks as one: GitLab", async () => {
    const { lines, body } = await comment("curl", gitlab.comment.script, {
      GATE_TOKEN: "a token",
      CI_API_V4_URL: "https://gitlab.example.org/api/v4",
      CI_PROJECT_ID: "3",
      CI_MERGE_REQUEST_IID: "7",
    });
    expect(body).toBe("### dev\n### prod\n");
    expect(lines).toEqual(expect.arrayContaining(["PRIVATE-TOKEN: a token", "body@summary.md"]));
    const [, path = ""] = (lines.at(-1) ?? "").split("https://gitlab.example.org/api/v4");
    expect(path).toBe("/projects/3/merge_requests/7/notes");
    expect(forgeOperation("POST", path)).toBe("CreateMergeRequestNote");
    expect(forgeApiProblems({ operation: "CreateMergeRequestNote", body: { body } })).toEqual([]);
  });
});
