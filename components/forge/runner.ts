import type { ServiceAccount } from "kubernetes-types/core/v1.d.ts";
import type { PolicyRule, Role, RoleBinding } from "kubernetes-types/rbac/v1.d.ts";
import { joinPlans, objectId, type Plan, type PlannedObject } from "../core/plan.ts";
import { secretName } from "../core/secrets.ts";
import { planNamespaceWithoutData } from "../kubernetes/namespace.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment } from "../kubernetes/workload.ts";
import { forgeContainerPorts } from "./configuration/ports.ts";
import { runnerEnvironment, runnerHome, scriptNames, scriptPath } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { forgePod } from "./forge-pod.ts";
import { images } from "./images.ts";
import { forgeMetadata } from "./metadata.ts";
import { railsJob } from "./rails-job.ts";
import { runnerTokenKey } from "./secrets.ts";

const { runner: name, runnerToken, runnerRegistration } = forgeNames;
/** User and group of the runner's Alpine image. */
const [user, group] = [100, 65533];
/** Seconds that jobs under way get when the runner stops. */
const jobSeconds = 3600;

/** Rights of the runner's executor in the namespace of its jobs. (gitlab-runner, docs/executors/kubernetes) */
const executorRules: PolicyRule[] = [
  { apiGroups: [""], resources: ["pods"], verbs: ["create", "delete", "get", "list", "watch"] },
  { apiGroups: [""], resources: ["pods/attach", "pods/exec"], verbs: ["create", "delete", "get", "patch"] },
  { apiGroups: [""], resources: ["pods/log"], verbs: ["get", "list"] },
  { apiGroups: [""], resources: ["secrets"], verbs: ["create", "delete", "get", "update"] },
  { apiGroups: [""], resources: ["services"], verbs: ["create", "get"] },
  { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["get"] },
  { apiGroups: [""], resources: ["events"], verbs: ["list", "watch"] },
];

/** The runner, its jobs' namespace, and the Job that makes it known to the forge. An empty plan without `runner`. */
export function planRunner(args: ResolvedForge, migrated: string): Plan {
  if (!args.runner) return joinPlans();
  const { jobNamespace, tags } = args.runner;
  const own = secretName(args.platform.secrets, runnerToken) === runnerToken;
  const registration = registrationJob(args, tags);
  return joinPlans(
    {
      // The forge makes the token and the Job writes it here: who may only patch one Secret can't create any.
      secrets: own ? [{ name: runnerToken, namespace: args.namespace, data: {}, revision: 0 }] : [],
    },
    {
      objects: [
        // Builds often run as root, which the restricted level refuses.
        ...planNamespaceWithoutData(jobNamespace, args.platform, "baseline"),
        { object: serviceAccount(args, forgeNames.runnerJobs, jobNamespace) },
        { object: serviceAccount(args, name, args.namespace) },
        ...bound(args, name, jobNamespace, executorRules),
        ...(own
          ? [
              { object: serviceAccount(args, runnerRegistration, args.namespace) },
              ...bound(args, runnerRegistration, args.namespace, [
                { apiGroups: [""], resources: ["secrets"], resourceNames: [runnerToken], verbs: ["get", "patch"] },
              ]),
              {
                object: registration,
                after: [migrated, `Deployment/${forgeNames.webservice}`, `RoleBinding/${runnerRegistration}`],
              },
            ]
          : []),
        { object: runner(args), after: [`RoleBinding/${name}`, ...(own ? [objectId(registration)] : [])] },
      ],
    },
  );
}

function serviceAccount(args: ResolvedForge, account: string, namespace: string) {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { ...forgeMetadata(args, name, account), namespace },
    automountServiceAccountToken: false,
  } satisfies ServiceAccount;
}

/** A Role in `namespace`, and its binding to the ServiceAccount of its name in the forge's namespace. */
function bound(args: ResolvedForge, account: string, namespace: string, rules: PolicyRule[]): PlannedObject[] {
  const metadata = { ...forgeMetadata(args, name, account), namespace };
  const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata, rules } satisfies Role;
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: account },
    subjects: [{ kind: "ServiceAccount", name: account, namespace: args.namespace }],
  } satisfies RoleBinding;
  // Without an administrator's rights, only a role that is there can be bound.
  return [{ object: role }, { object: binding, after: [`Role/${account}`] }];
}

/** Another runner, or a raised revision of its token, makes another Job. */
function registrationJob(args: ResolvedForge, tags: readonly string[]) {
  return railsJob(args, {
    name: runnerRegistration,
    script: scriptNames.createRunner,
    environment: [
      { name: runnerEnvironment.description, value: name },
      ...(tags.length > 0 ? [{ name: runnerEnvironment.tags, value: tags.join(",") }] : []),
      { name: runnerEnvironment.namespace, value: args.namespace },
      { name: runnerEnvironment.secret, value: runnerToken },
      { name: runnerEnvironment.key, value: runnerTokenKey },
    ],
    secrets: [runnerToken],
    serviceAccount: runnerRegistration,
  });
}

function runner(args: ResolvedForge) {
  return deployment({
    metadata: forgeMetadata(args, name),
    replicas: args.maintenance ? 0 : 1,
    // Two of one token would take jobs from each other.
    strategy: "Recreate",
    rolloutSeconds: jobSeconds + 600,
    template: forgePod(args, {
      name,
      programs: ["runner"],
      user,
      group,
      serviceAccount: name,
      gracePeriodSeconds: jobSeconds,
      containers: [
        {
          name: "runner",
          program: "runner",
          image: images(args).runner,
          script: scriptNames.runner,
          command: ["sh", scriptPath(scriptNames.runner)],
          env: [{ name: "HOME", value: runnerHome }],
          ports: [{ name: "http-metrics", containerPort: forgeContainerPorts.runnerMetrics, protocol: "TCP" }],
          resources: resourceRequirements(args.resources.runner),
          volumeMounts: [
            { name: "home", mountPath: runnerHome },
            { name: "tmp", mountPath: "/tmp" },
          ],
          readinessProbe: { tcpSocket: { port: "http-metrics" }, periodSeconds: 10, failureThreshold: 3 },
          livenessProbe: { tcpSocket: { port: "http-metrics" }, periodSeconds: 30, failureThreshold: 60 },
        },
      ],
      volumes: [
        { name: "home", emptyDir: {} },
        { name: "tmp", emptyDir: {} },
      ],
    }),
  });
}
