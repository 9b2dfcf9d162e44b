import type { StatefulSet } from "kubernetes-types/apps/v1.d.ts";
import type { ConfigMap, Container, PersistentVolumeClaim, Probe, Service } from "kubernetes-types/core/v1.d.ts";
import { repositories } from "../../catalogue/images.ts";
import { keystoreClaim, names, serviceHost } from "../../catalogue/names.ts";
import { ports } from "../../catalogue/ports.ts";
import { joinPlans, type KubernetesObject, type Plan } from "../../core/plan.ts";
import { canonicalQuantity } from "../../core/quantities.ts";
import { type SecretRequest, secretName } from "../../core/secrets.ts";
import { prometheusRule } from "../../kubernetes/monitoring.ts";
import { podTemplate, selectorLabels, workloadLabels } from "../../kubernetes/pod.ts";
import { resourceRequirements } from "../../kubernetes/resources.ts";
import { planSecrets } from "../../kubernetes/secrets.ts";
import type { KeystoreConnection } from "../connections-args.ts";
import { alerts } from "./alerts.ts";
import type { KeystoreArgs } from "./args.ts";
import { keystoreConfiguration, keystorePaths, passwordFragment } from "./configuration.ts";
import { exporterObjects } from "./exporter.ts";
import type { ResolvedKeystore } from "./schema.ts";

const name = names.keystore;
/** Name of the Secret with its password. */
export const keystorePassword = `${name}-password`;
const configurationFile = "keystore.conf";
/** User and group of the Alpine image; the files on the volume belong to them. */
const [user, group] = [999, 1000];

/** How clients reach the keystore; its password Secret is in its namespace. */
export function keystoreConnection({
  namespace,
  password,
  platform: { secrets },
}: Pick<KeystoreArgs, "namespace" | "platform"> & Pick<ResolvedKeystore, "password">): KeystoreConnection {
  return {
    host: serviceHost(name, namespace),
    port: ports.keystore,
    ...(password && { password: { name: secretName(secrets, keystorePassword), key: "password" } }),
  };
}

/** All objects of a keystore: volume, configuration, pod, service, its password, and what Prometheus reads. */
export function planKeystore(args: ResolvedKeystore): Plan {
  return joinPlans(args.password ? planSecrets([passwordRequest(args)], args.platform.secrets) : {}, {
    objects: [
      { object: claim(args), holdsData: true },
      { object: configurationMap(args) },
      { object: service(args) },
      { object: statefulSet(args) },
      ...exporterObjects(args, keystoreConnection(args), passwordSecrets(args)),
      ...prometheusRule(metadata(args), alerts, args),
    ],
  });
}

function passwordRequest({ namespace }: ResolvedKeystore): SecretRequest {
  return {
    name: keystorePassword,
    namespace,
    data: {
      password: { password: 32 },
      [passwordFragment]: { template: "requirepass {password}\n" },
    },
  };
}

/** Secrets that pods with the password read. */
function passwordSecrets({ password }: ResolvedKeystore): string[] {
  return password ? [keystorePassword] : [];
}

function metadata(args: ResolvedKeystore, objectName: string = name) {
  return {
    name: objectName,
    namespace: args.namespace,
    labels: workloadLabels(name, args.partOf, args.platform),
  };
}

function claim(args: ResolvedKeystore): PersistentVolumeClaim & KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: metadata(args, keystoreClaim),
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: args.storageClass,
      resources: { requests: { storage: canonicalQuantity(args.storageSize) } },
    },
  };
}

function configuration(args: ResolvedKeystore): Record<string, string> {
  return {
    [configurationFile]: keystoreConfiguration({
      use: args.use,
      memoryLimit: args.resources.limits.memory,
      password: args.password,
    }),
  };
}

function configurationMap(args: ResolvedKeystore): ConfigMap & KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: metadata(args), data: configuration(args) };
}

function service(args: ResolvedKeystore): Service & KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadata(args),
    spec: {
      selector: selectorLabels(name),
      ports: [{ name, port: ports.keystore, targetPort: name, protocol: "TCP" }],
    },
  };
}

function statefulSet(args: ResolvedKeystore): StatefulSet & KubernetesObject {
  const connection = keystoreConnection(args);
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: metadata(args),
    spec: {
      replicas: args.replicas,
      serviceName: name,
      selector: { matchLabels: selectorLabels(name) },
      template: podTemplate(
        {
          name,
          partOf: args.partOf,
          user,
          group,
          // On SIGTERM it writes its memory to the volume.
          gracePeriodSeconds: 60,
          configuration: configuration(args),
          secrets: passwordSecrets(args),
          containers: [container(args, connection)],
          volumes: [
            { name: "data", persistentVolumeClaim: { claimName: keystoreClaim } },
            { name: "configuration", configMap: { name } },
            ...(connection.password
              ? [
                  {
                    name: "password",
                    secret: {
                      secretName: connection.password.name,
                      items: [{ key: passwordFragment, path: passwordFragment }],
                    },
                  },
                ]
              : []),
          ],
        },
        args.platform,
      ),
    },
  };
}

function container(args: ResolvedKeystore, { password }: KeystoreConnection): Container & { image: string } {
  return {
    name,
    image: `${repositories.keystore}:${args.version}`,
    command: ["valkey-server", `${keystorePaths.configuration}/${configurationFile}`],
    ports: [{ name, containerPort: ports.keystore, protocol: "TCP" }],
    ...(password && { env: [{ name: "REDISCLI_AUTH", valueFrom: { secretKeyRef: password } }] }),
    resources: resourceRequirements(args.resources),
    volumeMounts: [
      { name: "data", mountPath: keystorePaths.data },
      { name: "configuration", mountPath: keystorePaths.configuration, readOnly: true },
      ...(password ? [{ name: "password", mountPath: keystorePaths.password, readOnly: true }] : []),
    ],
    // While it loads its data it answers ping with an error: the start-up probe waits 10 minutes for that.
    startupProbe: ping({ periodSeconds: 5, failureThreshold: 120 }),
    readinessProbe: ping({ periodSeconds: 10, failureThreshold: 3 }),
    livenessProbe: ping({ periodSeconds: 20, failureThreshold: 5 }),
  };
}

/** The CLI takes the password from its environment; `-e` makes an error reply a failure. */
function ping(timing: Probe): Probe {
  return {
    exec: { command: ["valkey-cli", "-p", String(ports.keystore), "-e", "ping"] },
    timeoutSeconds: 5,
    ...timing,
  };
}
