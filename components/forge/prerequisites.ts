import type { Recorded, RecordedPlatform } from "../core/data-safety/recorded.ts";
import { privateCa } from "../core/platform-schema.ts";
import { type Problem, warning } from "../core/problems.ts";
import { resolve } from "../core/resolve.ts";
import { createCommand, type SecretRequest, secretName } from "../core/secrets.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeNames } from "./forge-names.ts";
import { runnerTokenKey, secretRequests } from "./secrets.ts";

/** An object that pods of the forge read and nobody here makes. */
interface Prerequisite {
  /** Path of the argument that names it. */
  readonly path: string;
  readonly kind: "Secret" | "ConfigMap";
  readonly name: string;
  readonly keys: readonly string[];
}

/**
 * Tells of what has to be there before pods can start, where it is newly named: nothing else would, since pods wait for it in silence.
 * @param before the arguments so far; absent for a new forge
 */
export function prerequisiteProblems(before: Recorded<ForgeArgs> | undefined, now: Recorded<ForgeArgs>): Problem[] {
  const command = (each: Prerequisite) => createCommand({ ...each, namespace: now.namespace });
  const known = new Set((before ? prerequisites(before) : []).map(command));
  return prerequisites(now)
    .filter((each) => !known.has(command(each)))
    .map((each) =>
      warning(
        "awaited",
        each.path,
        `The ${each.kind} ${each.name} (${each.keys.length > 1 ? "keys" : "key"} ${each.keys.join(", ")}) is not part of the stack, and pods wait for it.`,
        `Create it as soon as namespace ${now.namespace} exists: \`${command(each)}\`.`,
      ),
    );
}

function prerequisites(args: Recorded<ForgeArgs>): Prerequisite[] {
  const { administration, platform, runner } = args;
  const { providers = [], ldap = [] } = administration?.signOn ?? {};
  const path = "administration.signOn";
  const referred = [
    administration?.smtp
      ? { path: "administration.smtp.password", secret: administration.smtp.password }
      : { path: "platform.mail.password", secret: platform.mail?.password },
    ...providers.map(({ provider }, index) => ({ path: `${path}.providers[${index}].provider`, secret: provider })),
    ...ldap.map(({ password }, index) => ({ path: `${path}.ldap[${index}].password`, secret: password })),
  ];
  const own = [
    ...secretRequests({ ...args, applications: args.applications ?? [] }).map(({ name, data }) => ({
      name,
      keys: keysRead(data),
    })),
    ...(runner ? [{ name: forgeNames.runnerToken, keys: [runnerTokenKey] }] : []),
  ];
  return [
    ...referred.flatMap(({ path: place, secret }) =>
      secret ? [{ path: place, kind: "Secret" as const, name: secret.name, keys: [secret.key] }] : [],
    ),
    ...own.flatMap(({ name, keys }) => {
      const existing = secretName(platform.secrets, name);
      if (existing === name) return [];
      return [{ path: `platform.secrets.existing.${name}`, kind: "Secret" as const, name: existing, keys }];
    }),
    ...(platform.privateCa?.secret ? [authority("Secret", "secret", platform.privateCa.secret, platform)] : []),
    ...(platform.privateCa ? [authority("ConfigMap", "configMap", platform.privateCa.configMap, platform)] : []),
  ];
}

function authority(
  kind: Prerequisite["kind"],
  argument: "configMap" | "secret",
  name: string,
  { privateCa: own }: RecordedPlatform,
): Prerequisite {
  const key = resolve(privateCa.shape.key, own?.key);
  return { path: `platform.privateCa.${argument}`, kind, name, keys: [key] };
}

/** The keys that pods read of a Secret: not those that its templates are made of, nor what is no secret. */
function keysRead(data: SecretRequest["data"]): string[] {
  const keys = Object.keys(data);
  const templates = keys.filter((key) => "template" in (data[key] ?? {}));
  return templates.length > 0 ? templates : keys.filter((key) => !("value" in (data[key] ?? {})));
}
