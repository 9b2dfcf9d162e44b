import { joinPlans, type KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type StackPart, stackParts } from "@hearth-platform/stack/parts";
import { checkFiles, committedStack } from "../test/support/stack-files.ts";

interface Sized extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly instances?: number;
    readonly postgresql?: { readonly parameters?: { readonly max_connections?: string } };
  };
}

/** How much each part of stack `prod` is, and the smallest suite. */
export function partsTable(): string {
  const production = partsOf("prod").filter(({ kind }) => !["serviceImage", "admission", "dashboards"].includes(kind));
  const smallest = partsOf("dev").filter(({ name }) => name === "club");
  const rows = [...production, ...smallest].map((part) => `| ${[titleOf(part), ...counts(part)].join(" | ")} |`);
  return [
    "| part | Kubernetes objects | pods | volumes | certificates | buckets | database connections |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function partsOf(name: string): StackPart[] {
  const { stack } = checkFiles(committedStack(name));
  if (!stack) throw new Error(`Stack ${name} has errors.`);
  return stackParts(stack);
}

const titles: Readonly<Record<string, string>> = {
  stores: "stores of forge and hub",
  forge: "forge",
  hub: "hub",
  siteWebhook: "site webhook with a site",
};

function titleOf({ kind, name }: StackPart): string {
  return (
    titles[kind] ??
    (name === "club" ? "the smallest suite (`club` of stack `dev`)" : "suite with office, in production")
  );
}

function counts(part: StackPart): number[] {
  const { objects, secrets, buckets } = joinPlans(...part.plans());
  const sum = (kinds: readonly string[], count: (object: Sized) => number) =>
    objects.reduce((total, { object }) => (kinds.includes(object.kind) ? total + count(object as Sized) : total), 0);
  const instances = ({ spec }: Sized) => spec?.instances ?? spec?.replicas ?? 1;
  return [
    objects.length + secrets.length,
    sum(["Deployment", "StatefulSet", "Cluster", "Pooler"], instances),
    sum(["PersistentVolumeClaim"], () => 1) + sum(["Cluster"], instances),
    sum(["Certificate"], () => 1),
    buckets.length + sum(["Bucket"], () => 1),
    sum(["Cluster"], ({ spec }) => Number(spec?.postgresql?.parameters?.max_connections ?? 0)),
  ];
}
