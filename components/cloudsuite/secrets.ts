import { requestsIn, type SecretRequest } from "../core/secrets.ts";
import { objectStoreKeys } from "../stores/connections.ts";
import { appParts } from "./apps/registry.ts";
import type { ResolvedSuite } from "./schema.ts";
import { suiteNames } from "./suite-names.ts";

/** Keys of the administrator's Secret. */
export const administratorKeys = { user: "username", password: "password" } as const;

/** Name of a new suite's administrator. */
export const administrator = "admin";

/**
 * The Secrets of a suite beside its stores' own. All values are alphanumerics: several images put them into URLs and files unencoded.
 * Those of the object store can only come from outside.
 */
export function secretRequests(args: ResolvedSuite): SecretRequest[] {
  const request = requestsIn(args.namespace);
  return [
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
    ...appParts(args).flatMap(({ secrets }) => secrets),
  ];
}
