import type { SecretRequest } from "../core/secrets.ts";
import { objectStoreKeys } from "../stores/connections.ts";
import { type CloudSuiteArgs, OfficeEngine } from "./args.ts";
import { suiteNames } from "./suite-names.ts";

/** Keys of the administrator's Secret. */
export const administratorKeys = { user: "username", password: "password" } as const;
/** Keys of the office's Secret: an administrator and the key that signs requests with Collabora, a shared secret with OnlyOffice. */
export const officeKeys = {
  user: "username",
  password: "password",
  proofKey: "proof_key",
  proofKeyPublic: "proof_key.pub",
  secret: "jwt-secret",
} as const;
/** Key of the whiteboard's Secret. */
export const whiteboardKey = "jwt-secret";

/** Name of a new suite's administrator. */
export const administrator = "admin";

/**
 * The Secrets of a suite beside its stores' own. All values are alphanumerics: several images put them into URLs and files unencoded.
 * Those of the object store can only come from outside.
 */
export function secretRequests(args: CloudSuiteArgs): SecretRequest[] {
  const request = (name: string, data: SecretRequest["data"]): SecretRequest => ({
    name,
    namespace: args.namespace,
    data,
  });
  const requests = [
    {
      ...request(suiteNames.administrator, {
        [administratorKeys.user]: { value: administrator },
        [administratorKeys.password]: { password: 32 },
      }),
      // Read at the installation only: a new value here would not be the administrator's password.
      neverChanges: true,
    },
    request(suiteNames.objectStoreCredentials, {
      [objectStoreKeys.accessKeyId]: { external: true },
      [objectStoreKeys.secretAccessKey]: { external: true },
    }),
  ];
  if (args.office?.engine === OfficeEngine.onlyoffice)
    requests.push(request(suiteNames.officeCredentials, { [officeKeys.secret]: { password: 48 } }));
  else if (args.office)
    requests.push(
      request(suiteNames.officeCredentials, {
        [officeKeys.user]: { value: administrator },
        [officeKeys.password]: { password: 32 },
        [officeKeys.proofKey]: { privateKey: "RSA", form: "pem" },
        [officeKeys.proofKeyPublic]: { publicKeyOf: officeKeys.proofKey },
      }),
    );
  if (args.whiteboard) requests.push(request(suiteNames.whiteboardCredentials, { [whiteboardKey]: { password: 48 } }));
  return requests;
}
