import { storageClasses } from "@hearth-platform/hearth/limits/sets";
import { limits } from "@hearth-platform/hearth/limits/table";
import type { ConfigFile } from "@hearth-platform/stack/areas/suites/config-schema";
import fc from "fast-check";

const label = fc
  .stringMatching(/^[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,8})?$/)
  .filter((name) => name !== "default" && !name.startsWith("kube-"));

const version = fc.tuple(fc.nat(40), fc.nat(20), fc.nat(20)).map((parts) => parts.join("."));

const tag = fc
  .tuple(version, fc.constantFrom("", "-apache", "-alpine", "-rc.1", "_x"))
  .map(([number, variant]) => `${number}${variant}`);

/** Two amounts with a suffix, the smaller first. */
const pair = (suffixes: readonly string[]) =>
  fc
    .tuple(fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 1, max: 9_000 }), fc.constantFrom(...suffixes))
    .map(([a, b, suffix]): [string, string] => [`${Math.min(a, b)}${suffix}`, `${Math.max(a, b)}${suffix}`]);

const resources = fc.tuple(pair(["m"]), pair(["Ki", "Mi", "Gi"])).map(([[cpu, cpuLimit], [memory, memoryLimit]]) => ({
  requests: { cpu, memory },
  limits: { cpu: cpuLimit, memory: memoryLimit },
}));

const size = fc
  .tuple(fc.integer({ min: 1, max: 9_000 }), fc.constantFrom("Mi", "Gi", "Ti"))
  .map(([count, suffix]) => `${count}${suffix}`);

const storage = fc.constantFrom(...Object.values(storageClasses)).chain((storageClass) =>
  fc.record({
    storage: fc.record({ storageClass: fc.constant(storageClass), dbSize: size, keystoreSize: size }),
    web: fc.integer({ min: 1, max: limits.cloudsuiteReplicas.most({ storageClass }) }),
  }),
);

/** Any config.yaml without errors; it may have warnings. */
export const configFiles: fc.Arbitrary<ConfigFile> = fc
  .record({
    name: label,
    suffix: fc.stringMatching(/^[a-z0-9]{1,6}$/),
    location: fc.constantFrom("fsn1", "nbg1", "hel1"),
    versions: fc.record({
      cloudsuite: tag.filter((text) => !text.includes("_")),
      db: fc.constantFrom("12", "13", "14", "15", "16"),
      keystore: tag.filter((text) => !text.includes("_")),
      office: tag,
      whiteboard: tag,
    }),
    disk: storage,
    resources: fc.record({ cloudsuite: resources, db: resources, keystore: resources }),
    db: fc.constantFrom(1, 2),
    office: fc.option(resources, { nil: undefined }),
    whiteboard: fc.option(resources, { nil: undefined }),
  })
  .map(({ name, suffix, location, versions, disk, resources, db, office, whiteboard }) => ({
    namespace: name,
    domain: `${name}.example.org`,
    versions: { ...versions, office: office && versions.office, whiteboard: whiteboard && versions.whiteboard },
    s3: {
      endpoint: `https://${location}.your-objectstorage.com`,
      region: location,
      buckets: { data: `data-${name}-${suffix}`, backups: `backups-${name}-${suffix}` },
    },
    storage: disk.storage,
    resources,
    replicas: { cloudsuite: disk.web, db, keystore: 1 },
    office: office ? { enabled: true, domain: `office.${name}.example.org`, resources: office } : { enabled: false },
    whiteboard: whiteboard ? { enabled: true, resources: whiteboard } : { enabled: false },
  }))
  .map(withoutUndefined);

function withoutUndefined<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
