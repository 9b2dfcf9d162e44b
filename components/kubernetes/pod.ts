import { createHash } from "node:crypto";
import type {
  Container,
  EnvVar,
  PodSecurityContext,
  PodTemplateSpec,
  SecurityContext,
  Volume,
} from "kubernetes-types/core/v1.d.ts";
import { ownLabels } from "../core/own-labels.ts";
import { mirrored, workloadSettings } from "../core/platform.ts";
import type { StorePlatformArgs } from "../core/platform-args.ts";
import { secretRevision } from "../core/secrets.ts";
import { type PodException, type PodExceptionName, podExceptions } from "./pod-exceptions.ts";

/** A container without what the pod builder decides. */
export interface ContainerRequest extends Omit<Container, "securityContext" | "terminationMessagePolicy"> {
  readonly image: string;
  /** How it leaves the restricted profile. @default not at all */
  readonly exception?: PodExceptionName;
}

/** Ingredients of a workload's pods. */
export interface PodRequest {
  /** Name of the workload, e.g. `forge-jobs`; selects its settings in `platform`. */
  readonly name: string;
  /** Value of `app.kubernetes.io/part-of`: forge, hub, cloudsuite, … */
  readonly partOf: string;
  /** Numeric user of the containers. */
  readonly user: number;
  /** Numeric group of the containers and of the files on volumes. */
  readonly group: number;
  readonly containers: readonly ContainerRequest[];
  readonly initContainers?: readonly ContainerRequest[];
  readonly volumes?: readonly Volume[];
  /** ServiceAccount whose token the pod uses; absent: no token is mounted. */
  readonly serviceAccount?: string;
  /** Seconds between SIGTERM and SIGKILL. @default 30 */
  readonly gracePeriodSeconds?: number;
  /** @default Always */
  readonly restartPolicy?: "Always" | "OnFailure" | "Never";
  /** Kernel settings of the pod. @default none */
  readonly sysctls?: PodSecurityContext["sysctls"];
  /** Content of the ConfigMaps the pod reads; a change rolls the pod. @default none */
  readonly configuration?: Readonly<Record<string, string>>;
  /** Platform names of the Secrets the pod reads; a raised revision rolls the pod. @default none */
  readonly secrets?: readonly string[];
  /** One replica a node where there are several nodes. @default false */
  readonly spread?: boolean;
}

/** An environment variable from a Secret. */
export function fromSecret(
  name: string,
  { name: secret, key }: { readonly name: string; readonly key: string },
): EnvVar {
  return { name, valueFrom: { secretKeyRef: { name: secret, key } } };
}

/** Labels that select a workload's pods. */
export function selectorLabels(name: string): Record<string, string> {
  return { [ownLabels.name]: name };
}

/** All labels of a workload and its pods. */
export function workloadLabels(name: string, partOf: string, platform: StorePlatformArgs): Record<string, string> {
  return {
    ...workloadSettings(platform, name).labels,
    ...selectorLabels(name),
    [ownLabels.partOf]: partOf,
    [ownLabels.managedBy]: "hearth",
  };
}

/** Pods under the restricted Pod Security profile: non-root, no escalation, no capabilities, read-only root, no token unless used. */
export function podTemplate(request: PodRequest, platform: StorePlatformArgs): PodTemplateSpec {
  const settings = workloadSettings(platform, request.name);
  const annotations = { ...settings.annotations, ...rollAnnotations(request, platform) };
  const container = ({ exception, ...rest }: ContainerRequest): Container => ({
    ...rest,
    image: mirrored(rest.image, platform.images),
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: containerSecurity(exceptionOf({ exception })),
  });
  const needsRoot = [...request.containers, ...(request.initContainers ?? [])].some((each) => exceptionOf(each)?.root);
  const pullSecrets = platform.images?.pullSecrets ?? [];
  return {
    metadata: withoutUndefined({
      labels: workloadLabels(request.name, request.partOf, platform),
      annotations: Object.keys(annotations).length > 0 ? annotations : undefined,
    }),
    spec: withoutUndefined({
      serviceAccountName: request.serviceAccount,
      automountServiceAccountToken: request.serviceAccount !== undefined,
      enableServiceLinks: false,
      securityContext: withoutUndefined({
        runAsNonRoot: !needsRoot,
        runAsUser: request.user,
        runAsGroup: request.group,
        fsGroup: request.group,
        fsGroupChangePolicy: "OnRootMismatch",
        seccompProfile: { type: "RuntimeDefault" },
        sysctls: request.sysctls,
      }),
      terminationGracePeriodSeconds: request.gracePeriodSeconds ?? 30,
      restartPolicy: request.restartPolicy ?? "Always",
      imagePullSecrets: pullSecrets.length > 0 ? pullSecrets.map((name) => ({ name })) : undefined,
      nodeSelector: settings.nodeSelector,
      tolerations: settings.tolerations?.length ? settings.tolerations : undefined,
      priorityClassName: settings.priorityClassName,
      topologySpreadConstraints: request.spread ? [spreadOverNodes(request.name)] : undefined,
      initContainers: request.initContainers?.length ? request.initContainers.map(container) : undefined,
      containers: request.containers.map(container),
      volumes: request.volumes?.length ? [...request.volumes] : undefined,
    }),
  };
}

/** Short hash of plain configuration, for names and annotations. Never give it secret values: a hash can be guessed from. */
export function configurationHash(configuration: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(configuration).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex").slice(0, 16);
}

function exceptionOf({ exception }: Pick<ContainerRequest, "exception">): PodException | undefined {
  return exception && podExceptions[exception];
}

function containerSecurity(exception: PodException | undefined): SecurityContext {
  return {
    allowPrivilegeEscalation: exception?.privilegeEscalation ?? false,
    readOnlyRootFilesystem: !exception?.writableRoot,
    capabilities: exception?.capabilities ? { drop: ["ALL"], add: [...exception.capabilities] } : { drop: ["ALL"] },
  };
}

function rollAnnotations(request: PodRequest, platform: StorePlatformArgs): Record<string, string> {
  const annotations: Record<string, string> = {};
  if (request.configuration) annotations["hearth/configuration"] = configurationHash(request.configuration);
  const revisions = (request.secrets ?? [])
    .map((name) => [name, secretRevision(platform.secrets, name)] as const)
    .filter(([, revision]) => revision > 0);
  if (revisions.length > 0)
    annotations["hearth/secret-revisions"] = revisions.map(([name, revision]) => `${name}=${revision}`).join(",");
  return annotations;
}

function spreadOverNodes(name: string) {
  return {
    maxSkew: 1,
    topologyKey: "kubernetes.io/hostname",
    whenUnsatisfiable: "ScheduleAnyway",
    labelSelector: { matchLabels: selectorLabels(name) },
  };
}

/** The API server stores no null fields; leaving them out keeps what we send equal to what it stores. */
function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
