import type { Resolved } from "../core/resolve.ts";
import { tellsCallers } from "../exposure/rendering.ts";
import type { ForgeArgs } from "./args.ts";
import type { forge } from "./schema.ts";
import { shellVersion } from "./versions.ts";

/** A forge's arguments with their defaults. */
export interface ResolvedForge extends ReturnType<typeof forgeDefaults> {}

/** Defaults that follow from other arguments. */
export function forgeDefaults(args: Resolved<typeof forge>) {
  const { domain, ssh, runner, administration, platform } = args;
  const { signOn } = administration;
  const smtp = administration.smtp ?? platform.mail;
  return {
    ...args,
    shellVersion: shellVersion(args),
    ssh: ssh && {
      ...ssh,
      domain: ssh.domain ?? domain,
      listenerPort: ssh.listenerPort ?? ssh.port,
      proxyProtocol: ssh.proxyProtocol ?? tellsCallers(platform.ingress),
    },
    runner: runner && { ...runner, jobNamespace: jobNamespace(args) },
    administration: {
      ...administration,
      smtp: smtp && { ...smtp, displayName: smtp.displayName ?? "Forge", replyTo: smtp.replyTo ?? smtp.from },
      signOn: {
        ...signOn,
        providers: signOn.providers.map((provider) => ({ ...provider, label: provider.label ?? provider.name })),
      },
    },
  };
}

/** Namespace the runner's jobs run in. */
export function jobNamespace({ namespace, runner }: Pick<ForgeArgs, "namespace" | "runner">): string {
  return runner?.jobNamespace ?? `${namespace}-jobs`;
}
