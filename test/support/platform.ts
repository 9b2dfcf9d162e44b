import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";

/** A platform with nothing but what is required. */
export const platform: PlatformArgs = { profile: "production", ingress: { clusterIssuer: "letsencrypt-prod" } };
