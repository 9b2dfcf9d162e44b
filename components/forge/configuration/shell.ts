import { stringify } from "yaml";
import { type ForgeConfiguration, secretPath } from "../configuration.ts";
import { internalUrl } from "./addresses.ts";
import { forgeContainerPorts } from "./ports.ts";

/** Seconds open sessions get when the shell stops; the pod's grace period has to be longer. */
export const shellShutdownSeconds = 55;

/**
 * `config.yml` of gitlab-sshd. It names the host keys' files one by one: the image's own search doesn't follow the links that a mounted
 * Secret consists of, and without keys the server would make new ones at each start. The program allows 10 sessions on a connection, the chart
 * 100. Not taken from the chart: `client_alive_interval: 0`, since the program's 15 s keep a long push alive through load balancers.
 * (gitlab-org/charts charts/gitlab/charts/gitlab-shell/{values.yaml,templates/configmap.yml})
 */
export function shellConfiguration({ namespace, ssh, clientAddress }: ForgeConfiguration): string {
  return stringify({
    user: "git",
    gitlab_url: `${internalUrl(namespace)}/`,
    secret_file: secretPath("shell", "shellSecret"),
    log_file: "/dev/stdout",
    log_format: "json",
    sshd: {
      listen: `[::]:${forgeContainerPorts.shell}`,
      web_listen: `0.0.0.0:${forgeContainerPorts.shellHealth}`,
      proxy_protocol: clientAddress,
      proxy_policy: "use",
      concurrent_sessions_limit: ssh?.sessionsPerConnection ?? 100,
      grace_period: shellShutdownSeconds,
      login_grace_time: 60,
      host_key_files: (["hostKeyRsa", "hostKeyEcdsa", "hostKeyEd25519"] as const).map((file) =>
        secretPath("shell", file),
      ),
    },
    lfs: { pure_ssh_protocol: false },
    pat: { enabled: true, allowed_scopes: [] },
  });
}
