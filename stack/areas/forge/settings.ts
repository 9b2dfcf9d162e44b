import { resolve } from "@hearth-platform/hearth/core/resolve";
import { as, block, filled, optional, without } from "@hearth-platform/hearth/core/schema";
import { hostName } from "@hearth-platform/hearth/core/value-rules";
import { forge as forgeArgs, forgeBackup, forgePages, forgeRunner } from "@hearth-platform/hearth/forge/schema";
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
      backup: filled(
        as(
          block("ForgeBackup", "Scheduled backups of the forge: an archive, and the repositories with it.", {
            ...forgeBackup.shape,
            objects: optional(
              forgeBackup.shape.objects.unwrap(),
              "`true`; `false` with `hearth:copies`, which keeps a second copy of their buckets",
            ),
          }),
          "Scheduled backups.",
        ),
        "every night at 1; the last 7 are kept",
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
  "copies",
  "forge",
] as const;

/** A host below the stack's domain; none where that is no domain. */
export function hostBelow(domain: string | undefined, name: string): string | undefined {
  return domain === undefined || hostName("", domain).length > 0 ? undefined : `${name}.${domain}`;
}

/** The forge's arguments as the settings say them, but for its stores: hosts below the stack's domain, what is shared from where it stands. */
export function knownForge(
  settings: Pick<StackSettings, (typeof forgeSources)[number]>,
  { backup, domain, pages, ...forge }: NonNullable<StackSettings["forge"]>,
) {
  const { copies, objectStorage, database, ingress, profile } = settings;
  const sites = pages && (pages.domain ?? hostBelow(settings.domain, "pages"));
  return {
    ...forge,
    namespace: settings.namespace ?? sharedNamespace,
    domain: domain ?? hostBelow(settings.domain, "forge"),
    // Without copies what the settings say: no update of a component for its default.
    ...(copies ? { backup: { ...backup, objects: backup?.objects ?? false } } : backup && { backup }),
    ...(sites !== undefined && { pages: { ...pages, domain: sites } }),
    databaseVersion: resolve(storesDatabase.shape.version, database?.version),
    bucketSuffix: objectStorage?.bucketSuffix,
    platform: { ingress, profile },
  };
}
