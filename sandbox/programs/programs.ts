import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { withLock } from "../lock.ts";
import { cacheFolder } from "../paths.ts";
import type { Progress } from "../progress.ts";
import { hearingSignals } from "../stop-signals.ts";
import { isCached, makeEntry, requireSpace, tidy } from "./cache.ts";
import { catalog, judges } from "./catalog.ts";
import { findGo, type Go } from "./go.ts";
import { crdsRecipe, programRecipe, type Recipe } from "./recipes.ts";

/** Absolute paths of the sandbox's programs. */
export interface Programs {
  /** Holds `etcd`, `kube-apiserver`, `kube-controller-manager`, `kube-scheduler` and `kubectl` under these names. */
  readonly folder: string;
  readonly pulumi: string;
  /** The binary behind the names in `folder`; call it by one of those. */
  readonly kube: string;
  readonly kubectl: string;
  readonly kwok: string;
  readonly kwokctl: string;
  readonly versitygw: string;
  readonly registry: string;
  /** One subfolder an operator (`cert-manager`, `cloudnative-pg`, …) with nothing but the YAML files of its CRDs. */
  readonly crds: string;
}

const folder = join(cacheFolder, "programs");
const logs = join(folder, "logs");
/** Go's own caches while programs are built. What a stopped build left in them is used by the next one; a finished one leaves nothing. */
const caches = join(folder, "go");

/**
 * Builds what is missing of the sandbox's programs, once for all checkouts of this user, and returns their paths.
 * When all is there, that takes milliseconds and says nothing.
 *
 * Throws an error whose message is for the user: Go missing or too old, no disk space, a failed download or build (it
 * names the log). SIGINT, SIGTERM and SIGHUP stop a build: it throws then, and neither a half-made program nor a process
 * is left.
 */
export async function ensurePrograms(report: Progress): Promise<Programs> {
  const recipes = await sandboxRecipes(await findGo());
  await buildMissing(Object.values(recipes), report);

  const { crds, kube, kwok, pulumi, versitygw, registry } = recipes;
  return {
    folder: entry(kube),
    pulumi: join(entry(pulumi), "pulumi"),
    kube: join(entry(kube), "kube"),
    kubectl: join(entry(kube), "kubectl"),
    kwok: join(entry(kwok), "kwok"),
    kwokctl: join(entry(kwok), "kwokctl"),
    versitygw: join(entry(versitygw), "versitygw"),
    registry: join(entry(registry), "registry"),
    crds: entry(crds),
  };
}

/** Name of a program that judges what we render. */
export type Judge = keyof typeof judges;

/** All of them, in the order they are built. */
const judgeNames = Object.keys(judges) as Judge[];

/**
 * Builds what is missing of the programs that judge what we render, as {@link ensurePrograms} does.
 * @returns the folder of each, in the order of `names`
 */
export async function ensureJudges(names: readonly Judge[], report: Progress): Promise<string[]> {
  const recipes = await judgeRecipes(names, await findGo());
  await buildMissing(recipes, report);
  return recipes.map(entry);
}

/** Builds what is missing of all programs in one go, as {@link ensurePrograms} does: code that several of them share is compiled once. */
export async function ensureAllPrograms(report: Progress): Promise<void> {
  const go = await findGo();
  await buildMissing([...Object.values(await sandboxRecipes(go)), ...(await judgeRecipes(judgeNames, go))], report);
}

async function sandboxRecipes(go: Go) {
  return {
    crds: await crdsRecipe(go),
    kube: await programRecipe(catalog.kube, go),
    kwok: await programRecipe(catalog.kwok, go),
    pulumi: await programRecipe(catalog.pulumi, go),
    versitygw: await programRecipe(catalog.versitygw, go),
    registry: await programRecipe(catalog.registry, go),
  };
}

function judgeRecipes(names: readonly Judge[], go: Go): Promise<Recipe[]> {
  return Promise.all(names.map((name) => programRecipe(judges[name], go)));
}

function entry({ name, key }: Recipe): string {
  return join(folder, `${name}-${key}`);
}

async function buildMissing(recipes: readonly Recipe[], report: Progress): Promise<void> {
  if ((await missing(recipes)).length === 0) return;
  const waiting = () => report.step("Waiting for another run that builds the sandbox's programs");
  await withLock(folder, { stale: 20_000, waiting }, async (lost) => {
    await mkdir(folder, { recursive: true });
    // Another run may have made them while this one waited.
    const todo = await missing(recipes);
    if (todo.length === 0) return;
    await tidy(
      folder,
      recipes.map(({ name }) => name),
    );
    await requireSpace(spaceNeeded(todo));
    await mkdir(logs, { recursive: true });
    await stoppable(lost, (signal) => buildAll(todo, report, signal));
    await rm(caches, { recursive: true, force: true });
  });
}

async function buildAll(recipes: readonly Recipe[], report: Progress, signal: AbortSignal): Promise<void> {
  for (const [index, recipe] of recipes.entries()) {
    const step = report.step(recipe.title, index + 1, recipes.length);
    try {
      const log = join(logs, `${recipe.name}.log`);
      await makeEntry(entry(recipe), (partial) => recipe.make({ folder: partial, caches, log, signal }));
      step.done();
    } catch (error) {
      step.failed();
      if (signal.aborted || !(error instanceof Error)) throw error;
      throw new Error(`${recipe.title} failed: ${error.message}`, { cause: error });
    }
  }
}

async function missing(recipes: readonly Recipe[]): Promise<Recipe[]> {
  const cached = await Promise.all(recipes.map((recipe) => isCached(entry(recipe))));
  return recipes.filter((_, index) => !cached[index]);
}

function spaceNeeded(recipes: readonly Recipe[]) {
  const needed = ({ space }: Recipe) => space.modules + space.compiled + space.result;
  return { [folder]: recipes.reduce((total, recipe) => total + needed(recipe), 0) };
}

/** Runs `work` with a signal that is aborted by Ctrl-C and its like, or when the lock is `lost`. */
function stoppable(lost: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stopped = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    stopped.abort(new Error(`Stopped by ${signal}. What was built so far is kept: the next run goes on from there.`));
  };
  return hearingSignals(stop, () => work(AbortSignal.any([lost, stopped.signal])));
}
