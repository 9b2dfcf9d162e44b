import type { EnvVar, ServiceAccount } from "kubernetes-types/core/v1.d.ts";
import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { type SecretRequest, secretName } from "../core/secrets.ts";
import { alerts as namespaceAlerts } from "../kubernetes/alerts.ts";
import { podMonitor, prometheusRule } from "../kubernetes/monitoring.ts";
import { podTemplate, selectorLabels } from "../kubernetes/pod.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, service } from "../kubernetes/workload.ts";
import { alerts } from "./alerts.ts";
import type { ResolvedSiteWebhook } from "./defaults.ts";
import { partOf, webhookMetadata, webhookNames } from "./webhook-names.ts";

const { webhook, secret } = webhookNames;

/** `nonroot`, the user of the image. */
const user = 65532;

/** Seconds the webhook still takes calls after it is told to end, until no route leads to it. */
const drainSeconds = 5;

const secretFolder = "/secret";
/** Key in the Secret that callers prove: one secret a line, two while it is being changed. */
export const checkSecretKey = "secret";

/** What is told of the webhook, and of its whole namespace. */
export const webhookAlerts = [...alerts, ...namespaceAlerts];

/** The Secret that callers prove, where they have to. */
export function secretRequests(args: ResolvedSiteWebhook): SecretRequest[] {
  return args.checkSecret
    ? [{ name: secret, namespace: args.namespace, data: { [checkSecretKey]: { password: 40 } } }]
    : [];
}

/** The account whose token the webhook writes with. */
export function accountObject(args: ResolvedSiteWebhook): PlannedObject {
  const object = {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: webhookMetadata(args),
    // Only the webhook's pod asks for its token.
    automountServiceAccountToken: false,
  } satisfies ServiceAccount;
  return { object };
}

/** The webhook's pod, one alone: two could write a site's annotation in the same second, and the second write would change nothing. */
export function workloadObjects(args: ResolvedSiteWebhook): PlannedObject[] {
  const { image = "", platform, resources, checkSecret } = args;
  const probe = (path: string) => ({ httpGet: { path, port: "operations" } });
  const template = podTemplate(
    {
      name: webhook,
      partOf,
      user,
      group: user,
      serviceAccount: webhook,
      // It drains, then finishes what it has accepted within 5 seconds more.
      gracePeriodSeconds: drainSeconds + 15,
      secrets: checkSecret ? [secret] : [],
      volumes: checkSecret
        ? [{ name: "secret", secret: { secretName: secretName(platform.secrets, secret), defaultMode: 0o440 } }]
        : [],
      containers: [
        {
          name: webhook,
          image,
          env: environment(args),
          ports: [
            { name: "http", containerPort: ports.siteWebhook, protocol: "TCP" },
            { name: "operations", containerPort: ports.siteWebhookOperations, protocol: "TCP" },
          ],
          resources: resourceRequirements(resources),
          ...(checkSecret && { volumeMounts: [{ name: "secret", mountPath: secretFolder, readOnly: true }] }),
          startupProbe: { ...probe("/readyz"), periodSeconds: 1, failureThreshold: 30 },
          readinessProbe: { ...probe("/readyz"), periodSeconds: 2 },
          livenessProbe: { ...probe("/livez"), periodSeconds: 10, timeoutSeconds: 5 },
        },
      ],
    },
    platform,
  );
  return [
    { object: deployment({ metadata: webhookMetadata(args), replicas: 1, template }) },
    { object: service(webhookMetadata(args), { http: ports.siteWebhook }) },
    ...podMonitor(webhookMetadata(args), selectorLabels(webhook), { port: "operations", path: "/metrics" }, platform),
    ...prometheusRule(webhookMetadata(args, webhookNames.alerts), webhookAlerts, args),
  ];
}

function environment(args: ResolvedSiteWebhook): EnvVar[] {
  const { group, version, plural, annotationDomain } = args.staticSites;
  return [
    { name: "WEBHOOK_PORT", value: String(ports.siteWebhook) },
    { name: "OPERATIONS_PORT", value: String(ports.siteWebhookOperations) },
    { name: "STATIC_SITE_GROUP", value: group },
    { name: "STATIC_SITE_VERSION", value: version },
    { name: "STATIC_SITE_PLURAL", value: plural },
    { name: "ANNOTATION_DOMAIN", value: annotationDomain },
    { name: "DRAIN_SECONDS", value: String(drainSeconds) },
    ...(args.namespaces ? [{ name: "WEBHOOK_NAMESPACES", value: args.namespaces.join(",") }] : []),
    ...(args.checkSecret ? [{ name: "WEBHOOK_SECRET_FILE", value: `${secretFolder}/${checkSecretKey}` }] : []),
  ];
}
