import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { containerKeys, podTemplatePaths } from "@hearth-platform/hearth/kubernetes/pod-templates";
import { stackParts } from "@hearth-platform/stack/parts";
import type { Container, PodSpec, Volume } from "kubernetes-types/core/v1.d.ts";
import { expect, test } from "vitest";
import { checkFiles, wholePlatform, withSettings } from "../support/stack-files.ts";

/**
 * Containers of the whole platform that never speak TLS to a public host or the object store, each with what it calls. All others
 * have the private authority: a new container fails here until it has it, or a row.
 */
const withoutTls: Readonly<Record<string, string>> = {
  "Deployment/cloudsuite prepare": "the database",
  "CronJob/cloudsuite-config-backup without-secrets": "nothing",
  "Deployment/hub-portal portal": "serves files",
  "Deployment/hub-sign-in sign-in": "core and the forge inside the cluster",
  "Job/hub-settings settings": "core inside the cluster",
  "Deployment/site-webhook site-webhook": "the API server, whose authority is in its token's volume",
  "StatefulSet/keystore keystore": "nothing",
  "Deployment/keystore-exporter keystore-exporter": "the keystore inside the cluster",
};

/** Containers that make the bundle of their pod. */
const makers = ["certificates", "trust"];

const files = withSettings(wholePlatform(), {
  "privateCa.configMap": "company-ca",
  "privateCa.secret": "company-ca",
});

function objects(changes: Parameters<typeof withSettings>[1] = {}): KubernetesObject[] {
  const { stack, problems } = checkFiles(withSettings(files, changes));
  if (!stack) throw new Error(problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  return stackParts(stack).flatMap((part) => part.plans().flatMap((plan) => plan.objects.map(({ object }) => object)));
}

function podOf(object: KubernetesObject): PodSpec | undefined {
  const [group] = object.apiVersion.includes("/") ? object.apiVersion.split("/") : [];
  const path = podTemplatePaths[group ? `${group}/${object.kind}` : object.kind];
  if (!path) return undefined;
  const template = path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], object);
  return (template as { spec: PodSpec }).spec;
}

/** The authority's own volume, or the one that an init container fills with it. */
function isAuthority({ configMap, name }: Volume): boolean {
  return configMap?.name === "company-ca" || ["trust", "etc-ssl-certs"].includes(name);
}

function mountsAuthority(pod: PodSpec, { volumeMounts = [] }: Container): boolean {
  const names = (pod.volumes ?? []).filter(isAuthority).map(({ name }) => name);
  return volumeMounts.some(({ name }) => names.includes(name));
}

function containers(all: readonly KubernetesObject[]) {
  return all.flatMap((object) => {
    const pod = podOf(object);
    if (!pod) return [];
    const own = object.metadata.name.replace(/-[0-9a-f]{8,}$|-\d+-\d+-\d+$/, "");
    return containerKeys.flatMap((key) =>
      ((pod[key] ?? []) as Container[]).map((container) => ({
        name: `${object.kind}/${own} ${container.name}`,
        container,
        trusts: mountsAuthority(pod, container),
      })),
    );
  });
}

test.each(["collabora", "onlyoffice"])(
  "every container that speaks TLS has the private authority, with %s",
  (engine) => {
    const all = containers(objects({ "cloudsuites[0].officeEngine": engine }));
    const lacking = all.filter(({ trusts }) => !trusts).map(({ name }) => name);
    expect([...new Set(lacking)].filter((name) => !(name in withoutTls))).toEqual([]);
    expect(all.filter(({ container }) => makers.includes(container.name)).length).toBeGreaterThan(0);
  },
);

test("databases' backups trust the Secret, without which nothing is said of an authority", () => {
  const stores = (changes = {}) =>
    objects(changes)
      .filter(({ kind }) => kind === "ObjectStore")
      .map((object) => (object as unknown as { spec: { configuration: object } }).spec.configuration);
  expect(stores().length).toBeGreaterThan(1);
  for (const store of stores()) expect(store).toMatchObject({ endpointCA: { name: "company-ca", key: "ca.crt" } });
  for (const store of stores({ "privateCa.key": "root.pem" }))
    expect(store).toMatchObject({ endpointCA: { name: "company-ca", key: "root.pem" } });
  for (const store of stores({ "privateCa.secret": undefined })) expect(store).not.toHaveProperty("endpointCA");
});
