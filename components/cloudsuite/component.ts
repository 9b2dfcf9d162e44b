import { defineComponent, type OutputsOf } from "../core/component.ts";
import { secretName } from "../core/secrets.ts";
import { storeStages } from "../stores/set/own-stores.ts";
import { appParts } from "./apps/registry.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { cloudSuiteChanges } from "./changes.ts";
import type { CloudSuite, CloudSuiteEndpoints } from "./cloudsuite.ts";
import { planApplication, planFoundation } from "./plan.ts";
import { cloudSuiteProblems } from "./rules.ts";
import { cloudSuite } from "./schema.ts";
import { administrator, administratorKeys } from "./secrets.ts";
import { databaseConnection, keystoreConnection, objectStoreConnection, ownStores } from "./stores.ts";
import { suiteNames } from "./suite-names.ts";

/** A collaboration suite (Nextcloud) in a namespace of its own, with its database, keystore, buckets, office and whiteboard. */
export const cloudSuiteComponent = defineComponent({
  name: "CloudSuite",
  schema: cloudSuite,
  rules: cloudSuiteProblems,
  changes: cloudSuiteChanges,
  stages: (args: CloudSuiteArgs) => [
    [{ plan: planFoundation(args) }],
    ...storeStages(ownStores(args)),
    [{ plan: planApplication(args) }],
  ],
  outputs: (args, generated): OutputsOf<CloudSuite> => ({
    endpoints: endpoints(args),
    adminUser: adminUser(args),
    adminPassword: generated(suiteNames.administrator, administratorKeys.password),
    connections: {
      database: databaseConnection(args),
      keystore: keystoreConnection(args),
      objectStore: objectStoreConnection(args),
    },
  }),
});

function adminUser({ platform: { secrets } }: CloudSuiteArgs): string | undefined {
  return secretName(secrets, suiteNames.administrator) === suiteNames.administrator ? administrator : undefined;
}

function endpoints(args: CloudSuiteArgs): CloudSuiteEndpoints {
  return {
    web: `https://${args.domain}`,
    ...Object.fromEntries(appParts(args).map(({ app, url }) => [app.key, url])),
  };
}
