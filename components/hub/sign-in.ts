import { names } from "../catalogue/names.ts";
import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { proxies } from "../core/platform.ts";
import { secretName } from "../core/secrets.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { internalUrls } from "./configuration/addresses.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { environment, hubPod } from "./hub-pod.ts";
import { hubMetadata } from "./metadata.ts";
import { hubPorts } from "./ports.ts";
import { accountKeys, administrator } from "./secrets.ts";

const name = hubNames.signIn;

/** `nonroot`, the user of the image. */
const user = 65532;
/** The image's file, and the service in it that is meant. */
const program = ["/site-webhook.mjs", "sign-in"];
/** Seconds calls are still taken after the pod is told to end, until no route leads to it; a call takes 14 more at most. */
const drainSeconds = 5;
const secretFolder = "/secret";

/**
 * The pods that sign in with tokens of the forge, and their Service; nothing where the hub has none. Their one right is the hub
 * administrator's password: with it they find a user and what core knows them by.
 */
export function signInObjects(args: ResolvedHub): PlannedObject[] {
  if (!args.forgeTokens) return [];
  const metadata = hubMetadata(args, name);
  const replicas = args.replicas.signIn;
  return [
    { object: deployment({ metadata, replicas, template: pod(args, args.forgeTokens.image) }) },
    { object: service(metadata, { http: hubPorts.signIn }) },
    ...disruptionBudget(metadata, replicas),
  ];
}

function pod(args: ResolvedHub, image: string) {
  const probe = (path: string) => ({ httpGet: { path, port: "operations" } });
  return hubPod(args, {
    name,
    user,
    group: user,
    spread: true,
    gracePeriodSeconds: drainSeconds + 20,
    secrets: [hubNames.administrator],
    containers: [
      {
        name: "sign-in",
        image,
        args: program,
        env: environment(variables(args)),
        ports: [
          { name: "http", containerPort: hubPorts.signIn, protocol: "TCP" },
          { name: "operations", containerPort: hubPorts.signInOperations, protocol: "TCP" },
        ],
        resources: resourceRequirements(args.resources.signIn),
        volumeMounts: [{ name: "secret", mountPath: secretFolder, readOnly: true }],
        startupProbe: { ...probe("/readyz"), periodSeconds: 1, failureThreshold: 30 },
        readinessProbe: { ...probe("/readyz"), periodSeconds: 2 },
        livenessProbe: { ...probe("/livez"), periodSeconds: 10, timeoutSeconds: 5 },
      },
    ],
    volumes: [
      {
        name: "secret",
        secret: {
          secretName: secretName(args.platform.secrets, hubNames.administrator),
          defaultMode: 0o440,
          items: [{ key: accountKeys.password, path: accountKeys.password }],
        },
      },
    ],
  });
}

function variables({ domain, signOn, platform }: ResolvedHub): Record<string, string> {
  return {
    SIGN_IN_PORT: String(hubPorts.signIn),
    OPERATIONS_PORT: String(hubPorts.signInOperations),
    CORE_URL: internalUrls.core,
    FORGE_URL: `http://${names.forge.webservice}:${ports.forgeProxy}`,
    FORGE_ISSUER: signOn?.issuer ?? "",
    HUB_URL: `https://${domain}`,
    HUB_ADMINISTRATOR: administrator,
    HUB_PASSWORD_FILE: `${secretFolder}/${accountKeys.password}`,
    TRUSTED_PROXIES: proxies(platform.ingress).join(","),
    DRAIN_SECONDS: String(drainSeconds),
  };
}
