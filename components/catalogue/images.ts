import { programs } from "./releases.ts";

/** Repositories of the images in use, as their makers publish them (those of a suite's apps stand with the apps); `platform.images.mirrors` redirects them. */
export const repositories = {
  keystore: "docker.io/valkey/valkey",
  keystoreExporter: "docker.io/oliver006/redis_exporter",
  database: "ghcr.io/cloudnative-pg/postgresql",
  pooler: "ghcr.io/cloudnative-pg/pgbouncer",
  cloudsuite: "docker.io/library/nextcloud",
  copy: "docker.io/rclone/rclone",
  node: "docker.io/library/node",
} as const;

/**
 * Tag of the PostgreSQL image for each major of the specification, its minor pinned: a restore needs the very image, and all
 * majors from 13 share an operating system, without which a major upgrade can break the order of text in indexes.
 * 12 and 13 get no more fixes from the PostgreSQL project, and 13.23 has no image: 13.22's is the last one
 * (github.com/cloudnative-pg/artifacts, image-catalogs/catalog-standard-trixie.yaml of 2026-08-31).
 */
const databaseTags: Readonly<Record<number, string>> = {
  12: "12.22-bookworm",
  13: "13.22-standard-trixie",
  14: "14.24-standard-trixie",
  15: "15.19-standard-trixie",
  16: "16.15-standard-trixie",
  17: "17.11-standard-trixie",
  18: "18.6-standard-trixie",
};

/**
 * Oldest PostgreSQL majors for the operator: its webhooks refuse a Cluster below `accepted`; it is tested with those from `supported` on.
 * (CloudNativePG 1.30: internal/webhook/v1/cluster_webhook.go, docs/src/supported_releases.md)
 */
export const operatorMajors = { accepted: 13, supported: 14 } as const;

/**
 * Image of PostgreSQL `major`, its minor pinned.
 * @throws Error for a major outside the specification's
 */
export function databaseImage(major: number): string {
  const tag = databaseTags[major];
  if (!tag)
    throw new Error(`PostgreSQL ${major} is not supported: take one of ${Object.keys(databaseTags).join(", ")}.`);
  return `${repositories.database}:${tag}`;
}

/** Image that the image of our own services starts from; the Dockerfile names it too, to be built by hand. */
export const serviceBase = `gcr.io/distroless/nodejs24-debian${programs.distroless.deployed}:nonroot`;

/** Image of the connection pooler. */
export const poolerImage = `${repositories.pooler}:${programs.pgbouncer.deployed}`;
