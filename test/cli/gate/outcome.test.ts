import type { EngineEvent } from "@hearth-platform/cli/gate/events";
import { outcomeOf } from "@hearth-platform/cli/gate/outcome";
import type { PreviewOutput } from "@hearth-platform/cli/gate/preview";
import { markdownSummary } from "@hearth-platform/cli/gate/summary";
import type { ToldProblem } from "@hearth-platform/hearth/core/problem-file";
import { limitsPack } from "@hearth-platform/policy/limits/policies";
import { describe, expect, it } from "vitest";

const [policy, otherPolicy] = limitsPack.policies;
if (!policy || !otherPolicy) throw new Error("The pack has policies.");
const urn = (type: string, name: string) => `urn:pulumi:dev::hearth::${type}::${name}`;
const web = urn("kubernetes:apps/v1:Deployment", "team/web");
const ran: EngineEvent = { summaryEvent: { PolicyPacks: { [`${limitsPack.name}|1`]: "1" } } };

/** What the gate makes of what the engine tells. */
function outcome(events: readonly EngineEvent[], more: Partial<PreviewOutput> = {}) {
  const text = [...events].map((event) => JSON.stringify(event)).join("\n");
  return outcomeOf({ events: text, problems: "", error: "", succeeded: true, ...more }, limitsPack);
}
const refused = (message: string, resourceUrn = web): EngineEvent => ({
  policyEvent: { message: `rule\n${message}`, policyName: policy.id, enforcementLevel: "mandatory", resourceUrn },
});

/** An operation on the web's Deployment, which gets a second replica. */
const change = (op: string): EngineEvent => ({
  resourcePreEvent: {
    metadata: {
      ...{ op, urn: web, type: "kubernetes:apps/v1:Deployment", detailedDiff: { "spec.replicas": {} } },
      ...{ old: { inputs: { spec: { replicas: 1 } } }, new: { inputs: { spec: { replicas: 2 } } } },
    },
  },
});

describe("the outcome of a preview", () => {
  it("names its failures alone, and not the pack that could not run for them", () => {
    const failed: EngineEvent = { diagnosticEvent: { severity: "error", message: "no cluster" } };
    expect(outcome([failed], { succeeded: false }).errors).toEqual(["no cluster"]);
    expect(outcome([]).errors).toEqual([`The policy pack ${limitsPack.name} did not run.`]);
    expect(outcome([ran]).errors).toEqual([]);
  });

  it("has the values that a replacement changes, as of an update", () => {
    const [updated, replaced] = outcome([ran, change("update"), change("replace")]).changes;
    expect(updated?.edits).toHaveLength(1);
    expect(replaced?.edits).toEqual(updated?.edits);
  });

  it("takes the remedy of the policy that spoke, whatever another says in the same words", () => {
    const told = ({ id }: { id: string }, remedy: string): ToldProblem => ({
      ...{ code: id, path: "spec.replicas", message: "too many", remedy, text: "too many pods" },
      severity: "error",
    });
    const problems = [told(otherPolicy, "Not this."), told(policy, "Write 2.")];
    const text = problems.map((each) => JSON.stringify(each)).join("\n");
    const { violations } = outcome([ran, refused("too many pods")], { problems: text });
    expect(violations).toMatchObject([{ resource: "apps/Deployment team/web", remedy: "Write 2." }]);
  });

  it("names no resource for what is said of the whole stack", () => {
    const { violations } = outcome([ran, refused("no", urn("pulumi:pulumi:Stack", "hearth-dev"))]);
    expect(violations).toMatchObject([{ resource: "", message: "no" }]);
  });
});

describe("the summary of a preview", () => {
  const summary = (...messages: string[]) =>
    markdownSummary("dev", outcome([ran, ...messages.map((message) => refused(message))]), false);

  it("has 60 rows at most, and says how many are left", () => {
    const rows = (count: number) => summary(...Array.from({ length: count }, (_, index) => `violation ${index}`));
    expect(rows(60)).not.toContain("more: see the log");
    expect(rows(61)).toContain("and 1 more: see the log.");
  });

  it("has 400 characters of a message at most", () => {
    expect(summary("x".repeat(400))).toContain(`| ${"x".repeat(400)} |`);
    expect(summary("x".repeat(401))).toContain(`| ${"x".repeat(400)} … |`);
  });

  it("has a table of existing resources where one is changed, and none where all are new", () => {
    const one = markdownSummary("dev", outcome([ran, change("update")]), true);
    expect(one).toContain("#### Changes of existing resources");
    expect(one).toContain("`apps/Deployment` `team/web` | `spec.replicas` `1` → `2`");
    expect(markdownSummary("dev", outcome([ran, change("create")]), true)).not.toContain("existing resources");
  });

  it("keeps a name in its cell, and in its code", () => {
    const named = urn("kubernetes:apps/v1:Deployment", "team/a|b`c");
    const text = markdownSummary("dev", outcome([ran, refused("no", named)]), false);
    expect(text).toContain("`apps/Deployment team/a\\|b c`");
  });
});
