import { type ForgeArgs, ForgeEdition } from "./args.ts";
import { forgeVersion, runnerVersion, shellVersion } from "./versions.ts";

const registry = "registry.gitlab.com/gitlab-org/build/cng";

/** Images of the forge's parts, as their maker publishes them. */
export function images(args: ForgeArgs) {
  const version = forgeVersion(args);
  const edition = args.edition ?? ForgeEdition.enterprise;
  const withRails = (name: string) => `${registry}/gitlab-${name}-${edition}:v${version}`;
  return {
    webservice: withRails("webservice"),
    proxy: withRails("workhorse"),
    jobs: withRails("sidekiq"),
    toolbox: withRails("toolbox"),
    gitstore: `${registry}/gitaly:v${version}`,
    shell: `${registry}/gitlab-shell:v${shellVersion(args)}`,
    pages: `${registry}/gitlab-pages:v${version}`,
    /** Makes the bundle of certificate authorities. */
    certificates: `${registry}/certificates:v${version}`,
    runner: `docker.io/gitlab/gitlab-runner:alpine-v${runnerVersion(args)}`,
  } as const;
}
