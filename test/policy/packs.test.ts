import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual as isSame } from "node:util";
import { problemFileVariable } from "@hearth-platform/hearth/core/problem-file";
import { unknown } from "@hearth-platform/policy/core/field";
import { EnforcementLevel, levelOf, type Policy } from "@hearth-platform/policy/core/policy";
import { PolicyProfile, type StackFacts, strictest } from "@hearth-platform/policy/core/stack-facts";
import { afterAll, describe, expect, it, vi } from "vitest";
import { componentResource, type Fixture, factsOf, fixturesOf, resource } from "./support/fixtures.ts";
import { type Diagnostic, PackProcess } from "./support/pack-process.ts";
import { judged, packs } from "./support/verdicts.ts";

/** Processes start slowly on a busy machine. */
const patience = 300_000;
const policy = "lim-keystore-replicas";
const keystore = (replicas: unknown, options = {}) =>
  resource(
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "keystore", namespace: "platform" },
      spec: { replicas },
    },
    options,
  );
const stack = { type: "pulumi:pulumi:Stack", urn: "urn:pulumi:test::hearth::pulumi:pulumi:Stack::test", props: {} };
const own = (found: readonly Diagnostic[]) => found.filter((each) => each.policy === policy).map(({ level }) => level);

const started = new Map<string, Promise<PackProcess>>();
afterAll(async () => {
  for (const pack of started.values()) await (await pack)[Symbol.asyncDispose]();
});

/** The pack for a stack of which that is known, not configured. A process costs a second of a core, so it is started once. */
async function packFor(folder: string, facts: StackFacts): Promise<PackProcess> {
  const key = JSON.stringify([folder, facts]);
  const process = started.get(key) ?? PackProcess.start(folder, facts);
  started.set(key, process);
  const pack = await process;
  await pack.configure({});
  return pack;
}

/** A fixture of a policy. */
interface Case {
  readonly policy: Policy;
  readonly name: string;
  readonly fixture: Fixture;
}

/** Cases that one process can have: it knows one stack. */
interface Group {
  readonly facts: StackFacts;
  readonly cases: readonly Case[];
}

/** As few groups as there can be: what only some cases ask of a stack is there for the others too, where it changes nothing for them. */
function byStack(cases: readonly Case[]): Group[] {
  const groups: Group[] = [];
  for (const each of cases) {
    const candidates = groups.map((group) => {
      const facts = joined(group.facts, factsOf(each.fixture));
      const cases = [...group.cases, each];
      // Those of the group were judged with its facts when they came.
      return { facts, cases, open: isSame(facts, group.facts) ? [each] : cases };
    });
    const at = candidates.findIndex(({ facts, open }) =>
      open.every((one) => isSame(expected(one, facts), expected(one))),
    );
    const joining = candidates[at];
    if (joining) groups[at] = { facts: joining.facts, cases: joining.cases };
    else groups.push({ facts: factsOf(each.fixture), cases: [each] });
  }
  return groups;
}

function joined(first: StackFacts, second: StackFacts): StackFacts {
  return {
    ...first,
    loads: { ...first.loads, ...second.loads },
    imageSources: [...new Set([...first.imageSources, ...second.imageSources])],
    imagesLocked: first.imagesLocked || second.imagesLocked,
    builtImage: first.builtImage ?? second.builtImage,
    existingGateway: first.existingGateway ?? second.existingGateway,
    allowDataLoss: [...new Set([...first.allowDataLoss, ...second.allowDataLoss])],
    limits: first.limits ?? second.limits,
  };
}

/** What the policy says over the protocol: texts and levels. Each case has a project of its own, so that none is another's component. */
async function told(pack: PackProcess, { policy, name, fixture }: Case): Promise<string[]> {
  const inProject = (urn: string) => urn.replace("::hearth::", `::${encodeURIComponent(`${policy.id} ${name}`)}::`);
  const found: Diagnostic[] = [];
  for (const raw of fixture.resources)
    found.push(
      ...(await pack.analyze({
        ...raw,
        urn: inProject(raw.urn),
        ...(raw.parent && { parent: inProject(raw.parent) }),
      })),
    );
  found.push(...(await pack.analyzeStack()));
  return found
    .filter((each) => each.policy === policy.id)
    .map(({ level, message }) => `${level} ${message.split("\n").at(-1)}`)
    .sort();
}

/** What the check function says, in the same words. */
function expected({ policy, fixture }: Case, facts = factsOf(fixture)): string[] {
  return judged(policy, { ...fixture, stack: facts })
    .violations.map(({ path, message, advice }) => {
      const text = `${path === "" ? "" : `${path}: `}${message} ${policy.remediation}`;
      return `${advice ? EnforcementLevel.advisory : levelFor(policy, facts)} ${text}`;
    })
    .sort();
}

/** The level that a policy is configured with: its own, and of one that is off until somebody turns it on, mandatory. */
function levelFor(policy: Policy, { profile, maintenance }: StackFacts): EnforcementLevel {
  const own = levelOf(policy, maintenance ? PolicyProfile.maintenance : profile);
  return own === EnforcementLevel.disabled ? EnforcementLevel.mandatory : own;
}

/** Whether a case is judged for the stack that the packs know where they know none. */
const isPlain = ({ fixture }: Case) => isSame(factsOf(fixture), strictest);

describe.each(Object.entries(packs))("the pack of %s over its protocol", async (folder, { policies }) => {
  const fixtures = await fixturesOf(folder);
  // The check function has every fixture; here is shown that the protocol changes nothing, by a good and a bad one of each
  // policy, and one with settings. Of a policy those come first that ask nothing of the stack: each stack is a process.
  const cases = policies.flatMap((policy) => {
    const { good = {}, bad = {} } = fixtures.get(policy.id) ?? {};
    const [goods, bads] = [good, bad].map((all) =>
      Object.entries(all)
        .map(([name, fixture]) => ({ policy, name, fixture }))
        .sort((a, b) => Number(isPlain(b)) - Number(isPlain(a))),
    ) as [Case[], Case[]];
    const isSet = ({ fixture }: Case) => fixture.settings !== undefined;
    const chosen = [
      goods.find((each) => !isSet(each)),
      bads.find((each) => !isSet(each)),
      [...bads, ...goods].find(isSet),
    ];
    return chosen.filter((each) => each !== undefined);
  });
  const groups = byStack(cases).map((group) => ({
    name: JSON.stringify({ ...group.facts, loads: undefined }),
    ...group,
  }));
  const disabled = Object.fromEntries(policies.map(({ id }) => [id, { level: EnforcementLevel.disabled, values: {} }]));

  it.each(groups)(
    "gives fixtures the verdict of the check function, with and without configuration: $facts.profile, $facts.maintenance",
    async ({ facts, cases }) => {
      const pack = await packFor(folder, facts);
      const unset = cases.filter(({ fixture }) => !fixture.settings);
      for (const each of unset) {
        const isOff = each.policy.level === EnforcementLevel.disabled;
        expect(await told(pack, each), each.name).toEqual(isOff ? [] : expected(each));
      }
      // Configured are those that differ by it, and of the others one of each policy.
      const first = new Map(unset.map((each) => [each.policy.id, each]));
      for (const each of [...cases.filter(({ fixture }) => fixture.settings), ...first.values()]) {
        const { id, settings } = each.policy;
        const defaults = Object.entries(settings).map(([key, { default: standard }]) => [key, standard]);
        const values = { ...Object.fromEntries(defaults), ...each.fixture.settings };
        const level = levelFor(each.policy, facts);
        await pack.configure({ ...disabled, [id]: { level, values } });
        expect(await told(pack, each), each.name).toEqual(expected(each));
      }
    },
    patience,
  );

  it(
    "takes the level of the configuration",
    async () => {
      // Of all that some policy asks for.
      const facts = groups.map((group) => group.facts).reduce(joined);
      const pack = await packFor(folder, facts);
      const bad = policies.flatMap((policy) => {
        const all = Object.entries(fixtures.get(policy.id)?.bad ?? {}).map(([name, fixture]) => ({
          policy,
          name,
          fixture,
        }));
        return all.filter((each) => !each.fixture.settings && expected(each, facts).length > 0).slice(0, 1);
      });
      expect(bad.length).toBe(policies.length);
      await pack.configure(disabled);
      for (const each of bad) expect(await told(pack, each)).toEqual([]);
      for (const level of [EnforcementLevel.advisory, EnforcementLevel.mandatory]) {
        await pack.configure(Object.fromEntries(policies.map(({ id }) => [id, { level, values: {} }])));
        for (const each of bad) {
          const levels = (await told(pack, { ...each, name: `${each.name} ${level}` })).map(
            (text) => text.split(" ")[0],
          );
          expect(new Set(levels), each.policy.id).toEqual(new Set([level]));
        }
      }
    },
    patience,
  );
});

describe("a pack over its protocol", () => {
  it(
    "says of an unknown value that it could not judge it",
    async () => {
      const pack = await packFor("limits", strictest);
      const [found] = await pack.analyze(keystore(unknown));
      expect(found?.message).toContain("can't run policy");
      expect(found?.message).toContain("spec.replicas");
    },
    patience,
  );

  it(
    "writes what it reports as data too, where a command asks for it",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "hearth-pack-"));
      const file = join(folder, "problems.jsonl");
      vi.stubEnv(problemFileVariable, file);
      try {
        await using pack = await PackProcess.start("limits", strictest);
        await pack.configure({});
        const [found] = await pack.analyze(componentResource("Keystore", { replicas: 2 }));
        const problem = JSON.parse(readFileSync(file, "utf8"));
        expect(problem).toMatchObject({ severity: "error", code: policy, path: "replicas" });
        expect(found?.message.split("\n").at(-1)).toBe(problem.text);
        expect(problem.text).toBe(`replicas: ${problem.message} ${problem.remedy}`);
      } finally {
        vi.unstubAllEnvs();
        rmSync(folder, { recursive: true });
      }
    },
    patience,
  );

  it(
    "reports a component, and not again the objects in it; an exempt one passes, and what is wrong with an exemption is told",
    async () => {
      const pack = await packFor("limits", strictest);
      const component = componentResource("Keystore", { replicas: 2 });
      expect(own(await pack.analyze(component))).toEqual(["mandatory"]);
      expect(own(await pack.analyze(keystore(2, { parent: component })))).toEqual([]);
      const exempt = async (...entries: object[]) =>
        pack.configure({ [policy]: { level: "mandatory", values: { exempt: entries } } });
      await exempt({ name: "keystore", reason: "A trial", until: "9999-12-31" });
      expect(own(await pack.analyze(stack))).toEqual([]);
      expect(own(await pack.analyze(keystore(2)))).toEqual([]);
      await exempt(
        { name: "keystore", until: "9999-12-31" },
        { name: "keystore", reason: "A trial", until: "2020-01-01" },
        { name: "keystore", reason: "A day that no calendar has", until: "9999-02-31" },
      );
      expect(own(await pack.analyze(stack))).toEqual(["mandatory", "mandatory", "mandatory"]);
      expect(own(await pack.analyze(keystore(2)))).toEqual(["mandatory"]);
    },
    patience,
  );
});
