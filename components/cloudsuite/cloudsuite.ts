import * as pulumi from "@pulumi/pulumi";
import { widened } from "../catalogue/widening.ts";
import { checkArguments } from "../core/arguments.ts";
import { createPlan, generatedValue } from "../core/create.ts";
import { keptFromDestroy, protectedNames } from "../core/destroy-guard.ts";
import { guarded, requireValid } from "../core/guard.ts";
import { joinPlans } from "../core/plan.ts";
import { recorded } from "../core/recorded.ts";
import { secretName } from "../core/secrets.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../stores/connections-args.ts";
import { createStores } from "../stores/set/create-stores.ts";
import { appParts } from "./apps/registry.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { cloudSuiteChanges } from "./changes.ts";
import { planCloudSuite } from "./plan.ts";
import { cloudSuiteProblems } from "./rules.ts";
import { cloudSuite } from "./schema.ts";
import { administrator, administratorKeys } from "./secrets.ts";
import { databaseConnection, keystoreConnection, objectStoreConnection } from "./stores.ts";
import { suiteNames } from "./suite-names.ts";

const type = "hearth:index:CloudSuite";

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

/**
 * A collaboration suite (Nextcloud) in a namespace of its own, with its database, keystore, buckets, office and whiteboard.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class CloudSuite extends pulumi.ComponentResource {
  /** Public URLs. */
  public readonly endpoints: CloudSuiteEndpoints;
  /** Name the administrator signs in with at first; none where its Secret exists already. */
  public readonly adminUser?: string;
  /** Password the administrator signs in with at first, secret; none where its Secret comes from a store or exists already. */
  public readonly adminPassword?: pulumi.Output<string>;
  /** How the suite reaches its stores. */
  public readonly connections: CloudSuiteConnections;

  constructor(name: string, args: CloudSuiteArgs, opts?: pulumi.ComponentResourceOptions) {
    requireValid(name, widened(checkArguments(cloudSuite, args, cloudSuiteProblems), args, args.platform?.limits));
    const plan = planCloudSuite(args);
    const { allowDataLoss } = args.platform;
    const kept = protectedNames(joinPlans(plan.foundation, plan.application), allowDataLoss);
    super(type, name, recorded(args), keptFromDestroy(kept, guarded(type, name, cloudSuiteChanges, opts)));

    const foundation = createPlan(this, name, plan.foundation, { allowDataLoss, dependsOn: opts?.dependsOn });
    const stores = createStores(this, name, plan, [...foundation.values()]);
    createPlan(this, name, plan.application, { allowDataLoss, dependsOn: [...foundation.values(), ...stores] });

    this.endpoints = endpoints(args);
    const { secrets } = args.platform;
    this.adminUser =
      secretName(secrets, suiteNames.administrator) === suiteNames.administrator ? administrator : undefined;
    this.adminPassword = generatedValue(foundation, suiteNames.administrator, administratorKeys.password);
    this.connections = {
      database: databaseConnection(args),
      keystore: keystoreConnection(args),
      objectStore: objectStoreConnection(args),
    };
    this.registerOutputs({
      endpoints: this.endpoints,
      adminUser: this.adminUser,
      adminPassword: this.adminPassword,
      connections: this.connections,
    });
  }
}

function endpoints(args: CloudSuiteArgs): CloudSuiteEndpoints {
  return {
    web: `https://${args.domain}`,
    ...Object.fromEntries(appParts(args).map(({ app, url }) => [app.key, url])),
  };
}
