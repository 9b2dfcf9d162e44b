import { configKeys } from "./config-keys.ts";

/** An object as YAML has it. */
export interface RenderedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** Inputs of a workload's image at its start, by keys such as `env webservice TZ`; values are text. */
export type WorkloadKeys = ReadonlyMap<string, string>;

interface Pod {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly terminationGracePeriodSeconds?: number;
}

interface Container {
  readonly name: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { name: string; value?: string; valueFrom?: Readonly<Record<string, unknown>> }[];
  readonly envFrom?: readonly { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  readonly volumeMounts?: readonly { name: string; mountPath: string; subPath?: string }[];
  readonly lifecycle?: { preStop?: unknown };
  readonly ports?: readonly { name?: string; containerPort: number }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
}

interface Probe {
  readonly exec?: { command: readonly string[] };
  readonly httpGet?: { path: string; port: number | string; scheme?: string };
  readonly tcpSocket?: { port: number | string };
  readonly grpc?: { port: number | string };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
  readonly successThreshold?: number;
}

interface Volume {
  readonly name: string;
  readonly configMap?: Source;
  readonly secret?: Source;
  readonly emptyDir?: { medium?: string };
  readonly persistentVolumeClaim?: unknown;
  readonly projected?: { sources: readonly { configMap?: Source; secret?: Source }[] };
}

interface Source {
  readonly name?: string;
  readonly secretName?: string;
  readonly items?: readonly { key: string; path: string }[];
}

/**
 * Every environment variable, command, argument, mount, mounted file, probe, stop hook and configuration key of a workload.
 * @param objects all of a render: ConfigMaps and Secrets among them are read where the workload refers to them
 * @param name of the workload, such as `Deployment forge-webservice`; one that ends with a dash is where the name begins: Jobs' end in
 *   a version or a hash
 * @throws Error where there is no such workload
 */
export function workloadKeys(objects: readonly RenderedObject[], name: string): WorkloadKeys {
  const workload = objects.find((object) => isNamed(object, name));
  if (!workload) throw new Error(`There is no ${name} in the render.`);
  const pod = podOf(workload);
  const find = (kind: string, named = "") =>
    objects.find((object) => object.kind === kind && object.metadata.name === named);
  const keys = new Map<string, string>();
  const grace = pod.terminationGracePeriodSeconds;
  if (grace !== undefined) keys.set("graceSeconds", String(grace));
  const files = new Map<string, ConfigFile>();
  for (const container of [...(pod.initContainers ?? []), ...pod.containers]) {
    for (const [key, value] of containerKeys(container, find)) keys.set(key, value);
    for (const mount of container.volumeMounts ?? []) {
      const volume = pod.volumes?.find((each) => each.name === mount.name) ?? { name: mount.name };
      const place = `${container.name} ${mount.mountPath}`;
      keys.set(`mount ${place}`, [kindOf(volume), mount.subPath].filter(Boolean).join(" "));
      if (!mount.subPath) for (const path of secretFiles(volume)) keys.set(`file ${place}/${path}`, "secret");
      for (const file of configFiles(volume, find)) {
        if (mount.subPath && file.name !== mount.subPath) continue;
        // Files that are mounted one by one may have the same name: their folder tells them apart.
        const name = mount.subPath ? mount.mountPath.split("/").slice(-2).join("/") : file.name;
        if (!files.has(file.id) || !mount.subPath) files.set(file.id, { ...file, name });
      }
    }
  }
  for (const { name: file, text } of files.values())
    for (const [key, value] of configKeys(file, text))
      keys.set(`config ${file.replace(/\.(erb|tpl)$/, "")} ${key}`.trim(), value);
  return keys;
}

/** Whether an object has the name of a workload, such as `Job forge-migrations-`. */
export function isNamed(object: RenderedObject, name: string): boolean {
  const full = `${object.kind} ${object.metadata.name}`;
  return name.endsWith("-") ? /^[\da-f-]+$/.test(full.startsWith(name) ? full.slice(name.length) : "") : full === name;
}

/** A file of a ConfigMap that a container mounts. */
interface ConfigFile {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

type Find = (kind: string, name?: string) => RenderedObject | undefined;

function podOf({ spec }: RenderedObject): Pod {
  const outer = spec as { template?: { spec: Pod }; jobTemplate?: { spec: { template: { spec: Pod } } } };
  const pod = outer.template?.spec ?? outer.jobTemplate?.spec.template.spec;
  if (!pod) throw new Error("The object has no pod.");
  return pod;
}

function* containerKeys(container: Container, find: Find): Generator<[string, string]> {
  const { name, command, args, env, envFrom, lifecycle } = container;
  if (command) yield [`command ${name}`, JSON.stringify(command)];
  if (args) yield [`args ${name}`, JSON.stringify(args)];
  for (const { configMapRef, secretRef } of envFrom ?? []) {
    const data = find("ConfigMap", configMapRef?.name)?.data;
    for (const [key, value] of Object.entries(data ?? {})) if (isVariable(key)) yield [`env ${name} ${key}`, value];
    const secret = find("Secret", secretRef?.name);
    for (const key of Object.keys({ ...(secret?.data ?? {}), ...(secret?.stringData ?? {}) }))
      if (isVariable(key)) yield [`env ${name} ${key}`, "(secret)"];
  }
  for (const variable of env ?? []) yield [`env ${name} ${variable.name}`, valueText(variable)];
  for (const kind of ["liveness", "readiness", "startup"] as const) {
    const probe = container[`${kind}Probe`];
    if (probe) yield [`probe ${name} ${kind}`, probeText(probe, container)];
  }
  if (lifecycle?.preStop) yield [`preStop ${name}`, JSON.stringify(lifecycle.preStop)];
}

/** Kubernetes leaves out a key that no shell takes for a name. */
const isVariable = (key: string) => /^[A-Za-z_]\w*$/.test(key);

function valueText({ value, valueFrom }: { value?: string; valueFrom?: Readonly<Record<string, unknown>> }): string {
  if (!valueFrom) return String(value ?? "");
  if (valueFrom.secretKeyRef) return "(secret)";
  const field = (valueFrom.fieldRef as { fieldPath: string } | undefined)?.fieldPath;
  return field ? `(field ${field})` : `(${Object.keys(valueFrom)[0]})`;
}

/** Kubernetes' own defaults stand in for what a probe leaves out, so that two that mean the same read the same. */
function probeText(probe: Probe, { ports }: Container): string {
  const number = (port: number | string = "") => ports?.find(({ name }) => name === port)?.containerPort ?? port;
  const { exec, httpGet, tcpSocket, grpc } = probe;
  const what = exec
    ? `runs ${exec.command.join(" ")}`
    : httpGet
      ? `GET ${httpGet.path} on ${number(httpGet.port)}`
      : tcpSocket
        ? `connects to ${number(tcpSocket.port)}`
        : `gRPC on ${number(grpc?.port)}`;
  const { initialDelaySeconds: delay = 0, periodSeconds: period = 10, timeoutSeconds: timeout = 1 } = probe;
  const { failureThreshold: failures = 3, successThreshold: successes = 1 } = probe;
  const first = delay ? `after ${delay}s, ` : "";
  const enough = successes > 1 ? `, ready at ${successes}` : "";
  return `${what}; ${first}every ${period}s, timeout ${timeout}s, ${failures} failures${enough}`;
}

function kindOf(volume: Volume): string {
  if (volume.emptyDir) return volume.emptyDir.medium ? `emptyDir ${volume.emptyDir.medium}` : "emptyDir";
  return Object.keys(volume).find((key) => key !== "name") ?? "claim";
}

const sourcesOf = ({ configMap, secret, projected }: Volume) => projected?.sources ?? [{ configMap, secret }];

function secretFiles(volume: Volume): string[] {
  return sourcesOf(volume).flatMap(({ secret }) => (secret?.items ?? []).map(({ path }) => path));
}

function configFiles(volume: Volume, find: Find): ConfigFile[] {
  return sourcesOf(volume).flatMap(({ configMap }) => {
    const data = find("ConfigMap", configMap?.name)?.data ?? {};
    const items = configMap?.items ?? Object.keys(data).map((key) => ({ key, path: key }));
    return items.map(({ key, path }) => ({ id: `${configMap?.name} ${key}`, name: path, text: data[key] ?? "" }));
  });
}
