import type { Pack } from "../core/policy.ts";
import { cloudsuiteReplicas, databaseReplicas, forgeWebReplicas, keystoreReplicas } from "./replicas.ts";

/** Rows of the table "Limits" that a resource can break. */
export const limitsPack: Pack = {
  name: "platform-limits",
  description: "The limits of the platform, in component arguments and in the objects made of them.",
  policies: [cloudsuiteReplicas, databaseReplicas, keystoreReplicas, forgeWebReplicas],
};
