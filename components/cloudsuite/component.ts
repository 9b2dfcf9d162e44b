import { defineComponent } from "../core/component.ts";
import { secretName } from "../core/secrets.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../stores/connections-args.ts";
import { storeStages } from "../stores/set/own-stores.ts";
import { appParts } from "./apps/registry.ts";
import { cloudSuiteChanges } from "./changes.ts";
import { planApplication, planFoundation, suiteAlerts } from "./plan.ts";
import { cloudSuiteProblems } from "./rules.ts";
import type { ResolvedSuite } from "./schema.ts";
import { cloudSuite } from "./schema.ts";
import { administrator, administratorKeys } from "./secrets.ts";
import { ownStores, suiteDatabaseConnection, suiteKeystoreConnection, suiteObjectStoreConnection } from "./stores.ts";
import { suiteNames } from "./suite-names.ts";

/** Public URLs of a suite. */
export interface CloudSuiteEndpoints {
  /** The suite itself. */
  web: string;
  /** The office server; none without office. */
  office?: string;
  /** The whiteboard server; none without whiteboard. */
  whiteboard?: string;
}

/** How the suite reaches its stores. */
export interface CloudSuiteConnections {
  /** Its database. */
  database: DatabaseConnection;
  /** Its keystore. */
  keystore: KeystoreConnection;
  /** Its buckets. */
  objectStore: ObjectStoreConnection;
}

/** A collaboration suite (Nextcloud) in a namespace of its own, with its database, keystore, buckets, office and whiteboard. */
export const cloudSuiteComponent = defineComponent({
  name: "CloudSuite",
  schema: cloudSuite,
  rules: cloudSuiteProblems,
  changes: cloudSuiteChanges,
  alerts: suiteAlerts,
  stages: (args, given) => [
    [{ plan: planFoundation(args) }],
    ...storeStages(ownStores(given)),
    [{ plan: planApplication(args) }],
  ],
  outputs: (args, generated) => ({
    endpoints: endpoints(args),
    adminUser: adminUser(args),
    adminPassword: generated(suiteNames.administrator, administratorKeys.password),
    connections: {
      database: suiteDatabaseConnection(args),
      keystore: suiteKeystoreConnection(args),
      objectStore: suiteObjectStoreConnection(args),
    },
  }),
});

function adminUser({ platform: { secrets } }: ResolvedSuite): string | undefined {
  return secretName(secrets, suiteNames.administrator) === suiteNames.administrator ? administrator : undefined;
}

function endpoints(args: ResolvedSuite): CloudSuiteEndpoints {
  return {
    web: `https://${args.domain}`,
    ...Object.fromEntries(appParts(args).flatMap(({ app, url }) => (url === undefined ? [] : [[app.key, url]]))),
  };
}
