import type { KeystoreArgs } from "../../../components/keystore/args.ts";

/** The forge's keystore with nothing but what is required. */
export const forgeKeystore: KeystoreArgs = {
  namespace: "forge",
  version: "8.1.4-alpine",
  platform: { profile: "production", ingress: { clusterIssuer: "letsencrypt-prod" } },
};
