import { type StackFiles, smallStack, wholePlatform, withConfig, withSettings } from "../../support/stack-files.ts";

/** A stack that is brought up from nothing and then changed, so that objects are made, updated, replaced and deleted. */
export interface Platform {
  readonly made: StackFiles;
  readonly changed: StackFiles;
}

const suite = "suites/team/config.yaml";

/** Its database is recovered beside the old one and gets another pooler; the office engine goes; a disk grows. */
const changedSuite = (files: StackFiles) =>
  withSettings(withConfig(files, suite, { "storage.keystoreSize": "6Gi", "office.enabled": false }), {
    "cloudsuites[0].recover": { targetTime: "2026-11-20 08:30:00", suffix: "r1" },
  });

/** One suite. */
export function smallPlatform(): Platform {
  const { settings, suites } = smallStack();
  const { siteWebhook: _, ...rest } = settings;
  const [team] = settings.cloudsuites as readonly object[];
  const made = { settings: { ...rest, cloudsuites: [team] }, suites: { [suite]: suites[suite] } };
  return { made, changed: changedSuite(made) };
}

/** Every area: the webhook moves to another namespace, the runner's jobs do, and the hub gets another version. */
export function largePlatform(): Platform {
  const made = wholePlatform();
  const changed = withSettings(changedSuite(made), {
    "siteWebhook.namespace": "hooks",
    "forge.runner.jobNamespace": "ci-jobs",
    "hub.version": "2.15.3",
  });
  return { made, changed };
}
