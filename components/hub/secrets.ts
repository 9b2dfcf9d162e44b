import type { EnvVar, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import type { SecretKey } from "../core/secret-key-args.ts";
import { requestsIn, type SecretRequest, secretName } from "../core/secrets.ts";
import { objectStoreKeys } from "../stores/connections.ts";
import { hubFiles, secretVariables } from "./configuration.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames, robotSecret } from "./hub-names.ts";

/** Keys of a Secret with a name and a password. */
export const accountKeys = { user: "username", password: "password" } as const;
/** Name of the first administrator; the hub's own choice. */
export const administrator = "admin";
/** Key of a robot's Secret for docker's clients, which may stand in a pod's `imagePullSecrets` as it is. */
const dockerConfig = ".dockerconfigjson";
const htpasswd = "htpasswd";
const value = "value";

/** Name a robot signs in with. */
export function robotUser(robot: string): string {
  return `robot$${robot}`;
}

/**
 * The Secrets the hub's parts share, each generated once, from the store, or existing. What encrypts the database's credentials never changes,
 * and the administrator's password is read at the first boot only; all others may change, every reader at once.
 */
export function secretRequests(args: ResolvedHub): SecretRequest[] {
  const request = requestsIn(args.namespace);
  return [
    request(hubNames.coreSecret, { [value]: { password: 32 } }),
    request(hubNames.jobserviceSecret, { [value]: { password: 32 } }),
    request(hubNames.registryHttpSecret, { [value]: { password: 32 } }),
    request(hubNames.registryUser, {
      [accountKeys.user]: { value: "harbor_registry_user" },
      [accountKeys.password]: { password: 32 },
      hash: { bcrypt: accountKeys.password },
      [htpasswd]: { template: `{${accountKeys.user}}:{hash}` },
    }),
    // AES takes keys of 16, 24 or 32 characters; the hub's own installer makes 16.
    { ...request(hubNames.encryptionKey, { [value]: { password: 16 } }), neverChanges: true },
    request(hubNames.csrfKey, { [value]: { password: 32 } }),
    request(hubNames.tokenKey, { [value]: { privateKey: "RSA", form: "pem" } }),
    {
      ...request(hubNames.administrator, {
        [accountKeys.user]: { value: administrator },
        [accountKeys.password]: { password: 32 },
      }),
      neverChanges: true,
    },
    ...args.robots.map(({ name }) => robotRequest(args, name)),
  ];
}

function robotRequest({ namespace, domain }: ResolvedHub, robot: string): SecretRequest {
  const auth = { [domain]: { username: robotUser(robot), password: `{${accountKeys.password}}` } };
  return {
    name: robotSecret(robot),
    namespace,
    type: "kubernetes.io/dockerconfigjson",
    data: {
      [accountKeys.user]: { value: robotUser(robot) },
      // The hub wants a digit and a letter of each case.
      [accountKeys.password]: { password: 32, mixed: true },
      [dockerConfig]: { template: JSON.stringify({ auths: auth }) },
    },
  };
}

/** A secret variable of a pod, by its key in `secretVariables`. */
export type SecretVariable = keyof typeof secretVariables;

/** Where a secret comes from: the key of a Secret, and the platform's name of that Secret where it has one. */
interface SecretSource {
  readonly key: SecretKey;
  readonly platformName?: string;
}

/** Where each secret variable comes from; undefined for one that this hub does not have. */
function variableSource(variable: SecretVariable, args: ResolvedHub): SecretSource | undefined {
  const { database, keystore, objectStore, signOn } = args;
  const own = (name: string, key: string = value) => source(args, name, key);
  const given = (key: SecretKey | undefined) => key && { key };
  const sources: Readonly<Record<SecretVariable, SecretSource | undefined>> = {
    coreSecret: own(hubNames.coreSecret),
    jobserviceSecret: own(hubNames.jobserviceSecret),
    csrfKey: own(hubNames.csrfKey),
    administratorPassword: own(hubNames.administrator, accountKeys.password),
    databasePassword: given(database.password),
    keystorePassword: given(keystore.password),
    registryKeystorePassword: given(keystore.password),
    registryUser: own(hubNames.registryUser, accountKeys.user),
    registryPassword: own(hubNames.registryUser, accountKeys.password),
    registryHttpSecret: own(hubNames.registryHttpSecret),
    objectStoreKeyId: given({ name: objectStore.credentials, key: objectStoreKeys.accessKeyId }),
    objectStoreKey: given({ name: objectStore.credentials, key: objectStoreKeys.secretAccessKey }),
    clientId: given(signOn?.clientId),
    clientSecret: given(signOn?.clientSecret),
  };
  return sources[variable];
}

/** A file from a Secret, at the path where the image looks for it. */
const fileSources = {
  encryptionKey: { name: hubNames.encryptionKey, key: value },
  tokenKey: { name: hubNames.tokenKey, key: value },
  registryUsers: { name: hubNames.registryUser, key: htpasswd },
} as const;

/** A secret file of a pod, by its key in `hubFiles`. */
export type SecretFile = keyof typeof fileSources;

/** Secret variables, to stand before all others. */
export function secretEnvironment(args: ResolvedHub, variables: readonly SecretVariable[]): EnvVar[] {
  return variables.flatMap((variable) => {
    const found = variableSource(variable, args);
    return found ? [{ name: secretVariables[variable], valueFrom: { secretKeyRef: { ...found.key } } }] : [];
  });
}

/** Volumes of secret files. */
export function secretVolumes(args: ResolvedHub, files: readonly SecretFile[]): Volume[] {
  return files.map((file) => {
    const { name, key } = fileSources[file];
    return {
      name: name,
      secret: {
        secretName: secretName(args.platform.secrets, name),
        defaultMode: 0o440,
        items: [{ key, path: key }],
      },
    };
  });
}

/** Mounts of secret files, each alone beside what its folder has in the image. */
export function secretMounts(files: readonly SecretFile[]): VolumeMount[] {
  return files.map((file) => {
    const { name, key } = fileSources[file];
    return { name, mountPath: hubFiles[file], subPath: key, readOnly: true };
  });
}

/** Names of the Secrets that a pod with these reads; a raised revision of one rolls it. */
export function readSecrets(
  args: ResolvedHub,
  variables: readonly SecretVariable[],
  files: readonly SecretFile[] = [],
): string[] {
  const named = [
    ...variables.flatMap((variable) => {
      const found = variableSource(variable, args);
      return found ? [found.platformName ?? found.key.name] : [];
    }),
    ...files.map((file) => fileSources[file].name),
  ];
  return [...new Set(named)];
}

function source({ platform }: ResolvedHub, platformName: string, key: string): SecretSource {
  return { key: { name: secretName(platform.secrets, platformName), key }, platformName };
}
