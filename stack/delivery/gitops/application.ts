import type { KubernetesObject, PlannedObject } from "@hearth-platform/hearth/core/plan";

/** Where the rendered folder can be had, and who syncs it. */
export interface Delivery {
  /** Address of the git repository. */
  readonly repository: string;
  /** Folder of the manifests in it. */
  readonly path: string;
  /** Branch, tag or commit. */
  readonly revision: string;
  /** Namespace of Argo CD, where its Application stands. */
  readonly namespace: string;
}

/** Name of a stack's Application, whatever letters the stack's has. */
export function applicationName(stack: string): string {
  return `hearth-${stack.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`.replace(/-$/, "");
}

/** Fields that something in the cluster owns are also left alone by a sync; what is large has no place in an annotation. */
const syncOptions = [
  "ServerSideApply=true",
  "RespectIgnoreDifferences=true",
  "PruneLast=true",
  "FailOnSharedResource=true",
];

/** Objects are compared by a dry run of the API server, which knows the values that definitions and operators fill in and the manifests leave out. */
const compareOptions = "ServerSideDiff=true";

/** A patch of the Application that starts a sync. Argo CD gives a sync that kubectl starts none of the Application's own options. */
export function syncPatch(): object {
  return { operation: { sync: { prune: true, syncOptions } } };
}

/**
 * The Application of a stack. It syncs when it is told to. Deleting it deletes what it has deployed, without what holds data.
 * (argo-cd.readthedocs.io, operator-manual/application.yaml)
 */
export function application(
  stack: string,
  { repository, path, revision, namespace }: Delivery,
  planned: readonly PlannedObject[],
): KubernetesObject {
  const object = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Application",
    metadata: {
      name: applicationName(stack),
      namespace,
      labels: { "app.kubernetes.io/managed-by": "hearth" },
      annotations: { "argocd.argoproj.io/compare-options": compareOptions },
      finalizers: ["resources-finalizer.argocd.argoproj.io"],
    },
    spec: {
      project: "default",
      source: { repoURL: repository, targetRevision: revision, path, directory: { recurse: true } },
      destination: { server: "https://kubernetes.default.svc", namespace: "default" },
      ignoreDifferences: planned.flatMap(ignoredFields),
      syncPolicy: { syncOptions },
    },
  };
  return object;
}

function ignoredFields({ object, ignoreChanges = [] }: PlannedObject) {
  if (ignoreChanges.length === 0) return [];
  const [version = "", group] = object.apiVersion.split("/").reverse();
  const { name, namespace } = object.metadata;
  return [
    {
      ...(group !== undefined && version !== "" && { group }),
      kind: object.kind,
      ...(namespace !== undefined && { namespace }),
      name,
      jsonPointers: ignoreChanges.map((path) => `/${path.replaceAll(".", "/")}`),
    },
  ];
}
