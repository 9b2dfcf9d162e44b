import type { DataNeed } from "@hearth-platform/stack/live/preflight/data-needs";
import { settingsPrefix } from "@hearth-platform/stack/settings/setting-names";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { stringify } from "yaml";
import type { KeptDatabase } from "./contents.ts";

/** The databases that have backups, with their archives. @param present cluster of each */
export function keptDatabases(
  present: readonly { readonly namespace: string; readonly cluster: string }[],
  needs: readonly DataNeed[],
): KeptDatabase[] {
  return present.map(({ namespace, cluster }) => {
    const archive = needs.find((need) => need.namespace === namespace && need.name === cluster)?.archive;
    return {
      ...{ namespace, cluster },
      archive: archive && { endpoint: archive.endpoint, bucket: archive.bucket, folder: archive.folder },
    };
  });
}

/**
 * Settings with which a new cluster recovers the databases from their archives, under names that the day makes new.
 * @param made when, as RFC 3339
 */
export function recoverLines(stack: Stack, databases: readonly KeptDatabase[], made: string): string {
  const suffix = `r${made.slice(0, 10).replaceAll("-", "")}`;
  const archived = databases.filter(({ archive }) => archive);
  const recoverOf = ({ cluster: source }: KeptDatabase) => ({ suffix, source, keepSource: false });
  const suites = stack.suites.flatMap(({ file, config: { namespace }, settings: { name } }) =>
    archived
      .filter((each) => each.namespace === namespace)
      .map((each) => ({ name, config: file, recover: recoverOf(each) })),
  );
  const [shared] = archived.filter(({ namespace }) =>
    stack.suites.every(({ config }) => config.namespace !== namespace),
  );
  const lines = {
    ...(shared && { [`${settingsPrefix}database`]: { recover: recoverOf(shared) } }),
    ...(suites.length > 0 && { [`${settingsPrefix}cloudsuites`]: suites }),
  };
  if (Object.keys(lines).length === 0) return "# The stack has no database with an archive.\n";
  return [
    "# Add the `recover` blocks to the stack's settings before the first `pulumi up` in a new cluster, and keep them.",
    "# If you have recovered under this suffix before, choose another one.",
    stringify({ config: lines }),
  ].join("\n");
}
