import { type KubernetesObject, objectId } from "@hearth-platform/hearth/core/plan";
import type { SecretsArgs } from "@hearth-platform/hearth/core/platform-args";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { PodSpec } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { planForge } from "../../support/plans.ts";
import { completeForge } from "./forge.ts";

/** Secrets the forge makes itself. */
const made = [
  "forge-gitstore-token",
  "forge-shell-secret",
  "forge-webservice-proxy-secret",
  "forge-pages-secret",
  "forge-rails-secrets",
  "forge-admin",
  "forge-shell-host-keys",
  "forge-application-hub",
  "forge-runner-token",
];
/** Secrets of the stores. */
const stores = ["forge-db-app", "keystore-password", "forge-s3-credentials"];
/** Secrets that settings refer to: they are there already. */
const referred = ["mail", "sso", "saml", "ldap"];

type Row = [name: string, origin: string, secrets: SecretsArgs, before: Workload[]];

/** A forge whose Secrets come as said, those of its stores under the names the stores' connections have then. */
function forgeWith(secrets: SecretsArgs): ForgeArgs {
  const named = (name: string) => secrets.existing?.[name] ?? name;
  const { database, keystore, objectStore, platform } = completeForge;
  return {
    ...completeForge,
    database: { ...database, password: { name: named("forge-db-app"), key: "password" } },
    keystore: { ...keystore, password: { name: named("keystore-password"), key: "password" } },
    objectStore: { ...objectStore, credentials: named("forge-s3-credentials") },
    platform: { ...platform, secrets },
  };
}

function podOf(object: KubernetesObject): PodSpec | undefined {
  const { spec } = object as unknown as Deployment & CronJob;
  return (spec?.jobTemplate?.spec?.template ?? spec?.template)?.spec;
}

/** Names of the Secrets that a pod mounts, or has in its environment. */
function secretsOf(pod: PodSpec): string[] {
  const mounted = (pod.volumes ?? []).flatMap(({ secret, projected }) => [
    secret?.secretName,
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
  ]);
  const inEnvironment = pod.containers.flatMap(({ env = [] }) =>
    env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
  );
  return [...mounted, ...inEnvironment].filter((name) => name !== undefined);
}

interface Workload {
  /** Without the hash of a Job. */
  readonly id: string;
  readonly pod: PodSpec;
  readonly text: string;
}

function workloads(secrets: SecretsArgs): Workload[] {
  return planForge(forgeWith(secrets)).objects.flatMap(({ object }) => {
    const pod = podOf(object);
    return pod ? [{ id: objectId(object).replace(/-[0-9a-f]{8}$/, ""), pod, text: JSON.stringify(object) }] : [];
  });
}

const readers = (all: readonly Workload[], name: string) =>
  all.flatMap(({ id, pod }) => (secretsOf(pod).includes(name) ? [id] : []));

const generated = workloads({});
const stored = workloads({ store: { name: "vault" } });

describe("a raised revision rolls exactly the pods that read the Secret", () => {
  const own = (name: string) => ({ existing: { [name]: "mine" } });
  test.each<Row>([
    ...[...made, ...stores, ...referred].map((name): Row => [name, "as it is", {}, generated]),
    ...[...made, ...stores].map((name): Row => [name, "from a store", { store: { name: "vault" } }, stored]),
    ...[...made, ...stores].map((name): Row => [name, "of one's own", own(name), workloads(own(name))]),
  ])("%s, %s", (name, _, secrets, before) => {
    const texts = new Set(before.map(({ text }) => text));
    const changed = workloads({ ...secrets, revisions: { [name]: 1 } }).filter(({ text }) => !texts.has(text));
    // The Job that makes the runner's token writes it by the API instead of reading it.
    const writers = name === "forge-runner-token" && !secrets.existing ? ["Job/forge-runner-registration"] : [];
    expect(changed.map(({ id }) => id).sort()).toEqual(
      [...readers(before, secrets.existing?.[name] ?? name), ...writers].sort(),
    );
  });
});

test.each(made)("one of one's own in the place of %s is mounted instead, and none is made", (name) => {
  const args = forgeWith({ existing: { [name]: "mine" } });
  const own = workloads(args.platform.secrets ?? {});
  expect(readers(own, "mine").length).toBeGreaterThan(0);
  expect(readers(own, "mine")).toEqual(readers(generated, name));
  expect(planForge(args).secrets.map((secret) => secret.name)).not.toContain(name);
});

test("of a forge with a secret store every Secret is synced but that which the forge itself fills", () => {
  const plan = planForge(forgeWith({ store: { name: "vault" } }));
  const synced = plan.objects.flatMap(({ object }) => (object.kind === "ExternalSecret" ? [object.metadata.name] : []));
  expect(synced.sort()).toEqual(made.filter((name) => name !== "forge-runner-token").sort());
  expect(plan.secrets.map(({ name }) => name)).toEqual(["forge-runner-token"]);
});
