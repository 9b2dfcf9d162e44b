import { baselinePack } from "./baseline/policies.ts";
import type { Pack } from "./core/policy.ts";
import { limitsPack } from "./limits/policies.ts";

/** Every pack, in the order in which they are shown. */
export const packs: readonly Pack[] = [limitsPack, baselinePack];

/** All policies in one process: the engine asks each pack about each resource anew, which takes longer than to judge it. */
export const platformPack: Pack = {
  name: "platform",
  description: "The limits of the platform, and good practice for workloads, network, storage, access and secrets.",
  policies: packs.flatMap(({ policies }) => policies),
};
