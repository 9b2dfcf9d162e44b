import { names, serviceHost } from "@hearth-platform/hearth/catalogue/names";
import { ports } from "@hearth-platform/hearth/catalogue/ports";
import { pushApp } from "@hearth-platform/hearth/cloudsuite/apps/push";
import { servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import type { Problem } from "@hearth-platform/hearth/core/problems";
import { majorVersion } from "@hearth-platform/hearth/stores/database/value-rules";
import { type LocatedProblem, located } from "../../settings/located.ts";
import { readBounded } from "../../settings/read-file.ts";
import { type Claim, takenProblems } from "../claims.ts";
import { type CheckedConfig, type ConfigContext, checkConfigFile } from "./config-file.ts";
import { ConfigFile } from "./config-schema.ts";
import { type CloudSuiteSettings, type SuiteSettings, suiteSettingsOf } from "./settings.ts";

/** A suite's config.yaml. */
export interface SuiteFile {
  /** Path of it as the stack names it. */
  readonly file: string;
  /** Absent where it can't be read. */
  readonly checked?: CheckedConfig;
  /** The problem of the setting that names the file. */
  readonly unreadable?: Problem;
}

/** Reads and judges the file that a suite's settings name. @param path of the setting that names it */
export function readSuiteFile(
  project: string,
  known: Partial<CloudSuiteSettings>,
  path: string,
  context: Omit<ConfigContext, "settings">,
): SuiteFile {
  const { config: file } = known;
  if (file === undefined) return { file: "" };
  const content = readBounded(project, file, path, "Paths are relative to the folder of Pulumi.yaml.");
  if (!(content instanceof Uint8Array)) return { file, unreadable: content };
  return { file, checked: checkConfigFile(file, content, { ...known, settings: suiteSettingsOf(known), ...context }) };
}

/**
 * Everything wrong with the files, each with its place.
 * @param settings of each suite, as far as they have their types
 * @param claimed names that areas of the stack claim, with where they say so
 */
export function suiteFileProblems(
  files: readonly SuiteFile[],
  settings: readonly Partial<CloudSuiteSettings>[],
  claimed: readonly (Claim & { readonly where: string })[],
): LocatedProblem[] {
  const claims = files.map(({ checked }, index) =>
    claimsOf({ ...suiteSettingsOf(settings[index] ?? {}), ...checked?.known }),
  );
  return files.flatMap(({ checked }, index) => {
    if (!checked?.yaml) return checked?.problems ?? [];
    const others = claims
      .slice(0, index)
      .flatMap((earlier, at) => earlier.map((claim) => ({ ...claim, where: `of ${files[at]?.file}` })));
    const shared = takenProblems(claims[index] ?? [], [...claimed, ...others]);
    const refused = settings[index]?.database ? [] : operated(checked.known);
    return [...checked.problems, ...located([...shared, ...refused], checked.yaml)];
  });
}

/** What the operator refuses of a suite's file whose database it is to run; the file alone is only warned of. */
function operated({ versions }: Partial<ConfigFile>): Problem[] {
  return majorVersion("versions.db", versions?.db).filter(({ code }) => code === "database-major-refused");
}

/** What is known of a suite, with the arguments that stand in the stack's settings. */
type KnownSuite = Partial<ConfigFile & SuiteSettings>;

/** Names that no two suites may share. */
function claimsOf(suite: KnownSuite): Claim[] {
  const { namespace, domain, s3 } = suite;
  return [
    { path: "namespace", kind: "namespace", value: namespace },
    { path: "domain", kind: "host", value: domain },
    ...servedApps.map(({ key }): Claim => ({ path: `${key}.domain`, kind: "host", value: appHost(suite, key) })),
    { path: "keystore", kind: "keystore with push", value: pushKeystore(suite) },
    { path: "s3.buckets.data", kind: "bucket", value: s3?.buckets?.data },
    { path: "s3.buckets.backups", kind: "bucket", value: s3?.buckets?.backups },
  ];
}

/** The host that an app which is on has of its own: config.yaml says so of those that it knows. */
function appHost(suite: KnownSuite, key: string): string | undefined {
  const app = (suite as Readonly<Record<string, { enabled?: boolean; domain?: string } | undefined>>)[key];
  return (app?.enabled ?? !(key in ConfigFile.shape)) ? app?.domain : undefined;
}

/** The keystore in which a suite tells its push server what changes: all suites say so on the same channels, whatever the database's number. */
function pushKeystore({ push, apps, keystore, namespace = "" }: KnownSuite): string | undefined {
  if (!push?.enabled && apps?.[pushApp] === undefined) return undefined;
  const { host, port } = keystore ?? { host: names.keystore, port: ports.keystore };
  const whole = host.includes(".") ? host : serviceHost(host, namespace);
  return `${whole.replace(/\.svc\..*$/, ".svc")}:${port}`;
}
