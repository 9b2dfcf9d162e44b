import type { EnvVar, PodTemplateSpec, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import { databaseImage, repositories } from "../catalogue/images.ts";
import { databaseNames, names, serviceHost } from "../catalogue/names.ts";
import { programs } from "../catalogue/releases.ts";
import { secretName } from "../core/secrets.ts";
import { repositoriesPath } from "../forge/configuration.ts";
import { forgeNames } from "../forge/forge-names.ts";
import { forgeUser } from "../forge/metadata.ts";
import type { Cluster } from "../kubernetes/custom-resources/cluster.ts";
import { type ContainerRequest, fromSecret, podTemplate, selectorLabels } from "../kubernetes/pod.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { databaseOwner } from "../stores/connections.ts";
import { copyEnvironment, copyImage, copyResources } from "../stores/copying.ts";
import { DrillApplication } from "./args.ts";
import { drillNames, partOf } from "./drill-names.ts";
import type { ResolvedDrill } from "./schema.ts";
import { steps } from "./scripts.ts";

/** Key of the drill's cluster among its files. */
export const clusterFile = "cluster.json";

const [scriptsPath, sharedPath] = ["/scripts", "/drill"];
/** Image of the steps that call the API server. */
const nodeImage = `${repositories.node}:${programs.node.deployed}`;
const stepResources = resourceRequirements({
  requests: { cpu: "10m", memory: "64Mi" },
  limits: { cpu: "500m", memory: "256Mi" },
});
/** Seconds of the deadline that are left for the questions and the removal. */
const reserve = 600;

/**
 * The pod of a drill: a container a step, one after the other, each of an image that has the programs. All but the last end well
 * whatever they find, so that the last one always removes and tells.
 * @param files scripts and cluster, by their names
 */
export function drillPod(
  args: ResolvedDrill,
  running: Cluster,
  files: Readonly<Record<string, string>>,
): PodTemplateSpec {
  const { database, platform } = args;
  const { drill } = drillNames(database.name);
  const credentials = databaseNames(database.name).credentials;
  const store = args.objectStore.credentials;
  const template = podTemplate(
    {
      name: drill,
      partOf,
      // The files of the forge's volume belong to this user.
      user: forgeUser,
      group: forgeUser,
      serviceAccount: drillNames(database.name).account,
      restartPolicy: "Never",
      configuration: files,
      secrets: [credentials, store],
      volumes: [
        { name: "scripts", configMap: { name: drill, defaultMode: 0o444 } },
        { name: "drill", emptyDir: {} },
        { name: "scratch", emptyDir: {} },
        ...repositoriesVolume(args),
        ...authority(args).volumes,
      ],
      initContainers: [
        step("archive", copyImage, copyResources, storeEnvironment(args, running), authority(args).mounts),
        step("recover", nodeImage, stepResources, recoverEnvironment(args, running)),
        step("ask", databaseImage(Number(database.version)), stepResources, askEnvironment(args)),
        step("files", copyImage, copyResources, filesEnvironment(args, running), [
          ...(repositoriesVolume(args).length > 0
            ? [{ name: "repositories", mountPath: repositoriesPath, readOnly: true }]
            : []),
          ...authority(args).mounts,
        ]),
      ],
      containers: [step("report", nodeImage, stepResources, reportEnvironment(args, running))],
    },
    platform,
  );
  return repositoriesVolume(args).length > 0 ? besideGitstore(template) : template;
}

function step(
  name: keyof typeof steps,
  image: string,
  resources: ContainerRequest["resources"],
  env: readonly EnvVar[],
  mounts: readonly VolumeMount[] = [],
): ContainerRequest {
  const script = steps[name];
  return {
    name,
    image,
    command: [script.endsWith(".ts") ? "node" : "sh", `${scriptsPath}/${script}`],
    env: [{ name: "DRILL", value: sharedPath }, ...env],
    resources,
    volumeMounts: [
      { name: "scripts", mountPath: scriptsPath, readOnly: true },
      { name: "drill", mountPath: sharedPath },
      { name: "scratch", mountPath: "/tmp" },
      ...mounts,
    ],
  };
}

const plain = (values: Readonly<Record<string, string>>): EnvVar[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

const ofPod = (name: string, fieldPath: string): EnvVar => ({
  name,
  valueFrom: { fieldRef: { apiVersion: "v1", fieldPath } },
});

function storeEnvironment({ objectStore, database }: ResolvedDrill, running: Cluster): EnvVar[] {
  const { serverName = "" } = running.spec.plugins?.[0]?.parameters ?? {};
  const bucket = database.backup?.bucket ?? "";
  return [
    ...copyEnvironment(objectStore, bucket).filter(({ name }) => name !== "BUCKET"),
    ...plain({ BACKUPS: bucket, SERVER: serverName }),
  ];
}

function filesEnvironment(args: ResolvedDrill, running: Cluster): EnvVar[] {
  const buckets = args.checks.flatMap(({ application, bucket }) =>
    bucket === undefined ? [] : [[`${application.toUpperCase()}_BUCKET`, bucket] as const],
  );
  return [
    ...storeEnvironment(args, running),
    ...checks(args),
    ...plain({ ...Object.fromEntries(buckets), REPOSITORIES: repositoriesPath }),
  ];
}

function checks({ checks }: ResolvedDrill): EnvVar[] {
  return plain({ CHECKS: checks.map(({ application }) => application).join(" ") });
}

/** Of the steps that call the API server. */
function clusterEnvironment({ namespace, database }: ResolvedDrill, running: Cluster): EnvVar[] {
  return [
    ...plain({
      NAMESPACE: namespace,
      RUNNING: String(running.metadata.name),
      CLUSTER: `${scriptsPath}/${clusterFile}`,
      VOLUME: drillNames(database.name).instance,
      NODE_EXTRA_CA_CERTS: "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt",
    }),
    ofPod("POD_NAME", "metadata.name"),
    ofPod("POD_UID", "metadata.uid"),
  ];
}

function recoverEnvironment(args: ResolvedDrill, running: Cluster): EnvVar[] {
  return [
    ...clusterEnvironment(args, running),
    ...plain({
      RECOVERY_JOB: drillNames(args.database.name).recoveryJob,
      SECONDS: String(args.deadlineMinutes * 60 - reserve),
    }),
  ];
}

function askEnvironment(args: ResolvedDrill): EnvVar[] {
  const { database, namespace, platform, sample } = args;
  const { credentials, pooler } = databaseNames(database.name);
  return [
    ...checks(args),
    ...plain({
      SCRIPTS: scriptsPath,
      SAMPLE: String(sample),
      RUNNING_HOST: serviceHost(pooler, namespace),
      PGUSER: databaseOwner,
      PGCONNECT_TIMEOUT: "30",
    }),
    fromSecret("PGPASSWORD", { name: secretName(platform.secrets, credentials), key: "password" }),
  ];
}

function reportEnvironment(args: ResolvedDrill, running: Cluster): EnvVar[] {
  return [
    ...clusterEnvironment(args, running),
    ...checks(args),
    ...plain({ RESULT: drillNames(args.database.name).result }),
  ];
}

/** The volume of the forge's repositories, to see whether they are there. */
function repositoriesVolume({ checks }: ResolvedDrill): Volume[] {
  if (!checks.some(({ application }) => application === DrillApplication.forge)) return [];
  return [{ name: "repositories", persistentVolumeClaim: { claimName: forgeNames.repositories } }];
}

/** On the node of the git store: its volume has a single writer. */
function besideGitstore(template: PodTemplateSpec): PodTemplateSpec {
  const term = {
    labelSelector: { matchLabels: selectorLabels(names.forge.gitstore) },
    topologyKey: "kubernetes.io/hostname",
  };
  const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  return { ...template, spec: template.spec && { ...template.spec, affinity } };
}

/** The object store's own authority. A Go program reads every file of this folder besides the image's bundle. */
function authority({ platform: { privateCa } }: ResolvedDrill): { volumes: Volume[]; mounts: VolumeMount[] } {
  if (!privateCa) return { volumes: [], mounts: [] };
  const items = [{ key: privateCa.key, path: "private-ca.crt" }];
  const file = { subPath: "private-ca.crt", readOnly: true };
  return {
    volumes: [{ name: "private-ca", configMap: { name: privateCa.configMap, defaultMode: 0o444, items } }],
    mounts: [{ name: "private-ca", mountPath: "/etc/ssl/certs/private-ca.crt", ...file }],
  };
}
