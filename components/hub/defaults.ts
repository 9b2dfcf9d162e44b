import type { Resolved } from "../core/resolve.ts";
import type { hub } from "./schema.ts";

/** A hub's arguments with their defaults. */
export interface ResolvedHub extends ReturnType<typeof hubDefaults> {}

/** Defaults that follow from other arguments. */
export function hubDefaults(args: Resolved<typeof hub>) {
  const { signOn, projects, storageQuota } = args;
  return {
    ...args,
    signOn: signOn && { ...signOn, name: signOn.name ?? new URL(signOn.issuer).host },
    projects: projects.map((project) => ({ ...project, storageQuota: project.storageQuota ?? storageQuota })),
  };
}

/** Scopes requested from a forge. It always issues a refresh token and has no scope for one. */
export const forgeScopes: readonly string[] = ["openid", "profile", "email"];
