import type { EnvVar } from "kubernetes-types/core/v1.d.ts";
import type { z } from "zod";
import type { Rule } from "../../core/arguments.ts";
import type { PlannedObject } from "../../core/plan.ts";
import type { SecretKey } from "../../core/secret-key-args.ts";
import type { SecretRequest } from "../../core/secrets.ts";
import type { ExposedHost, ExposureRule } from "../../exposure/exposure.ts";
import type { Edge } from "../../kubernetes/network-policies.ts";
import type { PodExceptionName } from "../../kubernetes/pod-exceptions.ts";
import type { ResolvedSuite } from "../schema.ts";

/** Settings of one of Nextcloud's apps by key; `${NAME}` stands for an environment variable of the configuration Job. */
export type AppSettings = Readonly<Record<string, string>>;

/** An enabled app's contributions to its suite. */
export interface AppParts {
  /** Its workload and its Service, and whatever else it makes. */
  readonly objects: readonly PlannedObject[];
  readonly secrets: readonly SecretRequest[];
  /** A public host of its own; its certificate is made beside it. */
  readonly host?: ExposedHost;
  /** Ways to it on the suite's host. @default none */
  readonly rules?: readonly ExposureRule[];
  /** Settings of those of Nextcloud's apps that it turns on. */
  readonly settings: Readonly<Record<string, AppSettings>>;
  /** Environment variables of the configuration Job, from Secrets; the settings refer to them. @default none */
  readonly variables?: Readonly<Record<string, SecretKey>>;
  /** Further variables of it. @default none */
  readonly environment?: Readonly<Record<string, string>>;
  /** Secrets of other components whose values its own has: a raised revision of them runs the configuration Job again. @default none */
  readonly copied?: readonly string[];
  /** Where browsers find it. @default none */
  readonly url?: string;
  /** Its server connects to the suite's database and keystore. @default false */
  readonly usesStores?: boolean;
  /** Environment variables of every pod that runs Nextcloud. @default none */
  readonly suiteEnvironment?: readonly EnvVar[];
  /** Secrets that these are read from, by the platform's names. @default none */
  readonly suiteSecrets?: readonly string[];
  /** Files of Nextcloud's configuration directory by name. @default none */
  readonly suiteFiles?: Readonly<Record<string, string>>;
  /** Its connections, for network policies; its own name is its workload's. @default none */
  readonly edges?: readonly Edge[];
}

/** The pods that run Nextcloud, in edges: those that serve, the background jobs, the Job that configures. */
export const nextcloud = "nextcloud";

/** How a pod calls the suite by its public host, which may lead out of the cluster and back. */
export function publicHostEdges(from: string, reason: string): Edge[] {
  return [
    { from, to: "ingress", reason },
    { from, to: "outside", ports: [443], reason: `${reason} Where that host leads out of the cluster and back.` },
  ];
}

/** A program beside the suite that one of Nextcloud's apps works with. */
export interface AppServer {
  /** Name of its Deployment, its Service and its container. */
  readonly workload: string;
  /** Repositories of its images, as their makers publish them. */
  readonly repositories: readonly string[];
  /** Path of its version in the suite's arguments. */
  readonly version: readonly string[];
  /** Ways in which its pod may leave the restricted profile. @default none */
  readonly exceptions?: readonly PodExceptionName[];
}

/** What a suite offers by apps of Nextcloud's: all that is known of it. `registry.ts` lists them. */
export interface SuiteApp {
  /** Name of its arguments among those of the suite. */
  readonly key: string;
  /** Its name in policies and messages. */
  readonly title: string;
  /** @default none: Nextcloud's app works alone */
  readonly server?: AppServer;
  /** Platform name of its Secret. @default none */
  readonly credentials?: string;
  /** Nextcloud's apps that it works with; those without settings are turned off. */
  readonly nextcloudApps: readonly string[];
  /** Those stay as they are without its arguments. @default false */
  readonly staysOn?: boolean;
  /** Variable by which the configuration Job learns whether it is `on` or `off`, where it has arguments. @default the Job need not know */
  readonly switch?: string;
  /** Its arguments. */
  readonly schema: z.ZodOptional<z.ZodObject>;
  /** Rules between several of its arguments, and between them and the suite's. @default none */
  readonly rules?: readonly Rule[];
  /** Its contributions; undefined if it is off. */
  readonly parts: (args: ResolvedSuite) => AppParts | undefined;
}

type Arguments<Key extends keyof ResolvedSuite> = NonNullable<ResolvedSuite[Key]>;

/** An app as its own file describes it: what depends on its arguments is asked only where it has any, and they don't say that it is off. */
interface AppDescription<Key extends keyof ResolvedSuite, Schema extends SuiteApp["schema"]>
  extends Omit<SuiteApp, "key" | "schema" | "parts"> {
  readonly key: Key;
  readonly schema: Schema;
  readonly parts: (args: ResolvedSuite, own: Arguments<Key>) => AppParts;
}

/** An app of a suite, for the registry. */
export function suiteApp<const Key extends keyof ResolvedSuite, Schema extends SuiteApp["schema"]>(
  app: AppDescription<Key, Schema>,
) {
  return {
    ...app,
    parts: (args: ResolvedSuite) => {
      const own = args[app.key];
      return own === undefined || isOff(own) ? undefined : app.parts(args, own as Arguments<Key>);
    },
  } satisfies SuiteApp;
}

/** Whether an app's arguments say that it is off. */
function isOff(own: ResolvedSuite[keyof ResolvedSuite]): boolean {
  return typeof own === "object" && "enabled" in own && own.enabled === false;
}
