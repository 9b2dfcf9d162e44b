import type { PlatformArgs } from "../../components/platform.ts";

/** A platform with nothing but what is required. */
export const platform: PlatformArgs = { profile: "production", ingress: { clusterIssuer: "letsencrypt-prod" } };
