import { dataName } from "@hearth-platform/hearth/core/plan";
import { type Export, isProvider, type StateResource } from "../heal/deployment.ts";

/** What a destroy keeps and what it deletes. */
export interface Selection {
  /** Protected: what holds data, by kind and name. */
  readonly kept: readonly string[];
  /** URNs of all that goes. */
  readonly going: readonly string[];
  /** What goes, by component: `forge: 3 Deployment, 2 Service`. */
  readonly shown: readonly string[];
  /** The state in which Pulumi deletes just that: what stays waits for nothing that goes, and no hook stops the rest. */
  readonly state: Export;
}

/** Divides a stack's resources. Components, providers and the stack itself stay where something of theirs is kept. */
export function select(exported: Export): Selection {
  const { deployment } = exported;
  const resources = deployment?.resources ?? [];
  const byUrn = new Map(resources.map((each) => [each.urn, each]));
  const data = resources.filter((each) => each.protect && !each.delete);
  const staying = new Set<string>();
  const stay = (urn: string | undefined) => {
    if (urn === undefined || staying.has(urn)) return;
    staying.add(urn);
    const { parent, provider } = byUrn.get(urn) ?? {};
    stay(parent);
    stay(provider?.slice(0, provider.lastIndexOf("::")));
  };
  for (const { urn } of data) stay(urn);
  const going = resources.filter(({ urn }) => !staying.has(urn));
  return {
    kept: [...new Set(data.filter(isSeen).map(shownAs))].sort(),
    going: going.map(({ urn }) => urn),
    shown: byComponent(going),
    state: {
      ...exported,
      ...(deployment && {
        deployment: { ...deployment, resources: resources.map((each) => freed(each, staying)) },
      }),
    },
  };
}

/** Names of what stands in no place but the state: a password's generated value goes with the Secret that has it. */
const isSeen = ({ type }: StateResource) => !/^(?:random|tls):/.test(type);

function freed(resource: StateResource, staying: ReadonlySet<string>): StateResource {
  const { resourceHooks: _, ...rest } = resource as StateResource & { resourceHooks?: object };
  if (!staying.has(resource.urn)) return rest;
  const { dependencies, propertyDependencies, deletedWith } = rest;
  const left = (urns: readonly string[] = []) => urns.filter((urn) => staying.has(urn));
  return {
    ...rest,
    ...(dependencies && { dependencies: left(dependencies) }),
    ...(propertyDependencies && {
      propertyDependencies: Object.fromEntries(
        Object.entries(propertyDependencies).map(([key, urns]) => [key, left(urns)]),
      ),
    }),
    ...(deletedWith !== undefined && !staying.has(deletedWith) && { deletedWith: undefined }),
  };
}

const kindOf = ({ type }: StateResource) => type.split(":").at(-1) ?? type;
const logicalName = ({ urn }: StateResource) => urn.split("::").slice(3).join("::");

function shownAs(resource: StateResource): string {
  const { bucket, metadata } = (resource.inputs ?? {}) as {
    bucket?: string;
    metadata?: { name: string; namespace?: string };
  };
  const name = bucket ?? (metadata ? dataName(metadata.name, metadata.namespace) : logicalName(resource));
  return `${kindOf(resource)} ${name}`;
}

/** Things alone: components and providers are in the state only. */
function byComponent(resources: readonly StateResource[]): string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const resource of resources) {
    if (resource.custom === false || isProvider(resource) || !isSeen(resource) || !resource.parent) continue;
    const component = resource.parent.split("::").slice(3).join("::");
    const kinds = counts.get(component) ?? new Map<string, number>();
    counts.set(component, kinds.set(kindOf(resource), (kinds.get(kindOf(resource)) ?? 0) + 1));
  }
  return [...counts].map(
    ([component, kinds]) =>
      `${component}: ${[...kinds].map(([kind, count]) => `${count === 1 ? "" : `${count} `}${kind}`).join(", ")}`,
  );
}
