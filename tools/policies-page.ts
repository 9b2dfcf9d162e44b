import { type ListedPolicy, levelText, listPolicies } from "@hearth-platform/cli/policies/list";

/** What docs/reference/policies.md says of the policies: a table of all policies, then a section for each, which a violation's link leads to. */
export function policySections(): string {
  const policies = listPolicies();
  const packs = [...new Set(policies.map(({ pack }) => pack))];
  return packs
    .flatMap((pack) => {
      const own = policies.filter((policy) => policy.pack === pack);
      return [`## ${pack}`, overview(own), ...own.map(section)];
    })
    .join("\n\n");
}

function overview(policies: readonly ListedPolicy[]): string {
  const rows = policies.map(
    (policy) => `| [${policy.id}](#${policy.id}) | ${policy.title} | ${policy.severity} | ${levelText(policy)} |`,
  );
  return ["| Policy | About | Severity | Level |", "|---|---|---|---|", ...rows].join("\n");
}

function section(policy: ListedPolicy): string {
  const { id, rule, remediation, unseen, severity, kinds, settings, validated, admissionCounterpart } = policy;
  const also = [
    ...(validated ? ["`./hearth validate`, for a config.yaml"] : []),
    ...(admissionCounterpart === undefined
      ? []
      : [
          `the admission policy \`${admissionCounterpart}\`, in the cluster: [admission.md](../explanation/admission.md)`,
        ]),
  ];
  const lines = [
    `- Severity ${severity}, ${levelText(policy)}.`,
    `- What to do: ${remediation}`,
    `- Not seen: ${unseen}`,
    `- Checks ${kinds === "any" ? "every resource" : kinds.map((kind) => `\`${kind}\``).join(", ")}.`,
    ...(also.length > 0 ? [`- Also enforced by ${also.join("; ")}.`] : []),
    ...settings.map(
      ({ name, description, default: standard }) =>
        `- Setting \`${name}\`: ${description} Default: \`${JSON.stringify(standard)}\`.`,
    ),
  ];
  return [`### ${id}`, "", rule, "", ...lines].join("\n");
}
