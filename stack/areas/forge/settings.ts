import { hostName } from "@hearth-platform/hearth/core/value-rules";
import { defaultNamespace } from "@hearth-platform/hearth/stores/shared/names";
import { defaultDatabaseVersion } from "@hearth-platform/hearth/stores/shared/plan";
import type { StackSettings } from "../../settings/stack-schema.ts";

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
    namespace: settings.namespace ?? defaultNamespace,
    domain: domain ?? hostBelow(settings.domain, "forge"),
    ...(sites !== undefined && { pages: { ...pages, domain: sites } }),
    databaseVersion: database?.version ?? defaultDatabaseVersion,
    bucketSuffix: objectStorage?.bucketSuffix,
    platform: { ingress, profile },
  };
}
