import type { Pack } from "../core/policy.ts";

/** Workloads, network, storage, access and secrets, in the order in which users act on them. */
export const baselinePack: Pack = {
  name: "platform-baseline",
  description: "What good platforms forbid in workloads, network, storage, access and secrets.",
  policies: [],
};
