import { databaseNames, names } from "@hearth-platform/hearth/catalogue/names";
import { appSecrets } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import { type Rule, wholeParts } from "@hearth-platform/hearth/core/arguments";
import { formatPath } from "@hearth-platform/hearth/core/paths";
import { error, type Problem, shown, warning } from "@hearth-platform/hearth/core/problems";
import { suggest } from "@hearth-platform/hearth/core/suggest";
import { applicationNames, forgeNames, forgeSecrets } from "@hearth-platform/hearth/forge/forge-names";
import { hubNames, hubSecrets, robotSecret } from "@hearth-platform/hearth/hub/hub-names";
import { webhookNames } from "@hearth-platform/hearth/site-webhook/webhook-names";
import { keystorePassword } from "@hearth-platform/hearth/stores/keystore/plan";
import { sharedNames } from "@hearth-platform/hearth/stores/shared/names";
import { StackSettings } from "../settings/stack-schema.ts";
import { hubApplication } from "./hub/settings.ts";

type Settings = Pick<StackSettings, "secrets" | "hub">;

/** Passwords that a program reads at its installation, and never again. */
const firstPasswords: readonly string[] = [forgeNames.administrator, hubNames.administrator, suiteNames.administrator];

/** Secrets that are made once and never anew: what they encrypt could not be read, or nobody would read the new value. */
const constant: readonly string[] = [forgeNames.railsSecrets, hubNames.encryptionKey, ...firstPasswords];

/** Names in `secrets.existing` and `secrets.revisions` that are no Secret's, and revisions that come to nothing. */
export const secretRule: Rule = (values) => {
  const settings = wholeParts(StackSettings, values, ["secrets", "hub"]);
  if (!settings) return [];
  const { existing = {}, revisions = {} } = settings.secrets ?? {};
  const own = platformSecrets(settings);
  const all = [...own, ...Object.values(existing), ...referredSecrets(values)];
  return [
    ...Object.keys(existing).flatMap((name) => unknown("existing", name, own)),
    ...Object.keys(revisions).flatMap((name) => unknown("revisions", name, all)),
    ...Object.entries(revisions).flatMap(([name, revision]) => withoutEffect(settings, name, revision)),
  ];
};

/** Secrets that the platform makes or syncs, by its own names. */
function platformSecrets({ hub }: Settings): string[] {
  return [
    sharedNames.objectStoreCredentials,
    databaseNames(sharedNames.database).credentials,
    keystorePassword,
    ...forgeSecrets,
    applicationNames(hubApplication).secret,
    ...hubSecrets,
    ...(hub?.robots ?? []).map(({ name }) => robotSecret(name)),
    names.cloudsuite.objectStoreCredentials,
    databaseNames(names.cloudsuite.database).credentials,
    suiteNames.administrator,
    ...appSecrets,
    webhookNames.secret,
  ];
}

/** Secrets that settings refer to: each reference is a `name` with a `key`. */
function referredSecrets(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { name, key } = value as Record<string, unknown>;
  if (typeof name === "string" && typeof key === "string") return [name];
  return Object.values(value).flatMap(referredSecrets);
}

function unknown(list: "existing" | "revisions", name: string, known: readonly string[]): Problem[] {
  if (known.includes(name)) return [];
  const likely = suggest(name, known);
  const remedy = likely ? `Did you mean ${likely}?` : `There are ${[...new Set(known)].sort().join(", ")}.`;
  return [
    error("unknown-secret", formatPath(["secrets", list, name]), `The platform has no Secret ${shown(name)}.`, remedy),
  ];
}

function withoutEffect({ secrets }: Settings, name: string, revision: number): Problem[] {
  const outside = (secrets?.store && !secrets.generate) || secrets?.existing?.[name] !== undefined;
  const [which, remedy] = outside
    ? [firstPasswords, "Remove it, and change the password in the program."]
    : [constant, "Remove it."];
  if (!revision || !which.includes(name)) return [];
  const reason = outside ? "is read at installation only" : "is made once and never anew";
  return [
    warning(
      "constant-secret",
      formatPath(["secrets", "revisions", name]),
      `${name} ${reason}, so this only restarts the pods that read it.`,
      remedy,
    ),
  ];
}
