import * as components from "@hearth-platform/hearth";
import { concerns, evaluate, evaluateStack, isStackPolicy, policySettings } from "@hearth-platform/policy/core/policy";
import { renderObjects } from "@hearth-platform/stack/delivery/objects";
import { createParts, stackParts, stackPlans } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { factsOfStack, resourcesOf } from "../../test/policy/baseline/planned-stack.ts";
import { packs } from "../../test/policy/support/verdicts.ts";
import { registered } from "../../test/support/pulumi-mocks.ts";
import { checkFiles, type StackFiles } from "../../test/support/stack-files.ts";
import { withSites, withSuites } from "./stacks.ts";

/** What a stack of one size took. */
export interface Growth {
  readonly objects: number;
  /** Of processor time an object. */
  readonly microseconds: number;
  /** That the result holds an object, after a collection of garbage. */
  readonly kilobytes: number;
}

const stacks = { suites: withSuites, sites: withSites };
const policies = Object.values(packs).flatMap((pack) => pack.policies);

/** What is done with a stack; each gives what it made, and of how many objects. */
const subjects = {
  /** From the settings' files to every object as plain data. */
  plan: async (files: StackFiles) => {
    const plans = stackPlans(checked(files));
    return { made: plans, objects: plans.reduce((sum, { objects }) => sum + objects.length, 0) };
  },
  /** From checked settings to what is registered with the engine. */
  program: async (_: StackFiles, stack: Stack) => {
    const resources = await registered(() => void createParts(stackParts(stack), components, () => []));
    return { made: resources, objects: resources.length };
  },
  /** All policies over all resources, as the packs judge them. */
  packs: async (_: StackFiles, stack: Stack) => {
    const [resources, facts] = [resourcesOf(stack), factsOfStack(stack)];
    const made = policies.map((policy) => {
      const settings = policySettings(policy);
      if (isStackPolicy(policy)) return evaluateStack(policy, resources, settings, facts);
      return resources.filter((each) => concerns(policy, each)).map((each) => evaluate(policy, each, settings, facts));
    });
    return { made: [resources, made], objects: resources.length };
  },
  /** From plans to files of YAML. */
  render: async (_: StackFiles, stack: Stack) => {
    const files = renderObjects(stackPlans(stack));
    return { made: files, objects: files.size };
  },
};

export type Subject = keyof typeof subjects;

function checked(files: StackFiles): Stack {
  const { stack, problems } = checkFiles(files);
  if (!stack) throw new Error(JSON.stringify(problems));
  return stack;
}

async function measure(subject: Subject, files: StackFiles, stack: Stack, times: number): Promise<Growth> {
  const live = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const kept: unknown[] = [];
  let objects = 0;
  const before = live();
  const start = process.cpuUsage();
  for (let time = 0; time < times; time++) {
    const { made, objects: count } = await subjects[subject](files, stack);
    kept.push(made);
    objects += count;
  }
  const { user, system } = process.cpuUsage(start);
  const kilobytes = (live() - before) / 1000 / objects;
  return { objects: objects / kept.length, microseconds: (user + system) / objects, kilobytes };
}

// A process of its own for each: code that has seen another size runs at another speed. As many objects are made at each size.
if (import.meta.main) {
  const [subject, kind, size, most] = process.argv.slice(2) as [Subject, keyof typeof stacks, string, string];
  const files = stacks[kind](Number(size));
  const stack = checked(files);
  const times = Math.ceil(Number(most) / Number(size));
  // What is counted is code that has run for a while.
  await measure(subject, files, stack, times);
  console.log(JSON.stringify(await measure(subject, files, stack, times)));
}
