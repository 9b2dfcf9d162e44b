import type { CloudSuiteArgs } from "./components/cloudsuite/args.ts";
import type { PlatformArgs } from "./components/platform.ts";
import type { ConfigFile } from "./settings/config-schema.ts";
import type { StackSettings } from "./settings/stack-schema.ts";
import type { Stack, Suite } from "./settings/stack-settings.ts";

/** The settings of a stack in the words of the components: nothing is decided here. */

/** What every component of the stack shares. */
export function platformArgs(settings: StackSettings): PlatformArgs {
  const { profile, ingress, images, workload, workloads, secrets, privateCa, monitoring, allowDataLoss } = settings;
  return { profile, ingress, images, workload, workloads, secrets, privateCa, monitoring, allowDataLoss };
}

/** Arguments of one suite: its config.yaml, and what the stack says beside it. */
export function suiteArgs({ config, settings }: Suite, platform: PlatformArgs): CloudSuiteArgs {
  const { office, whiteboard, storage, ...rest } = config;
  return {
    ...rest,
    storage: { ...storage, webSize: settings.webSize },
    office: officeArgs(office, settings.officeEngine),
    whiteboard: whiteboard.enabled && whiteboard.resources ? { resources: whiteboard.resources } : undefined,
    platform,
    maintenance: settings.maintenance,
    database: settings.database,
    keystore: settings.keystore,
    existingBuckets: settings.existingBuckets,
  };
}

function officeArgs({ enabled, domain, resources }: ConfigFile["office"], engine: Suite["settings"]["officeEngine"]) {
  return enabled && domain !== undefined && resources ? { domain, resources, engine } : undefined;
}

/** The suites of the stack by their names. */
export function suites({ settings, suites }: Stack): { name: string; args: CloudSuiteArgs }[] {
  const platform = platformArgs(settings);
  return suites.map((suite) => ({ name: suite.settings.name, args: suiteArgs(suite, platform) }));
}
