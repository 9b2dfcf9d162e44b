import type { Known } from "@hearth-platform/hearth/core/known";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { defaultNamespace } from "@hearth-platform/hearth/stores/shared/names";
import { defaultDatabaseVersion } from "@hearth-platform/hearth/stores/shared/plan";
import type { StackSettings } from "./stack-schema.ts";

type Settings = Known<StackSettings>;

/** The forge's arguments as far as the settings say them: hosts below the stack's domain, what is shared from where it stands. */
export function knownForge(
  settings: Settings,
  { domain, pages, ...forge }: NonNullable<Settings["forge"]>,
): Known<ForgeArgs> {
  const { objectStorage, database, ingress, profile } = settings;
  const below = (name: string) => settings.domain && `${name}.${settings.domain}`;
  return {
    ...forge,
    namespace: settings.namespace ?? defaultNamespace,
    domain: domain ?? below("forge"),
    ...(pages && { pages: { ...pages, domain: pages.domain ?? below("pages") } }),
    databaseVersion: database?.version ?? defaultDatabaseVersion,
    objectStore: { endpoint: objectStorage?.endpoint, region: objectStorage?.region },
    bucketSuffix: objectStorage?.bucketSuffix,
    platform: { ingress, profile },
  };
}
