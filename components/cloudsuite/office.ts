import type { PodTemplateSpec, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { secretName } from "../core/secrets.ts";
import { type PodRequest, podTemplate } from "../kubernetes/pod.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { type CloudSuiteArgs, type CloudSuiteOfficeArgs, OfficeEngine } from "./args.ts";
import { fromSecret } from "./environment.ts";
import { images } from "./images.ts";
import { partOf } from "./metadata.ts";
import { officeKeys } from "./secrets.ts";
import { singleServer } from "./single-server.ts";
import { suiteNames } from "./suite-names.ts";
import { authorityMounts, authorityVolumes, nodeEnvironment } from "./trust.ts";

/** Port of the office server. */
export function officePort(office: CloudSuiteOfficeArgs): number {
  return office.engine === OfficeEngine.onlyoffice ? ports.officeOnlyoffice : ports.officeCollabora;
}

/**
 * Name of that port. Another one for each engine: a Service may have a name once, and Kubernetes tells ports apart by number,
 * so that the preview of the change to the other engine has both.
 */
function officePortName(office: CloudSuiteOfficeArgs): string {
  return office.engine === OfficeEngine.onlyoffice ? "http-onlyoffice" : "http";
}

/** The office server and its Service. Traefik can't route by document, so it is a single one. No objects without `office`. */
export function officeObjects(args: CloudSuiteArgs): PlannedObject[] {
  const { office } = args;
  if (!office) return [];
  const template = office.engine === OfficeEngine.onlyoffice ? onlyoffice(args, office) : collabora(args, office);
  return singleServer(args, suiteNames.office, { [officePortName(office)]: officePort(office) }, template);
}

const common = {
  name: suiteNames.office,
  partOf,
  secrets: [suiteNames.officeCredentials],
  gracePeriodSeconds: 60,
} as const satisfies Partial<PodRequest>;

const proofKeyFiles = [officeKeys.proofKey, officeKeys.proofKeyPublic] as const;
const proofKeyVolume = "proof-key";

/**
 * The key Collabora signs its requests to the suite with. It would make a new one at each start, which Nextcloud refuses as long as
 * it keeps the former from the server's discovery. (CollaboraOnline/online kubernetes/helm, proofKeysSecretRef)
 */
function proofKey(credentials: string): { volumes: Volume[]; mounts: VolumeMount[] } {
  const items = proofKeyFiles.map((file) => ({ key: file, path: file }));
  return {
    volumes: [{ name: proofKeyVolume, secret: { secretName: credentials, items, defaultMode: 0o440 } }],
    // One by one, since the start script writes its configuration beside them.
    mounts: proofKeyFiles.map((file) => ({
      name: proofKeyVolume,
      mountPath: `/etc/coolwsd/${file}`,
      subPath: file,
      readOnly: true,
    })),
  };
}

/** Collabora, on the path its makers run it in clusters. (CollaboraOnline/online docker/from-packages/scripts, kubernetes/helm) */
function collabora(args: CloudSuiteArgs, office: CloudSuiteOfficeArgs): PodTemplateSpec {
  const credentials = secretName(args.platform.secrets, suiteNames.officeCredentials);
  const { volumes, mounts } = proofKey(credentials);
  return podTemplate(
    {
      ...common,
      user: 1001,
      group: 1001,
      volumes,
      containers: [
        {
          name: suiteNames.office,
          image: images(args).office,
          exception: "collabora",
          env: [
            { name: "aliasgroup1", value: `https://${args.domain}:443` },
            { name: "server_name", value: office.domain },
            { name: "DONT_GEN_SSL_CERT", value: "true" },
            { name: "extra_params", value: "--o:ssl.enable=false --o:ssl.termination=true" },
            fromSecret("username", { name: credentials, key: officeKeys.user }),
            fromSecret("password", { name: credentials, key: officeKeys.password }),
          ],
          ports: [{ name: officePortName(office), containerPort: officePort(office), protocol: "TCP" }],
          resources: resourceRequirements(office.resources),
          volumeMounts: mounts,
          ...probes(office, "/"),
        },
      ],
    },
    args.platform,
  );
}

/** OnlyOffice: an image with its own database and queue in it, all kept in the pod, since documents live in the suite. */
function onlyoffice(args: CloudSuiteArgs, office: CloudSuiteOfficeArgs): PodTemplateSpec {
  const credentials = secretName(args.platform.secrets, suiteNames.officeCredentials);
  return podTemplate(
    {
      ...common,
      user: 0,
      group: 0,
      volumes: authorityVolumes(args),
      containers: [
        {
          name: suiteNames.office,
          image: images(args).office,
          exception: "onlyoffice",
          env: [
            { name: "JWT_ENABLED", value: "true" },
            { name: "JWT_HEADER", value: "Authorization" },
            fromSecret("JWT_SECRET", { name: credentials, key: officeKeys.secret }),
            // Inside the cluster the suite's public name may lead to a private address.
            { name: "ALLOW_PRIVATE_IP_ADDRESS", value: "true" },
            ...nodeEnvironment(args),
          ],
          ports: [{ name: officePortName(office), containerPort: officePort(office), protocol: "TCP" }],
          resources: resourceRequirements(office.resources),
          ...(args.platform.privateCa && { volumeMounts: authorityMounts(args) }),
          ...probes(office, "/healthcheck"),
        },
      ],
    },
    args.platform,
  );
}

/** Five minutes to start; then taken out of the Service at once, and restarted only when it hangs. */
function probes(office: CloudSuiteOfficeArgs, path: string) {
  const httpGet = { path, port: officePortName(office) };
  return {
    startupProbe: { httpGet, periodSeconds: 5, failureThreshold: 60 },
    readinessProbe: { httpGet, periodSeconds: 10, timeoutSeconds: 10 },
    livenessProbe: { httpGet, periodSeconds: 20, timeoutSeconds: 20, failureThreshold: 6 },
  };
}
