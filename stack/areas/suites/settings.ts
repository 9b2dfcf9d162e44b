import { officeEngineSetting } from "@hearth-platform/hearth/cloudsuite/apps/office";
import { cloudSuiteSignOn } from "@hearth-platform/hearth/cloudsuite/apps/sign-on";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuite, cloudSuiteStorage } from "@hearth-platform/hearth/cloudsuite/schema";
import { block, count, list, oneOf, optional, text, without } from "@hearth-platform/hearth/core/schema";
import { dnsLabel } from "@hearth-platform/hearth/core/value-rules";
import type { z } from "zod";
import { ConfigFile } from "./config-schema.ts";

/** Arguments that come from a suite's config.yaml or from the whole stack; all others are settings of the suite. */
const saidElsewhere = [...Object.keys(ConfigFile.shape), "platform", "objectStorage", "signOn"] as (
  | keyof ConfigFile
  | "platform"
  | "objectStorage"
  | "signOn"
)[];

const suiteSettings = without(cloudSuite, ...saidElsewhere);

/** Arguments of a suite that are settings of the stack without a change. */
export type SuiteSettings = Pick<CloudSuiteArgs, keyof typeof suiteSettings>;

/** Those among the settings of a suite. */
export function suiteSettingsOf<Settings extends Partial<SuiteSettings>>(settings: Settings) {
  const own = Object.entries(settings).filter(([key]) => key in suiteSettings);
  return Object.fromEntries(own) as Pick<Settings, keyof SuiteSettings & keyof Settings>;
}

/** With what the users of a suite sign on. */
export const SuiteSignOnSource = { forge: "forge", provider: "provider" } as const;

const ofForge = ["identifier", "issuer", "clientId", "clientSecret", "groupsClaim", "application"] as const;
const { identifier, issuer, clientId, clientSecret, groupsClaim } = cloudSuiteSignOn.shape;

const signOn = block(
  "SuiteSignOn",
  "Sign-on of a suite's users. Its administrator keeps a password, at `/login?direct=1`.",
  {
    with: oneOf(["forge", "provider"], "The stack's forge, or another OpenID Connect provider."),
    ...without(cloudSuiteSignOn, ...ofForge),
    identifier: optional(identifier.unwrap(), "`forge` with the forge, else `provider`"),
    issuer: optional(issuer, "the forge; needed with `provider`"),
    clientId: optional(clientId.unwrap(), "the forge's; needed with `provider`"),
    clientSecret: optional(clientSecret.unwrap(), "the forge's; needed with `provider`"),
    groupsClaim: optional(groupsClaim.unwrap(), "`groups_direct` with the forge, else `groups`"),
  },
);

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
  signOn: optional(signOn, "none: accounts in the suite, which its administrator makes"),
});

export const suitesSettings = { cloudsuites: optional(list(suite, "The collaboration suites."), "none") };

/** The settings of one suite. */
export type CloudSuiteSettings = z.input<typeof suite>;

/** Whether the suite's users sign on with the stack's forge. */
export function suiteSignsOnWithForge({ signOn }: Pick<CloudSuiteSettings, "signOn">): boolean {
  return signOn?.with === SuiteSignOnSource.forge;
}

/** Name of a suite among the forge's applications. */
export const suiteApplication = ({ name }: Pick<CloudSuiteSettings, "name">) => `suite-${name}`;

/** Where the forge sends users of the suite at `domain` back to. (nextcloud/user_oidc appinfo/routes.php) */
export const suiteCallback = (domain: string) => `https://${domain}/apps/user_oidc/code`;
