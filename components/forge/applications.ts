import type { PlannedObject } from "../core/plan.ts";
import type { SecretKey } from "../core/secret-key-args.ts";
import { secretName } from "../core/secrets.ts";
import type { ForgeArgs } from "./args.ts";
import { applicationEnvironment, applicationPath, scriptNames } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { applicationNames } from "./forge-names.ts";
import { railsJob } from "./rails-job.ts";
import { applicationKeys } from "./secrets.ts";

/** How an application signs on with the forge. */
export interface ForgeApplicationConnection {
  /** The forge as it names itself in tokens: its public URL. */
  issuer: string;
  /** Where the client's id is, in the forge's namespace. */
  clientId: SecretKey;
  /** Where the client's secret is, in the forge's namespace. */
  clientSecret: SecretKey;
}

/**
 * A Job for each application that signs on with the forge, which registers it. A raised revision of the application's Secret runs it again, as
 * is needed after a restore.
 */
export function applicationObjects(args: ResolvedForge, migrated: string): PlannedObject[] {
  return args.applications.map((application) => ({ object: job(args, application), after: [migrated] }));
}

/** How the application `name` signs on with the forge: known before the forge is made. */
export function applicationConnection(
  { domain, platform }: Pick<ForgeArgs, "domain" | "platform">,
  name: string,
): ForgeApplicationConnection {
  const secret = secretName(platform.secrets, applicationNames(name).secret);
  return {
    issuer: `https://${domain}`,
    clientId: { name: secret, key: applicationKeys.id },
    clientSecret: { name: secret, key: applicationKeys.secret },
  };
}

function job(args: ResolvedForge, application: ResolvedForge["applications"][number]) {
  const { job: name, secret } = applicationNames(application.name);
  return railsJob(args, {
    name,
    script: scriptNames.registerApplication,
    environment: [
      { name: applicationEnvironment.name, value: application.name },
      { name: applicationEnvironment.redirectUri, value: application.redirectUri },
      {
        name: applicationEnvironment.scopes,
        value: application.scopes.join(" "),
      },
    ],
    secrets: [secret],
    mount: {
      path: applicationPath,
      source: { secret: { secretName: secretName(args.platform.secrets, secret), defaultMode: 0o440 } },
    },
  });
}
