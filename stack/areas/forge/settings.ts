import { resolve } from "@hearth-platform/hearth/core/resolve";
import { block, optional, without } from "@hearth-platform/hearth/core/schema";
import { hostName } from "@hearth-platform/hearth/core/value-rules";
import { forge as forgeArgs, forgePages, forgeRunner } from "@hearth-platform/hearth/forge/schema";
import { sharedNamespace } from "@hearth-platform/hearth/stores/shared/names";
import { storesDatabase } from "@hearth-platform/hearth/stores/shared/schema";
import type { StackSettings } from "../../settings/stack-schema.ts";

export const forgeSettings = {
  forge: optional(
    block("Forge", "The code-hosting platform.", {
      domain: optional(forgeArgs.shape.domain, "`forge.` before the stack's domain"),
      ...without(
        forgeArgs,
        ...(["namespace", "domain", "databaseVersion", "database", "keystore", "objectStore"] as const),
        ...(["bucketSuffix", "applications", "platform"] as const),
      ),
      pages: optional(
        block("ForgePages", "Static sites; they need `ingress.wildcardClusterIssuer`.", {
          ...forgePages.shape,
          domain: optional(forgePages.shape.domain, "`pages.` before the stack's domain"),
        }),
        "none",
      ),
      runner: optional(
        block("ForgeRunner", "Runner of CI jobs, with one pod for each job.", forgeRunner.shape),
        "none",
      ),
    }),
    "none",
  ),
};

/** The settings that a forge's arguments come from. */
export const forgeSources = [
  "namespace",
  "domain",
  "ingress",
  "profile",
  "database",
  "objectStorage",
  "forge",
] as const;

/** A host below the stack's domain; none where that is no domain. */
export function hostBelow(domain: string | undefined, name: string): string | undefined {
  return domain === undefined || hostName("", domain).length > 0 ? undefined : `${name}.${domain}`;
}

/** The forge's arguments as the settings say them, but for its stores: hosts below the stack's domain, what is shared from where it stands. */
export function knownForge(
  settings: Pick<StackSettings, (typeof forgeSources)[number]>,
  { domain, pages, ...forge }: NonNullable<StackSettings["forge"]>,
) {
  const { objectStorage, database, ingress, profile } = settings;
  const sites = pages && (pages.domain ?? hostBelow(settings.domain, "pages"));
  return {
    ...forge,
    namespace: settings.namespace ?? sharedNamespace,
    domain: domain ?? hostBelow(settings.domain, "forge"),
    ...(sites !== undefined && { pages: { ...pages, domain: sites } }),
    databaseVersion: resolve(storesDatabase.shape.version, database?.version),
    bucketSuffix: objectStorage?.bucketSuffix,
    platform: { ingress, profile },
  };
}
