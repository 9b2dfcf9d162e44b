import { dataName, type PlannedSecret } from "@hearth-platform/hearth/core/plan";
import { generatedName } from "@hearth-platform/hearth/core/secrets";
import { areas } from "../../areas/index.ts";
import type { StackPart } from "../../parts.ts";
import type { Stack } from "../../stack-settings.ts";
import { bucketKey, type SeenBuckets } from "./data-checks.ts";
import { type BucketPlace, type DataNeed, dataBuckets } from "./data-needs.ts";
import { placeOf, type QuickFacts } from "./facts.ts";
import { type Finding, findings } from "./finding.ts";

/** A Secret that the stack generates once, and that encrypts what its database and buckets hold. */
export interface KeyNeed {
  readonly namespace: string;
  readonly name: string;
  /** Names in Pulumi's state of the values in it. */
  readonly values: readonly string[];
  /** Databases with what it encrypts. */
  readonly databases: readonly DataNeed[];
  /** Buckets that are in use only where it was. */
  readonly beside: readonly BucketPlace[];
}

/** Keys of forge and hub; none whose loss is allowed. Those that a secret store holds are never made anew. */
export function keyNeedsOf(stack: Stack, parts: readonly StackPart[], data: readonly DataNeed[]): KeyNeed[] {
  const { settings } = stack;
  const buckets = dataBuckets(stack);
  return parts.flatMap(({ kind, named }) => {
    if (kind !== "forge" && kind !== "hub") return [];
    const { constant = [] } = areas[kind].secrets?.(settings) ?? {};
    return named().flatMap(({ name: component, plan }) =>
      plan.secrets
        .filter(({ name }) => constant.includes(name))
        .filter(({ name, namespace }) => !settings.allowDataLoss?.includes(dataName(name, namespace)))
        .map((secret) => ({
          ...{ namespace: secret.namespace, name: secret.name, values: valuesOf(component, secret) },
          databases: data.filter((need) => need.what === "database" && need.namespace === secret.namespace),
          beside: buckets.filter(({ part }) => part === kind).map(({ place }) => place),
        })),
    );
  });
}

function valuesOf(component: string, secret: PlannedSecret): string[] {
  const isMade = (key: string) =>
    !["value", "template", "bcrypt", "publicKeyOf", "copyOf"].some((kind) => kind in (secret.data[key] ?? {}));
  const logical = `${component}/${secret.name}`;
  return Object.keys(secret.data)
    .filter(isMade)
    .map((key) => generatedName(logical, key, secret));
}

/** Keys of which neither the cluster nor the state has all values: an update would make others. */
export function lostKeys(keys: readonly KeyNeed[], { secrets, generated }: QuickFacts): KeyNeed[] {
  if (!generated) return [];
  return keys.filter(({ namespace, name, values }) => {
    const found = secrets?.get(namespace) ?? "unseen";
    return !(found !== "unseen" && found.has(name)) && !values.every((value) => generated.has(value));
  });
}

/** Lost keys whose data is there, or is about to be recovered. */
export function keyFindings(lost: readonly KeyNeed[], { objects }: QuickFacts, seen: SeenBuckets): Finding[] {
  const { unsafe } = findings("keys");
  return lost.flatMap(({ namespace, name, databases, beside }) => {
    const [database] = databases.filter((need) => need.recovers && objects.get(placeOf(need)) === "absent");
    const [used] = beside.filter((place) => seen.get(bucketKey(place)) === "used");
    if (!database && !used) return [];
    const own = dataName(name, namespace);
    const data = database ? `${database.name} is recovered from its backups` : `the bucket ${used?.bucket} is in use`;
    return [
      unsafe(
        `Secret ${own}`,
        `Neither the cluster nor the state has it, and ${data}: an update would make another key, which can't read what this one encrypted.`,
        `Put the key back (docs/how-to/lost-cluster.md, "A key is missing"). If what it encrypted may be lost, unlock it with \`hearth:allowDataLoss: [${own}]\`.`,
      ),
    ];
  });
}
