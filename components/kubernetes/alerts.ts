// Written by `npm run generate` from the files in alerts/: add one there.
import { certificateExpires } from "./alerts/certificate-expires.ts";
import { certificateNotReady } from "./alerts/certificate-not-ready.ts";
import { certificateUnknown } from "./alerts/certificate-unknown.ts";
import { secretNotSynced } from "./alerts/secret-not-synced.ts";
import { secretUnknown } from "./alerts/secret-unknown.ts";

/** What users of the component are told. */
export const alerts = [
  certificateExpires,
  certificateNotReady,
  certificateUnknown,
  secretNotSynced,
  secretUnknown,
];
