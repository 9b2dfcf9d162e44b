import type { ResolvedForge } from "./defaults.ts";
import { runnerVersion } from "./versions.ts";

const registry = "registry.gitlab.com/gitlab-org/build/cng";
const runner = "docker.io/gitlab/gitlab-runner";
const runnerHelper = "registry.gitlab.com/gitlab-org/gitlab-runner/gitlab-runner-helper";

/** Where the forge's images come from without mirrors. */
export const forgeImageSources: readonly string[] = [registry, runner];

/** Images of the forge's parts, as their maker publishes them. */
export function images(args: ResolvedForge) {
  const { version, edition } = args;
  const withRails = (name: string) => `${registry}/gitlab-${name}-${edition}:v${version}`;
  return {
    webservice: withRails("webservice"),
    proxy: withRails("workhorse"),
    jobs: withRails("sidekiq"),
    toolbox: withRails("toolbox"),
    gitstore: `${registry}/gitaly:v${version}`,
    shell: `${registry}/gitlab-shell:v${args.shellVersion}`,
    pages: `${registry}/gitlab-pages:v${version}`,
    /** Makes the bundle of certificate authorities. */
    certificates: `${registry}/certificates:v${version}`,
    runner: `${runner}:alpine-v${runnerVersion(args)}`,
    /** Of each job's pod; of the architecture of the forge's images. (gitlab-org/gitlab-runner helpers/container/helperimage) */
    runnerHelper: `${runnerHelper}:x86_64-v${runnerVersion(args)}`,
  } as const;
}
