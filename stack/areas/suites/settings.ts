import { officeEngineSetting } from "@hearth-platform/hearth/cloudsuite/apps/office";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuite, cloudSuiteStorage } from "@hearth-platform/hearth/cloudsuite/schema";
import { block, count, list, optional, text, without } from "@hearth-platform/hearth/core/schema";
import { dnsLabel } from "@hearth-platform/hearth/core/value-rules";
import type { z } from "zod";
import { ConfigFile } from "./config-schema.ts";

/** Arguments that come from a suite's config.yaml or from the whole stack; all others are settings of the suite. */
const saidElsewhere = [...Object.keys(ConfigFile.shape), "platform", "objectStorage"] as (
  | keyof ConfigFile
  | "platform"
  | "objectStorage"
)[];

const suiteSettings = without(cloudSuite, ...saidElsewhere);

/** Arguments of a suite that are settings of the stack without a change. */
export type SuiteSettings = Pick<CloudSuiteArgs, keyof typeof suiteSettings>;

/** Those among the settings of a suite. */
export function suiteSettingsOf<Settings extends Partial<SuiteSettings>>(settings: Settings) {
  const own = Object.entries(settings).filter(([key]) => key in suiteSettings);
  return Object.fromEntries(own) as Pick<Settings, keyof SuiteSettings & keyof Settings>;
}

export const suite = block("Suite", "A collaboration suite.", {
  name: text("Name of the suite's resources in Pulumi's state and of its outputs. Never change it.", {
    examples: ["team"],
    rule: dnsLabel,
  }),
  config: text("The suite's config.yaml, relative to the project.", { examples: ["suites/team/config.yaml"] }),
  officeEngine: officeEngineSetting,
  users: optional(count("Number of users the suite is meant for. It is only used for advice on sizes."), "no advice"),
  files: optional(count("Number of files the suite is meant for. It is only used for advice on sizes."), "no advice"),
  webSize: cloudSuiteStorage.shape.webSize,
  dbClass: cloudSuiteStorage.shape.dbClass,
  keystoreClass: cloudSuiteStorage.shape.keystoreClass,
  ...suiteSettings,
});

export const suitesSettings = { cloudsuites: optional(list(suite, "The collaboration suites."), "none") };

/** The settings of one suite. */
export type CloudSuiteSettings = z.input<typeof suite>;
