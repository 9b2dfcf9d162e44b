import type { KeystoreArgs } from "../../../components/keystore/args.ts";
import { platform } from "../../support/platform.ts";

/** The forge's keystore with nothing but what is required. */
export const forgeKeystore: KeystoreArgs = {
  namespace: "forge",
  version: "8.1.4-alpine",
  platform,
};
