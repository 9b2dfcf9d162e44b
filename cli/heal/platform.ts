import { randomUUID } from "node:crypto";
import type { NamedPlan } from "@hearth-platform/hearth/core/component";
import { dataName, type PlannedSecret } from "@hearth-platform/hearth/core/plan";
import { pulumiManager } from "@hearth-platform/stack/live/preflight/taken";
import { type Decision, decide, type Sighting } from "./decision.ts";
import { asSecret, type Export, isProvider, type StateInputs, type StateResource } from "./deployment.ts";
import { find, isGone, type LiveStores, unknownValue } from "./finding.ts";
import { type Proposal, type Proposed, proposedDeletes, proposedStates } from "./proposal.ts";
import { type ReadSecret, readSecret } from "./secret-values.ts";

/** Finds a platform again that the state does not know, all of it or what a later update than the state's has made. */

/** How many objects are looked at at once. */
const atOnce = 20;

/** What was found of a platform. */
export interface FoundPlatform {
  readonly decisions: readonly Decision[];
  /** URNs of objects of the state that are gone, and that the settings do not have. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Looks for everything that an update would make, change or delete.
 * @param proposal of a preview; `state` is what it compared with, with its secrets in the clear
 * @param plans of the stack: how Secrets come about
 * @returns what to take in; what to leave, since others made it or it differs; what the next update makes; what is gone
 * @throws Error where a Secret is gone that can't be had again, and what needs it is there
 */
export async function lookForPlatform(
  proposal: Proposal,
  state: Export,
  plans: readonly NamedPlan[],
  places: LiveStores,
): Promise<FoundPlatform> {
  const changes = withProviderIds(proposedStates(proposal, state));
  const providers = new Map(
    [...(state.deployment?.resources ?? []), ...changes.map(({ resource }) => resource)]
      .filter(isProvider)
      .map(({ urn, id, inputs = {} }) => [`${urn}::${id}`, inputs]),
  );
  const providerOf = ({ provider }: StateResource) => providers.get(provider ?? "") ?? {};
  const secrets = await readSecrets(changes, plans, providerOf, places);
  const findings = await inTurns(changes, async (change) => {
    const { resource, ignoreChanges } = change;
    const known = findingOf(change, secrets) ?? (await findImage(change, places));
    if (known) return known;
    const inputs = { ...resource.inputs, ...dataOf(secrets, resource) };
    const create = { resource: { ...resource, inputs }, provider: providerOf(resource), isLost: true, ignoreChanges };
    return find(create, places);
  });
  const found = changes.map((change, index) => ({ change, finding: findings[index] as Sighting }));
  const deletes = await inTurns(proposedDeletes(proposal, state), async (resource) =>
    (await isGone({ resource, provider: providerOf(resource) }, places)) ? [resource] : [],
  );
  const gone = deletes.flat().map((resource): Decision => ({ resource, verdict: "forget", why: isGoneForGood }));
  return {
    decisions: [...decisions(found, secrets), ...gone],
    gone: new Set(gone.map(({ resource }) => resource.urn)),
  };
}

const isGoneForGood = "It is gone, and the settings do not have it; the state forgets it.";

/** Changes with the ids of the providers that they make, in place of what a preview knows of them. */
function withProviderIds(proposed: readonly Proposed[]): Proposed[] {
  const ids = new Map(
    proposed.flatMap(({ resource }) => (isProvider(resource) ? [[resource.urn, resource.id ?? randomUUID()]] : [])),
  );
  return proposed.map((change) => {
    const { urn, provider } = change.resource;
    const ofProvider = provider?.slice(0, provider.lastIndexOf("::")) ?? "";
    return {
      ...change,
      resource: {
        ...change.resource,
        ...(ids.has(urn) && { id: ids.get(urn) }),
        ...(ids.has(ofProvider) && { provider: `${ofProvider}::${ids.get(ofProvider)}` }),
      },
    };
  });
}

/** A Secret that the stack generates. */
interface Sought {
  readonly secret: PlannedSecret;
  /** What is in the cluster under its name. */
  readonly live: "nothing" | "of others" | ReadSecret;
}

/** Sought Secrets by their names in Pulumi's state. */
type SoughtSecrets = ReadonlyMap<string, Sought>;

async function readSecrets(
  changes: readonly Proposed[],
  plans: readonly NamedPlan[],
  providerOf: (resource: StateResource) => StateInputs,
  places: LiveStores,
): Promise<SoughtSecrets> {
  const resources = new Map(
    changes
      .filter(({ resource }) => resource.type === secretType)
      .map(({ resource }) => [logicalName(resource), resource]),
  );
  const sought = plans.flatMap(({ name, plan }) =>
    plan.secrets.flatMap((secret) => {
      const resource = resources.get(`${name}/${secret.name}`);
      return resource ? [{ secret, resource }] : [];
    }),
  );
  const entries = await inTurns(sought, async ({ secret, resource }) => {
    const object = { apiVersion: "v1", kind: "Secret", metadata: { name: secret.name, namespace: secret.namespace } };
    const cluster = await places.cluster(providerOf(resource));
    const live = await cluster.get(object, { plural: "secrets", namespaced: true });
    const logical = logicalName(resource);
    if (!live) return [logical, { secret, live: "nothing" }] as const;
    if (pulumiManager(live) === undefined) return [logical, { secret, live: "of others" }] as const;
    const { data = {} } = live as { data?: Readonly<Record<string, string>> };
    return [logical, { secret, live: readSecret(logical, secret, data) }] as const;
  });
  return new Map<string, Sought>(entries);
}

const secretType = "kubernetes:core/v1:Secret";

const logicalName = ({ urn }: Pick<StateResource, "urn">) => urn.split("::").slice(3).join("::");

/** What the Secret holds, where the stack would make the same. */
const proven = ({ live }: Sought) => (typeof live === "object" && live.differing.length === 0 ? live : undefined);

/** A Secret's values, which a preview can't know. */
function dataOf(secrets: SoughtSecrets, resource: StateResource): StateInputs {
  const sought = resource.type === secretType ? secrets.get(logicalName(resource)) : undefined;
  const { data = {} } = (sought && proven(sought)) ?? {};
  return Object.keys(data).length === 0 ? {} : { data: asSecret(data) };
}

/** What is known without a look: components, providers, generated values, and Secrets that are not as the stack makes them. */
function findingOf({ resource, expected }: Proposed, secrets: SoughtSecrets): Sighting | undefined {
  if (resource.custom === false) return { found: "own", adopted: { outputs: known(expected) } };
  if (isProvider(resource)) return { found: "own", adopted: { id: resource.id, outputs: known(expected) } };
  const name = logicalName(resource);
  if (/^(random|tls):/.test(resource.type)) {
    const [made] = [...secrets.values()].flatMap((sought) => proven(sought)?.generated.get(name) ?? []);
    return made
      ? { found: "own", adopted: { id: made.id, outputs: { ...known(expected), ...made.outputs } } }
      : { found: "internal" };
  }
  const live = resource.type === secretType ? secrets.get(name)?.live : undefined;
  if (typeof live !== "object" || live.differing.length === 0) return undefined;
  return { found: "foreign", why: `The stack would not make its values of: ${live.differing.join(", ")}.` };
}

/** Outputs without those that a preview does not know. */
const known = (outputs: StateInputs) =>
  Object.fromEntries(Object.entries(outputs).filter(([, value]) => !JSON.stringify(value)?.includes(unknownValue)));

/** An image that was built and pushed. Where no registry tells its digest, the next update builds it again. */
async function findImage({ resource, expected }: Proposed, { digest }: LiveStores): Promise<Sighting | undefined> {
  if (resource.type !== "docker-build:index:Image") return undefined;
  const [tag = ""] = (resource.inputs?.tags ?? []) as readonly string[];
  const found = await digest(tag);
  if (found === undefined) return { found: "nothing" };
  return {
    found: "own",
    adopted: { id: found, outputs: { ...known(expected), digest: found, ref: `${tag}@${found}` } },
  };
}

interface Found {
  readonly change: Proposed;
  readonly finding: Sighting;
}

function decisions(found: readonly Found[], secrets: SoughtSecrets): Decision[] {
  const parents = new Map(found.map(({ change: { resource } }) => [resource.urn, resource.parent]));
  const above = function* (urn: string | undefined): Generator<string> {
    for (let each = urn; each !== undefined; each = parents.get(each)) yield each;
  };
  const isThing = ({ change: { resource } }: Found) => resource.custom !== false && !isProvider(resource);
  const [own, others] = [true, false].map((isOwn) =>
    found.filter((each) => isThing(each) && (each.finding.found === "own") === isOwn),
  ) as [Found[], Found[]];
  const alive = new Set(own.flatMap(({ change: { resource } }) => [...above(resource.parent)]));
  const unsettled = new Set(others.flatMap(({ change: { resource } }) => [...above(resource.parent)]));
  const used = new Set(own.map(({ change: { resource } }) => resource.provider));
  const lost = lostSecrets(found, secrets, alive);
  if (lost.length > 0) throw new Error(refusalOfLost(lost));
  return found.flatMap(({ change: { op, resource }, finding }): Decision[] => {
    const { urn, id } = resource;
    if (isProvider(resource) && !used.has(`${urn}::${id}`)) return [];
    // A component's record of its arguments is true only of what was made of them.
    if (resource.custom === false && !(op === "update" ? !unsettled.has(urn) : alive.has(urn))) return [];
    // What the state knows already, and is not as the settings have it, the next update changes.
    if (op !== "create" && finding.found !== "own") return [];
    return [decide(resource, finding)];
  });
}

/** Secrets of which other values would lose data, and that are gone while other objects of their component are there. */
function lostSecrets(found: readonly Found[], secrets: SoughtSecrets, alive: ReadonlySet<string>): PlannedSecret[] {
  return found.flatMap(({ change: { resource } }) => {
    const sought = resource.type === secretType ? secrets.get(logicalName(resource)) : undefined;
    const isGone = sought?.live === "nothing" && sought.secret.neverChanges && alive.has(resource.parent ?? "");
    return isGone ? [sought.secret] : [];
  });
}

const refusalOfLost = (secrets: readonly PlannedSecret[]) =>
  [
    "Nothing was changed. These Secrets are not in the cluster, and with other values data could not be read:",
    ...secrets.map(({ name, namespace }) => `- ${dataName(name, namespace)}`),
    "Put them back from a backup first. Without one, ask for help before you run an update: it would make new ones.",
  ].join("\n");

/** Does something for each, some at once. */
async function inTurns<Item, Result>(items: readonly Item[], task: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce)
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(task))));
  return results;
}
