// Written by `npm run generate` from the files in alerts/: add one there.
import { keystoreCannotSave } from "./alerts/keystore-cannot-save.ts";
import { keystoreDown } from "./alerts/keystore-down.ts";
import { keystoreEvicts } from "./alerts/keystore-evicts.ts";
import { keystoreNearlyFull } from "./alerts/keystore-nearly-full.ts";
import { keystoreRefusesClients } from "./alerts/keystore-refuses-clients.ts";
import { keystoreUnknown } from "./alerts/keystore-unknown.ts";

/** What users of the component are told. */
export const alerts = [
  keystoreCannotSave,
  keystoreDown,
  keystoreEvicts,
  keystoreNearlyFull,
  keystoreRefusesClients,
  keystoreUnknown,
];
