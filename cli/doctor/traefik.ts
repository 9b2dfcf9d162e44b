import { groupOf, traefikImage as image } from "@hearth-platform/hearth/catalogue/prerequisites";
import { parseDuration } from "@hearth-platform/hearth/core/durations";
import { parseImage } from "@hearth-platform/hearth/core/image-reference";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { compareVersions, parseVersion } from "@hearth-platform/hearth/core/versions";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import { containersByImage, type Workload } from "@hearth-platform/stack/live/preflight/operators";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import { parse } from "yaml";

/** Traefik's static settings as they can be seen, by their lower-case dotted names. */
export type StaticSettings = ReadonlyMap<string, string>;

/** The static settings of Traefik, from its arguments, its variables and a file in a ConfigMap; undefined where it is not seen. */
export function staticSettings(
  workloads: readonly Workload[] | "unseen",
  configMaps: readonly ConfigMap[],
): StaticSettings | undefined {
  const [found] = workloads === "unseen" ? [] : containersByImage(workloads, image);
  if (!found) return undefined;
  const { container, workload } = found;
  const settings = new Map<string, string>();
  const volumes = workload.spec?.template.spec?.volumes ?? [];
  const { namespace } = workload.metadata ?? {};
  for (const { configMap } of volumes) {
    const files = configMaps.find(
      ({ metadata }) => metadata?.namespace === namespace && metadata?.name === configMap?.name,
    );
    for (const [name, content] of Object.entries(files?.data ?? {}))
      if (/\.ya?ml$/.test(name)) flatten(parse(content), "", settings);
  }
  for (const { name, value = "" } of container.env ?? [])
    if (/^TRAEFIK_/i.test(name)) settings.set(name.slice("TRAEFIK_".length).toLowerCase().replaceAll("_", "."), value);
  for (const argument of [...(container.command ?? []), ...(container.args ?? [])]) {
    const [, name, value = "true"] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (name) settings.set(name.toLowerCase(), value);
  }
  return settings;
}

function flatten(value: unknown, path: string, into: Map<string, string>): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    for (const [key, inner] of Object.entries(value)) flatten(inner, `${path}${path && "."}${key.toLowerCase()}`, into);
  // `entryPoints: {web: {}}` names an entry point by its key alone.
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    into.set(path, String(value ?? ""));
}

interface Route extends KubernetesObject {
  readonly spec: { readonly entryPoints?: readonly string[]; readonly tls?: object };
}

/** Shortest `readTimeout` that does not cut long uploads off, in seconds. */
const longUpload = 3600;

/** Whether Traefik is set up as the stack's routes need it; the needs are those of docs/how-to/traefik.md. */
export function traefikFindings(objects: readonly KubernetesObject[], settings: StaticSettings | undefined): Finding[] {
  const { ok, unknown, warning, problem } = findings("traefik");
  const routes = objects.filter(({ kind }) => kind === "IngressRoute" || kind === "IngressRouteTCP") as Route[];
  if (routes.length === 0) return [];
  if (!settings)
    return [
      unknown("Traefik's settings", "The doctor can't see Traefik.", "Compare them with docs/how-to/traefik.md."),
    ];
  const has = (path: string) => [...settings.keys()].some((key) => key === path || key.startsWith(`${path}.`));
  const is = (path: string, value: string) => settings.get(path)?.toLowerCase() === value;
  const entryPoints = [...new Set(routes.flatMap(({ spec }) => spec.entryPoints ?? []))];
  const secure = [
    ...new Set(
      routes.flatMap(({ kind, spec }) => (kind === "IngressRoute" && spec.tls ? (spec.entryPoints ?? []) : [])),
    ),
  ];
  const found: Finding[] = [];

  const provider = "providers.kubernetescrd";
  if (!has(provider) || is(provider, "false"))
    found.push(problem("Traefik's provider", "It does not read IngressRoutes.", `Set ${provider}.`));
  else if (settings.get(`${provider}.ingressclass`))
    found.push(
      problem(
        "Traefik's provider",
        "It reads only routes of one class, and the stack's routes have none.",
        `Leave ${provider}.ingressClass out.`,
      ),
    );
  else if (!is(`${provider}.allowemptyservices`, "true"))
    found.push(
      warning(
        "Traefik's provider",
        "While no pod is ready, clients get 404 and do not retry.",
        `Set ${provider}.allowEmptyServices to true.`,
      ),
    );
  else found.push(ok("Traefik's provider", "It reads IngressRoutes of every class."));

  for (const name of entryPoints) {
    const path = `entrypoints.${name.toLowerCase()}`;
    const subject = `entry point ${name}`;
    if (!has(path))
      found.push(
        problem(
          subject,
          "Traefik has no entry point of this name.",
          `Add it (docs/how-to/traefik.md), or set another one in the settings.`,
        ),
      );
    else if (secure.includes(name))
      found.push(timeoutFinding(subject, settings.get(`${path}.transport.respondingtimeouts.readtimeout`)));
    else found.push(ok(subject, "It exists."));
    if (is(`${path}.http.sanitizepath`, "false"))
      found.push(problem(subject, "Paths are matched before they are normalised.", "Set http.sanitizePath to true."));
    if (
      has(`${path}.http.redirections`) &&
      objects.some(({ kind, metadata }) => kind === "IngressRoute" && metadata.name === "site-webhook")
    )
      found.push(
        warning(
          subject,
          "It redirects every call, so calls of some git providers are lost.",
          "Remove http.redirections: each host has its own redirect.",
        ),
      );
  }
  return found;
}

/** The first Traefik that reads `v1` of TCPRoutes; those before read `v1alpha2` alone. (traefik/traefik: pull request 13626, and pkg/provider/kubernetes/gateway/client.go of 3.7.13) */
const readsStableRoutes = "3.8";

/**
 * Whether Traefik reads the stack's TCPRoutes. The API server converts what is written in one version for readers of another, so only
 * what the cluster serves decides. Silent where Traefik is not seen, or reads no Gateways: another proxy may.
 * @param served kinds of the cluster, each `apiVersion/kind`
 */
export function tcpRouteFindings(
  objects: readonly KubernetesObject[],
  served: ReadonlySet<string>,
  workloads: readonly Workload[] | "unseen",
  settings: StaticSettings | undefined,
): Finding[] {
  const { ok, problem } = findings("traefik");
  const [route] = objects.filter(({ kind }) => kind === "TCPRoute");
  const [traefik] = workloads === "unseen" ? [] : containersByImage(workloads, image);
  const provider = "providers.kubernetesgateway";
  const isOn = [...(settings ?? [])].some(([name, value]) => name.startsWith(provider) && value !== "false");
  const tag = parseImage(traefik?.container.image ?? "")?.tag ?? "";
  const older = compareVersions(tag, readsStableRoutes);
  // A major alone, such as `v3`, may be any of its minors.
  if (!route || !isOn || older === undefined || parseVersion(tag)?.length === 1) return [];
  const subject = "Traefik's TCPRoutes";
  const [version, remedy] =
    older < 0
      ? ["v1alpha2", `Install the experimental channel of the Gateway API's CRDs, or Traefik ${readsStableRoutes}.`]
      : ["v1", "Install the CRDs of the Gateway API 1.6 or newer."];
  if (!served.has(`${groupOf(route.apiVersion)}/${version}/TCPRoute`))
    return [problem(subject, `It reads ${version} alone, which the cluster does not serve.`, remedy)];
  if (older < 0 && settings?.get(`${provider}.experimentalchannel`)?.toLowerCase() !== "true")
    return [problem(subject, "It does not read them.", `Set ${provider}.experimentalChannel to true.`)];
  return [ok(subject, `It reads ${version}, which the cluster serves.`)];
}

function timeoutFinding(subject: string, value: string | undefined): Finding {
  const { ok, warning } = findings("traefik");
  const seconds = value === undefined ? 60 : /^\d+$/.test(value) ? Number(value) : (parseDuration(value) ?? 0);
  if (seconds === 0 || seconds >= longUpload) return ok(subject, "It exists and does not cut off long uploads.");
  return warning(
    subject,
    `It ends every request after ${seconds} s, which cuts off long uploads.`,
    "Set transport.respondingTimeouts.readTimeout to 0 or an hour.",
  );
}
