import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import type { ResourceSpecArgs } from "@hearth-platform/hearth/kubernetes/resources-args";
import {
  type Circumstances,
  clusterKind,
  type Limit,
  type MeasuredLimit,
  suiteKind,
} from "@hearth-platform/hearth/limits/limit";
import { storageClasses } from "@hearth-platform/hearth/limits/sets";
import { parse } from "yaml";
import { good } from "../../stack/suite-file.ts";
import { type Fixture, object } from "./fixtures.ts";
import { cluster, ofSuite, suiteWorkload } from "./suites.ts";
import { replaced } from "./trees.ts";

/** The boundary of a row of the table "Limits": what is just allowed, and what is one step too far. */
export interface Boundary {
  readonly what: string;
  readonly value: unknown;
  readonly allowed: boolean;
  readonly of: Circumstances;
}

const reason = "It runs there.";

/** Everything that a stack can allow beside the specification. */
export const widest: LimitsArgs = {
  regions: [{ name: "eu-central-1", endpoint: "s3.eu-central-1.amazonaws.com", reason }],
  storageClasses: [
    { name: "longhorn", multiWriter: false, expandable: true, reason },
    { name: "cephfs", multiWriter: true, expandable: true, reason },
  ],
  databaseMajors: [17, 18].map((major) => ({ major, reason })),
  databaseReplicas: { most: 3, reason },
  cloudsuiteReplicas: { most: 5, reason },
};

/** Boundaries of a row in each profile, for each load and class that it goes by, with and without a widening. */
export function boundariesOf(limit: Limit): Boundary[] {
  return circumstancesOf(limit).flatMap((of) => {
    const { allowed, refused } = edgesOf(limit, of);
    const { limits, ...rest } = of;
    const where = `${JSON.stringify(rest)}${limits ? ", widened" : ""}`;
    return [...allowed, ...refused].map((value, index) => ({
      what: `${JSON.stringify(value)} in ${where}`,
      value,
      allowed: index < allowed.length,
      of,
    }));
  });
}

function circumstancesOf(limit: Limit): Circumstances[] {
  const { production, development } = Profile;
  const byProfile = "least" in limit && limit.least({ profile: production }) !== limit.least({ profile: development });
  const profiles = byProfile ? [production, development] : [production];
  const widenings = limit.widened ? [undefined, widest] : [undefined];
  const loads = (widening: LimitsArgs | undefined): Partial<Circumstances>[] => {
    switch (limit.by) {
      case "storageClass":
        return [...Object.values(storageClasses), ...(widening?.storageClasses ?? []).map(({ name }) => name)].map(
          (storageClass) => ({ storageClass }),
        );
      case "users":
        return [undefined, 9, 10, 50, 51].map((users) => ({ users }));
      case "files":
        return [undefined, 10_000, 10_001, 100_000, 100_001].map((files) => ({ files }));
      default:
        return [{}];
    }
  };
  return profiles.flatMap((profile) =>
    widenings.flatMap((limits) => loads(limits).map((load) => ({ profile, ...(limits && { limits }), ...load }))),
  );
}

function edgesOf(limit: Limit, of: Circumstances): { allowed: unknown[]; refused: unknown[] } {
  switch (limit.measure) {
    case "size":
      return { allowed: [limit.least(of)], refused: [oneLess(limit.least(of))] };
    case "interval":
      return { allowed: [`${limit.least(of)}s`], refused: [`${limit.least(of) - 1}s`] };
    case "resources": {
      const { requests, limits } = limit.least(of);
      return { allowed: [{ requests, limits }], refused: lower({ requests, limits }) };
    }
    case "set":
      return { allowed: limit.allowed(of), refused: ["another"] };
    default: {
      const ends = [limit.least(of), limit.most(of)].filter(Number.isFinite);
      const beyond = [limit.least(of) - 1, limit.most(of) + 1].filter(Number.isFinite);
      return { allowed: [...new Set(ends)], refused: beyond };
    }
  }
}

function oneLess(quantity: string): string {
  const [, number, unit] = /^(\d+)(m|Mi|Gi)$/.exec(quantity) ?? [];
  return unit === "Gi" ? `${Number(number) * 1024 - 1}Mi` : `${Number(number) - 1}${unit}`;
}

/** Each of the four amounts one step lower. */
function lower(spec: ResourceSpecArgs): ResourceSpecArgs[] {
  return (["requests", "limits"] as const).flatMap((end) =>
    (["cpu", "memory"] as const).map((kind) => ({
      ...spec,
      [end]: { ...spec[end], [kind]: oneLess(spec[end][kind]) },
    })),
  );
}

/** Arguments of a component with a value of a row, of a suite those of a whole file. @param path where it stands, e.g. `replicas.cloudsuite` */
export function argsWith(kind: string, path: string, { value, of }: Boundary): Record<string, unknown> {
  const set = (args: unknown, at: string, to: unknown) => (to === undefined ? args : replaced(args, at, to));
  // In arguments a major is a text.
  const written = path === "version" || path === "versions.db" ? String(value) : value;
  if (kind !== suiteKind) return set({ sites: [{}] }, path, written) as Record<string, unknown>;
  const region = of.limits?.regions?.find(({ name }) => name === value);
  const endpoint = `https://${region?.endpoint ?? `${value}.your-objectstorage.com`}`;
  const file = set(parse(good), "storage.storageClass", of.storageClass);
  return set(set(file, "s3.endpoint", path === "s3.region" ? endpoint : undefined), path, written) as Record<
    string,
    unknown
  >;
}

/** The object with a value of a row, as pack and API server judge it; undefined where an object alone does not say enough. */
export function objectWith(limit: MeasuredLimit, { value, of }: Boundary): Fixture | undefined {
  const { profile, limits, users, files, storageClass } = of;
  const options = {
    stack: { profile, limits },
    ...(users !== undefined && { settings: { users } }),
    ...(files !== undefined && { settings: { files } }),
  };
  const { kind, name = "example" } = limit.object;
  if (storageClass !== undefined && storageClass !== storageClasses.smb) return undefined;
  const metadata = ofSuite(name);
  switch (limit.measure) {
    case "major":
      return cluster({ imageName: `postgresql:${value}` }, options, limit.owner === "suite" ? metadata : undefined);
    case "instances":
      return cluster({ instances: value }, options);
    case "pods":
      return object(
        { apiVersion: "apps/v1", kind: kind.replace("apps/", ""), metadata, spec: { replicas: value } },
        options,
      );
    case "interval":
      return object({ apiVersion: "pages.kup6s.com/v1beta1", kind, metadata, spec: { syncInterval: value } }, options);
    case "resources":
      return kind === clusterKind
        ? cluster({ resources: value }, options, metadata)
        : suiteWorkload(
            kind.endsWith("StatefulSet") ? "StatefulSet" : "Deployment",
            name,
            { resources: value },
            options,
          );
    default:
      return kind === "PersistentVolumeClaim"
        ? object(claimed(name, value), options)
        : cluster({ storage: { size: value } }, options, metadata);
  }
}

function claimed(name: string, storage: unknown) {
  const spec = {
    storageClassName: storageClasses.replicatedBlock,
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage } },
  };
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name, namespace: "team" }, spec };
}
