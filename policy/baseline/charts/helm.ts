import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";

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

/** A folder or an archive of the checkout, which has its version; a digest. */
const isOwn = /^(?:\.{0,2}\/|file:)|^[^:]*\.tgz$|@sha256:[0-9a-f]{64}$/;

/** An archive with its version in its name, as `helm package` writes it. */
const archive = /-(v?\d[^/]*)\.tgz$/;

/** Where a chart and its version stand: of Pulumi's own kinds, and of those of which a program in the cluster makes objects. */
function chartsOf(resource: PolicyResource): readonly { chart: Field; version: Field }[] {
  const source = (place: Field) => ({ chart: place.get("chart"), version: place.get("targetRevision") });
  const sources = (spec: Field) => [spec.get("source"), ...spec.get("sources").items].map(source);
  const spec = resource.get("spec");
  switch (resource.groupKind) {
    case "helm.cattle.io/HelmChart":
      // Its chart may stand in the object itself.
      if (spec.get("chartContent").exists) return [];
      return [{ chart: spec.get("chart"), version: spec.get("version") }];
    case "source.toolkit.fluxcd.io/HelmChart":
      return [{ chart: spec.get("chart"), version: spec.get("version") }];
    case "helm.toolkit.fluxcd.io/HelmRelease": {
      const chart = spec.get("chart", "spec");
      return [{ chart: chart.get("chart"), version: chart.get("version") }];
    }
    case "argoproj.io/Application":
      return sources(spec);
    case "argoproj.io/ApplicationSet":
      return sources(spec.get("template", "spec"));
    default:
      return [{ chart: resource.get("chart"), version: resource.get("version") }];
  }
}

function isPinned(chart: string, version: string): boolean {
  return isOwn.test(chart) || exact.test(archive.exec(chart)?.[1] ?? version);
}

export const chartVersions = resourcePolicy({
  id: "helm-chart-version",
  title: "Charts stay what they are",
  rule: "A chart has an exact version: without it, or with a range, the next run may use another chart.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Write the full version, e.g. 1.20.3.",
  unseen: "Charts in a git repository or an OCIRepository, and a `helm.v3.Chart` that shows no inputs.",
  tags: ["charts", "supply chain"],
  settings: {},
  kinds: [
    ...[release, "helm.sh/Chart", "helm.cattle.io/HelmChart", "helm.toolkit.fluxcd.io/HelmRelease"],
    ...["source.toolkit.fluxcd.io/HelmChart", "argoproj.io/Application", "argoproj.io/ApplicationSet"],
  ],
  *check(resource) {
    for (const { chart, version } of chartsOf(resource)) {
      // What shows no chart can't be judged.
      if (chart.text === undefined || chart.text === "" || isPinned(chart.text, version.text ?? "")) continue;
      yield violation(version, "It must be an exact version.");
    }
  },
});
