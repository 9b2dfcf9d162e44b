import type { Pack } from "../core/policy.ts";
import { keystoreReplicas } from "./replicas.ts";

/** Every row of the table "Limits", and the rules of config.yaml that a resource can break. */
export const limitsPack: Pack = {
  name: "platform-limits",
  description: "The limits of the platform, in component arguments and in the objects made of them.",
  policies: [keystoreReplicas],
};
