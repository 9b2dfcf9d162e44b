import { gatewayApi } from "@hearth-platform/hearth/catalogue/prerequisites";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";
import { stringify } from "yaml";
import type { Step, Steps } from "./steps.ts";

/** Which cluster the steps are for. */
export interface Target {
  readonly stack: string;
  readonly cluster: ClusterChoice;
}

/** How steps are written. */
export const formats = { shell: asScript, helmfile: asHelmfile, argocd: asApplications } as const;
export type Format = keyof typeof formats;

const yaml = (value: unknown) => stringify(value, { lineWidth: 0 });
const isEmpty = (value: object) => Object.keys(value).length === 0;

/** Sentences as comments, which both YAML and shells read. */
function comment(text: string): string {
  return text
    .trimEnd()
    .replaceAll(/^(?=.)/gm, "# ")
    .replaceAll(/^$/gm, "#");
}

function head({ stack }: Target, { notes }: Steps): string {
  const lines = [`Everything below hearth that stack ${stack} needs.`, ...notes.map((note) => `- ${note}`)];
  return comment(lines.join("\n"));
}

function titled({ title, remarks }: Step): string {
  return [title, ...remarks].map(comment).join("\n");
}

/** A script of `helm upgrade --install`, which may run again. */
function asScript(steps: Steps, target: Target): string {
  const { kubeconfig, context } = target.cluster;
  const file = kubeconfig === undefined ? "" : ` --kubeconfig ${quoted(kubeconfig)}`;
  const helm = `helm${file}${context === undefined ? "" : ` --kube-context ${quoted(context)}`}`;
  const kubectl = `kubectl${file}${context === undefined ? "" : ` --context ${quoted(context)}`}`;
  const programs = [
    ...(steps.steps.some((step) => "chart" in step) ? ["helm"] : []),
    ...(steps.steps.some((step) => !("chart" in step)) ? ["kubectl"] : []),
  ];
  return `${[
    `#!/bin/sh\n${head(target, steps)}\nset -eu`,
    ...programs.map(
      (program) =>
        `command -v ${program} > /dev/null || { echo "${program} is not on PATH: install it." >&2; exit 1; }`,
    ),
    ...steps.steps.map((step) => `${titled(step)}\n${command(step, helm, kubectl)}`),
  ].join("\n\n")}\n`;
}

function command(step: Step, helm: string, kubectl: string): string {
  const apply = `${kubectl} apply --server-side --field-manager hearth --filename`;
  if ("gatewayChannel" in step) return `${apply} ${gatewayApi.file(step.gatewayChannel)}`;
  if ("object" in step) return `${apply} - <<'OBJECT'\n${yaml(step.object)}OBJECT`;
  const { name, repository, version, namespace } = step.chart;
  const install = [
    `${helm} upgrade --install ${name} ${name} --repo ${repository} --version ${version}`,
    `--namespace ${namespace} --create-namespace --wait --timeout 10m`,
  ].join(" \\\n  ");
  return isEmpty(step.values) ? install : `${install} --values - <<'VALUES'\n${yaml(step.values)}VALUES`;
}

/** In single quotes unless it needs none. */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A helmfile.yaml. What is no chart is in comments. */
function asHelmfile(steps: Steps, target: Target): string {
  const charts = steps.steps.filter((step) => "chart" in step);
  const repositories = new Map(charts.map(({ chart }) => [repositoryName(chart.repository), chart.repository]));
  const document = {
    ...(target.cluster.context !== undefined && { helmDefaults: { kubeContext: target.cluster.context } }),
    repositories: [...repositories].map(([name, url]) => ({ name, url })),
    releases: charts.map(({ chart, values }, index) => ({
      name: chart.name,
      namespace: chart.namespace,
      createNamespace: true,
      chart: `${repositoryName(chart.repository)}/${chart.name}`,
      version: chart.version,
      wait: true,
      timeout: 600,
      ...(index > 0 && { needs: [releaseId(charts[index - 1])] }),
      ...(!isEmpty(values) && { values: [values] }),
    })),
  };
  const remarks = charts.filter((step) => step.remarks.length > 0).map(titled);
  const others = steps.steps
    .filter((step) => !("chart" in step))
    .map((step) =>
      comment(`${titled(step).replaceAll(/^# ?/gm, "")}, which is no chart:\n${command(step, "", "kubectl")}`),
    );
  return `${[head(target, steps), ...remarks, ...others].join("\n")}\n${yaml(document)}`;
}

function releaseId(step: Extract<Step, { chart: object }> | undefined): string {
  return `${step?.chart.namespace}/${step?.chart.name}`;
}

/** A name for a repository: the label of its host that says whose it is. */
function repositoryName(url: string): string {
  const [first = "", second = ""] = new URL(url).hostname.split(".");
  return first === "charts" ? second : first;
}

/** Applications of Argo CD, and the objects that are no chart. They are tried again until what they wait for is there. */
function asApplications(steps: Steps, target: Target): string {
  const documents = steps.steps.map((step) => `${titled(step)}\n${yaml(applicationOf(step))}`);
  return [`${head(target, steps)}\n`, ...documents].join("---\n");
}

/** (argo-cd.readthedocs.io, operator-manual/application.yaml) */
function applicationOf(step: Step): object {
  if ("object" in step) return step.object;
  const isChart = "chart" in step;
  const name = isChart ? step.chart.name : "gateway-api";
  const source = isChart
    ? {
        repoURL: step.chart.repository,
        chart: step.chart.name,
        targetRevision: step.chart.version,
        helm: { releaseName: step.chart.name, ...(!isEmpty(step.values) && { valuesObject: step.values }) },
      }
    : {
        repoURL: gatewayApi.repository,
        targetRevision: `v${gatewayApi.version}`,
        path: gatewayApi.folder[step.gatewayChannel],
      };
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Application",
    metadata: { name, namespace: "argocd" },
    spec: {
      project: "default",
      source,
      destination: { server: "https://kubernetes.default.svc", namespace: isChart ? step.chart.namespace : "default" },
      syncPolicy: {
        automated: {},
        retry: { limit: 10, backoff: { duration: "10s", factor: 2, maxDuration: "3m" } },
        syncOptions: ["CreateNamespace=true", "ServerSideApply=true"],
      },
    },
  };
}
