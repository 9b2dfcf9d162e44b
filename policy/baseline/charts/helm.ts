import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

const release = "helm.sh/Release";

/** Kinds of which another program in the cluster makes objects. */
const inCluster = [
  "helm.cattle.io/HelmChart",
  "helm.cattle.io/HelmChartConfig",
  "helm.toolkit.fluxcd.io/HelmRelease",
  "kustomize.toolkit.fluxcd.io/Kustomization",
  "argoproj.io/Application",
  "argoproj.io/ApplicationSet",
  "pulumi.com/Stack",
];

export const helmReleases = resourcePolicy({
  id: "helm-no-release",
  title: "Charts whose objects can be seen",
  rule: "A chart is deployed as a Chart, whose objects Pulumi knows. Previews and policies can't see the objects of a Release, nor what another program makes of a HelmChart, a HelmRelease, a Kustomization or an Application.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Use helm.v4.Chart. If the chart needs Helm's hooks, exempt it with a reason and a last day.",
  unseen: "Objects made by kinds that are not in the list.",
  tags: ["charts", "supply chain"],
  settings: {},
  kinds: [release, ...inCluster],
  *check(resource) {
    const field = resource.groupKind === release ? resource.get("chart") : resource.get("spec");
    yield violation(field, "Policies can't see the objects of this release.");
  },
});

/** A version of SemVer, whole. */
const exact = /^v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** A folder, which is of the checkout's version; an archive; a digest. */
const isPinned = /^(?:\.{0,2}\/|file:)|\.tgz$|@sha256:[0-9a-f]{64}$/;

export const chartVersions = resourcePolicy({
  id: "helm-chart-version",
  title: "Charts stay what they are",
  rule: "A chart has an exact version: without it, or with a range, the next run may use another chart.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Write the full version, e.g. 1.20.3.",
  tags: ["charts", "supply chain"],
  settings: {},
  kinds: [release, "helm.sh/Chart"],
  *check(resource) {
    const chart = resource.get("chart").text ?? "";
    // A component that shows no inputs can't be judged.
    if (chart === "" || isPinned.test(chart)) return;
    const version = resource.get("version");
    if (!exact.test(version.text ?? "")) yield violation(version, "It must be an exact version.");
  },
});
