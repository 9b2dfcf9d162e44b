import type { Pack } from "../core/policy.ts";
import { leastRights } from "./access/least-rights.ts";
import { serviceExposure } from "./network/exposure.ts";
import { plainSecrets } from "./secrets/plain.ts";
import { volumeClaims } from "./storage/volume-claims.ts";
import { duplicatePorts } from "./workloads/duplicate-ports.ts";
import { images } from "./workloads/images.ts";
import { podSecurity } from "./workloads/pod-security.ts";
import { probes } from "./workloads/probes.ts";
import { resources } from "./workloads/resources.ts";
import { serviceAccountTokens } from "./workloads/service-accounts.ts";

/** Workloads, network, storage, access and secrets, in the order in which users act on them. */
export const baselinePack: Pack = {
  name: "platform-baseline",
  description: "What good platforms forbid in workloads, network, storage, access and secrets.",
  policies: [
    resources,
    images,
    probes,
    podSecurity,
    plainSecrets,
    serviceAccountTokens,
    duplicatePorts,
    serviceExposure,
    volumeClaims,
    leastRights,
  ],
};
