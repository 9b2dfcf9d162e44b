import type { Field } from "../../core/field.ts";
import { podTemplateOf, workloadKinds } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, type Violation, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";

/** Where components and operators' resources keep requests and limits. */
const specs: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "hearth/CloudSuite": [
    ["resources", "cloudsuite"],
    ["resources", "db"],
    ["resources", "keystore"],
  ],
  "postgresql.cnpg.io/Cluster": [["spec", "resources"]],
};

export const containerResources = resourcePolicy({
  id: "wl-resources",
  title: "Requests and limits",
  rule: "Every container has requests and limits for CPU and memory, including init containers and database instances. A request that is not written is the limit.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Write requests and limits of cpu and memory.",
  unseen: "Amounts that an operator or a LimitRange sets, and whether they are enough.",
  tags: ["workloads", "resources", "reliability"],
  settings: {},
  kinds: [...workloadKinds, ...Object.keys(specs), "postgresql.cnpg.io/Pooler"],
  *check(resource) {
    for (const spec of specsOf(resource))
      for (const name of ["cpu", "memory"]) yield* amounts(spec.get("requests", name), spec.get("limits", name));
  },
});

function specsOf(resource: PolicyResource): readonly Field[] {
  const pod = resource.groupKind.endsWith("/Pooler") ? resource.get("spec", "template") : podTemplateOf(resource);
  if (!pod) return (specs[resource.groupKind] ?? []).map((path) => resource.get(...path));
  return ["initContainers", "containers"].flatMap((list) =>
    pod.get("spec", list).items.map((container) => container.get("resources")),
  );
}

/** A request that is not there is the limit's, says the API server. */
function* amounts(request: Field, limit: Field): Generator<Violation> {
  const most = limit.quantity ?? 0;
  if (most <= 0) yield violation(limit, "It must be an amount above 0.");
  if (!request.exists && most > 0) return;
  if ((request.quantity ?? 0) <= 0) yield violation(request, "It must be an amount above 0.");
}
