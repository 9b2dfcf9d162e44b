import type { KeystoreArgs } from "@hearth-platform/hearth/stores/keystore/args";
import { platform } from "../../../support/platform.ts";

/** The forge's keystore with nothing but what is required. */
export const forgeKeystore: KeystoreArgs = {
  namespace: "forge",
  version: "8.1.4-alpine",
  platform,
};
