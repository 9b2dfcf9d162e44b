import type { Day } from "../core/days.ts";

/** The day the defaults were last looked through for a release: each of them gets fixes for 30 days more, or the test's list says why not. */
export const releaseDay: Day = "2026-11-24";

/** The day on which the source of a program was read that names no later one. What came out after it is not in the table. */
export const factsOf: Day = "2026-08-22";

/** Releases that get fixes together: a major or a minor. */
export interface Line {
  /** The numbers that its versions start with, e.g. `34` or `2.15`. */
  readonly line: string;
  readonly released: Day;
  /** Last day of fixes. @default not announced, or what `keeps` says */
  readonly ends?: Day;
  /** Its newest version. */
  readonly newest: string;
  /** What of it could not be read yet: it can be deployed by settings alone, so nobody is sent there before the line they have ends. */
  readonly lacks?: string;
}

/** A program that hearth deploys, or that the cluster brings. */
export interface Program {
  readonly title: string;
  /** Where dates and versions were read. */
  readonly source: string;
  /** The day on which its newest facts were read. @default `factsOf` */
  readonly read?: Day;
  /** Tag that is deployed where none is named, and in the examples. */
  readonly deployed: string;
  /** How its makers end a line, as a sentence. */
  readonly support: string;
  /** That many of the newest lines get fixes: a line ends when this many are newer. @default each line has an end of its own */
  readonly keeps?: number;
  /** Hint for an upgrade past the newest line allowed by default, as a sentence. */
  readonly hint?: string;
  /** From the oldest to the newest; what is older gets no fixes either. */
  readonly lines: readonly [Line, ...Line[]];
}

/**
 * Every program that is deployed. Tags and dates are facts with their source: what registries have today nothing here can ask.
 * GitLab ends a minor when the third one after it is out, on the third Thursday of a month, so its ends are known before.
 */
export const programs = {
  gitlab: {
    title: "GitLab",
    source: "https://endoflife.date/gitlab",
    read: "2026-11-22",
    // Of 19.5 the version of the SSH server could not be read.
    deployed: "19.4.3",
    support: "A minor gets fixes for three months, until the third minor after it.",
    hint: "docs/how-to/gitlab-19.md has the way from 18.11, and what a release after 19.4 needs.",
    lines: [
      { line: "18.8", released: "2026-01-15", ends: "2026-04-16", newest: "18.8.11" },
      { line: "18.9", released: "2026-02-19", ends: "2026-05-21", newest: "18.9.8" },
      { line: "18.10", released: "2026-03-19", ends: "2026-06-18", newest: "18.10.8" },
      { line: "18.11", released: "2026-04-16", ends: "2026-07-16", newest: "18.11.11" },
      { line: "19.0", released: "2026-05-21", ends: "2026-08-20", newest: "19.0.8" },
      { line: "19.1", released: "2026-06-18", ends: "2026-09-17", newest: "19.1.6" },
      { line: "19.2", released: "2026-07-16", ends: "2026-10-15", newest: "19.2.4" },
      { line: "19.3", released: "2026-08-20", ends: "2026-11-19", newest: "19.3.0" },
      // From here on: github.com/sameersbn/docker-gitlab/releases, which follows GitLab's tags.
      { line: "19.4", released: "2026-09-17", ends: "2026-12-17", newest: "19.4.3" },
      {
        line: "19.5",
        released: "2026-10-15",
        ends: "2027-01-21",
        newest: "19.5.3",
        lacks: "version of its SSH server",
      },
    ],
  },
  harbor: {
    title: "Harbor",
    source: "https://endoflife.date/harbor",
    // renovate: datasource=docker depName=docker.io/goharbor/harbor-core
    deployed: "2.15.2",
    support: "The newest three minors get fixes.",
    keeps: 3,
    lines: [
      { line: "2.12", released: "2024-11-05", newest: "2.12.4" },
      { line: "2.13", released: "2025-04-09", newest: "2.13.5" },
      { line: "2.14", released: "2025-09-17", newest: "2.14.4" },
      { line: "2.15", released: "2026-03-20", newest: "2.15.2" },
    ],
  },
  nextcloud: {
    title: "Nextcloud",
    source: "https://endoflife.date/nextcloud",
    read: "2026-11-24",
    // Not 35: our tests have run a real 34, apps of a user's own follow a major late, and 34 gets fixes until the summer.
    // renovate: datasource=docker depName=docker.io/library/nextcloud
    deployed: "34.0.4-apache",
    support: "A major gets fixes for a year.",
    lines: [
      { line: "30", released: "2024-09-11", ends: "2025-10-31", newest: "30.0.17" },
      { line: "31", released: "2025-02-25", ends: "2026-02-28", newest: "31.0.14" },
      { line: "32", released: "2025-09-27", ends: "2026-09-30", newest: "32.0.14" },
      { line: "33", released: "2026-02-18", ends: "2027-02-28", newest: "33.0.8" },
      { line: "34", released: "2026-06-09", ends: "2027-06-30", newest: "34.0.4" },
      // As 34.0.4: github.com/nextcloud/server/wiki/Maintenance-and-Release-Schedule, Alpine's packages.
      { line: "35", released: "2026-09-16", ends: "2027-09-30", newest: "35.0.2" },
    ],
  },
  postgresql: {
    title: "PostgreSQL",
    source: "https://endoflife.date/postgresql",
    deployed: "17",
    support: "A major gets fixes for five years.",
    lines: [
      { line: "12", released: "2019-10-03", ends: "2024-11-21", newest: "12.22" },
      { line: "13", released: "2020-09-24", ends: "2025-11-13", newest: "13.23" },
      { line: "14", released: "2021-09-30", ends: "2026-11-12", newest: "14.24" },
      { line: "15", released: "2022-10-13", ends: "2027-11-11", newest: "15.19" },
      { line: "16", released: "2023-09-14", ends: "2028-11-09", newest: "16.15" },
      { line: "17", released: "2024-09-26", ends: "2029-11-08", newest: "17.11" },
      { line: "18", released: "2025-09-25", ends: "2030-11-14", newest: "18.6" },
    ],
  },
  valkey: {
    title: "Valkey",
    source: "https://endoflife.date/valkey",
    // renovate: datasource=docker depName=docker.io/valkey/valkey
    deployed: "8.1.9-alpine",
    support: "A minor gets security fixes for three years, the last minor of a major for five.",
    lines: [
      { line: "7.2", released: "2023-08-15", ends: "2029-04-16", newest: "7.2.14" },
      { line: "8.0", released: "2024-09-15", ends: "2027-09-15", newest: "8.0.10" },
      { line: "8.1", released: "2025-03-31", ends: "2030-03-31", newest: "8.1.9" },
      { line: "9.0", released: "2025-10-21", ends: "2028-10-21", newest: "9.0.5" },
      { line: "9.1", released: "2026-05-19", newest: "9.1.1" },
    ],
  },
  redisExporter: {
    title: "Redis exporter",
    source: "https://github.com/oliver006/redis_exporter/releases",
    // renovate: datasource=docker depName=docker.io/oliver006/redis_exporter
    deployed: "v1.89.0",
    support: "The newest minor gets fixes. It reads Valkey 7 to 9.",
    keeps: 1,
    // The Go module proxy has the day of each version.
    lines: [
      { line: "1.88", released: "2026-07-23", newest: "v1.88.0" },
      { line: "1.89", released: "2026-08-06", newest: "v1.89.0" },
    ],
  },
  pgbouncer: {
    title: "PgBouncer",
    source: "https://github.com/pgbouncer/pgbouncer/releases",
    deployed: "1.25.2",
    support: "The newest minor gets fixes.",
    keeps: 1,
    lines: [{ line: "1.25", released: "2025-11-09", newest: "1.25.2" }],
  },
  collabora: {
    title: "Collabora Online (CODE)",
    source: "https://hub.docker.com/r/collabora/code",
    // renovate: datasource=docker depName=docker.io/collabora/code versioning=loose
    deployed: "26.04.4.2.1",
    support: "The newest release gets fixes. Releases are named after the month of the first one in their line.",
    keeps: 1,
    lines: [{ line: "26.04", released: "2026-04-01", newest: "26.04.4.2.1" }],
  },
  whiteboard: {
    title: "Nextcloud Whiteboard",
    source: "https://github.com/nextcloud/whiteboard/releases",
    read: "2026-11-24",
    // renovate: datasource=github-releases depName=nextcloud/whiteboard
    deployed: "v2.0.0",
    support: "The newest release gets fixes; 1.5 is for Nextcloud 28 to 34, 2.0 for 31 to 35.",
    keeps: 1,
    // The app store gives its app to every Nextcloud from 31, and app and server go together.
    lines: [
      { line: "1.5", released: "2025-12-12", newest: "v1.5.9" },
      { line: "2.0", released: "2026-09-16", newest: "v2.0.0" },
    ],
  },
  notifyPush: {
    title: "Nextcloud Client Push (notify_push)",
    source: "https://github.com/nextcloud/notify_push/releases",
    // renovate: datasource=docker depName=ghcr.io/nextcloud/notify_push
    deployed: "v1.4.1",
    support: "The newest minor gets fixes; 1.3 is for Nextcloud 30 to 34, 1.4 for 30 to 35.",
    keeps: 1,
    lines: [{ line: "1.4", released: "2026-08-12", newest: "v1.4.1" }],
  },
  imaginary: {
    title: "Imaginary of Nextcloud All-in-One",
    source: "https://github.com/nextcloud/all-in-one/blob/main/nextcloud-aio-helm-chart",
    // The tag is the time of its build.
    deployed: "20260817_082005",
    support: "The newest image gets fixes: it is built anew every few weeks.",
    keeps: 1,
    lines: [{ line: "20260817", released: "2026-08-17", newest: "20260817_082005" }],
  },
  rclone: {
    title: "rclone",
    source: "https://github.com/rclone/rclone/releases",
    read: "2026-11-24",
    // renovate: datasource=docker depName=docker.io/rclone/rclone
    deployed: "1.76.0",
    support: "The newest minor gets fixes.",
    keeps: 1,
    // The Go module proxy has the day of each version.
    lines: [
      { line: "1.75", released: "2026-07-31", newest: "1.75.1" },
      { line: "1.76", released: "2026-11-06", newest: "1.76.0" },
    ],
  },
  node: {
    title: "Node.js",
    source: "https://endoflife.date/nodejs",
    read: "2026-11-25",
    // renovate: datasource=docker depName=docker.io/library/node
    deployed: "24.21.0-alpine",
    support: "An even major gets fixes for three years.",
    lines: [
      { line: "20", released: "2023-04-18", ends: "2026-04-30", newest: "20.20.2" },
      { line: "22", released: "2024-04-24", ends: "2027-04-30", newest: "22.23.3" },
      // The versions of npm's package node.
      { line: "24", released: "2025-05-06", ends: "2028-04-30", newest: "24.21.0" },
    ],
  },
  distroless: {
    title: "Distroless Node.js 24 on Debian",
    source: "https://github.com/GoogleContainerTools/distroless/blob/main/SUPPORT_POLICY.md",
    deployed: "13",
    support:
      "Images of Node.js are renewed until three months after the next Debian. They have no version: their tag moves, and `./hearth images lock` pins it.",
    lines: [
      { line: "12", released: "2025-05-08", ends: "2026-01-31", newest: "12" },
      { line: "13", released: "2025-10-29", newest: "13" },
    ],
  },
  alpine: {
    title: "Alpine Linux",
    source: "https://endoflife.date/alpine-linux",
    deployed: "3.22",
    support: "A minor gets fixes for two years.",
    lines: [
      { line: "3.22", released: "2025-05-30", ends: "2027-05-01", newest: "3.22.5" },
      { line: "3.23", released: "2025-12-04", ends: "2027-11-01", newest: "3.23.5" },
      { line: "3.24", released: "2026-06-09", ends: "2028-06-01", newest: "3.24.1" },
    ],
  },
} as const satisfies Readonly<Record<string, Program>>;

/**
 * Programs that the cluster brings; which of their versions it has, no setting says, but `./hearth doctor` looks. The Go
 * module proxy has the versions and days of those that are Go modules.
 */
export const clusterPrograms = {
  kubernetes: {
    title: "Kubernetes",
    source: "https://endoflife.date/kubernetes",
    read: "2026-11-24",
    judged: "1.36.2",
    support: "A minor gets fixes for fourteen months.",
    lines: [
      { line: "1.34", released: "2025-08-27", ends: "2026-10-27", newest: "1.34.11" },
      { line: "1.35", released: "2025-12-17", ends: "2027-02-28", newest: "1.35.10" },
      { line: "1.36", released: "2026-04-22", ends: "2027-06-28", newest: "1.36.6" },
      { line: "1.37", released: "2026-08-26", ends: "2027-10-28", newest: "1.37.2" },
    ],
  },
  cloudnativePg: {
    title: "CloudNativePG",
    source: "https://cloudnative-pg.io/docs/current/supported_releases",
    read: "2026-11-24",
    judged: "1.30.0",
    support: "A minor gets fixes for six months. Only the month of the end is announced.",
    lines: [
      { line: "1.29", released: "2026-03-31", ends: "2026-09-29", newest: "1.29.2" },
      { line: "1.30", released: "2026-06-29", ends: "2026-12-31", newest: "1.30.1" },
    ],
  },
  barmanPlugin: {
    title: "Barman Cloud plugin of CloudNativePG",
    source: "https://cloudnative-pg.io/plugin-barman-cloud/",
    read: "2026-11-24",
    judged: "0.15.0",
    support: "The newest minor gets fixes.",
    keeps: 1,
    lines: [
      { line: "0.14", released: "2026-07-29", newest: "0.14.0" },
      { line: "0.15", released: "2026-09-03", newest: "0.15.0" },
    ],
  },
  traefik: {
    title: "Traefik",
    source: "https://endoflife.date/traefik",
    read: "2026-11-24",
    // Newer ones need modules that not every module proxy has (docs/explanation/fidelity.md); the CRDs of the tests are 3.7.13's.
    judged: "3.5.3",
    support: "The newest minor gets fixes; the one before it gets security fixes for some time.",
    lines: [
      { line: "3.5", released: "2025-07-23", ends: "2025-11-07", newest: "3.5.6" },
      { line: "3.6", released: "2025-11-07", ends: "2026-08-16", newest: "3.6.25" },
      { line: "3.7", released: "2026-05-05", newest: "3.7.13" },
    ],
  },
  certManager: {
    title: "cert-manager",
    source: "https://endoflife.date/cert-manager",
    read: "2026-11-24",
    judged: "1.21.2",
    support: "The newest two minors get fixes.",
    keeps: 2,
    lines: [
      { line: "1.19", released: "2025-10-07", newest: "1.19.6" },
      { line: "1.20", released: "2026-03-10", newest: "1.20.4" },
      { line: "1.21", released: "2026-07-08", newest: "1.21.2" },
    ],
  },
  externalSecrets: {
    title: "External Secrets",
    source: "https://external-secrets.io/latest/introduction/stability-support/",
    read: "2026-11-24",
    // Since 1.0 its Go modules replace one another by paths, so none can be built from a module proxy (docs/explanation/fidelity.md).
    judged: "0.20.4",
    support: "The newest minor gets fixes.",
    keeps: 1,
    lines: [
      { line: "0.20", released: "2025-09-22", ends: "2025-11-07", newest: "0.20.4" },
      { line: "2.8", released: "2026-07-17", newest: "2.8.0" },
      { line: "2.9", released: "2026-08-07", newest: "2.9.0" },
    ],
  },
  prometheusOperator: {
    title: "Prometheus operator",
    source: "https://github.com/prometheus-operator/prometheus-operator/releases",
    read: "2026-11-24",
    judged: "0.85.0",
    support: "The newest minor gets fixes.",
    keeps: 1,
    lines: [
      { line: "0.85", released: "2025-08-21", ends: "2025-10-07", newest: "0.85.0" },
      { line: "0.93", released: "2026-07-28", newest: "0.93.1" },
      { line: "0.94", released: "2026-09-09", newest: "0.94.0" },
    ],
  },
  argoCd: {
    title: "Argo CD",
    source: "https://endoflife.date/argo-cd",
    read: "2026-11-25",
    judged: "3.2.11",
    support: "The newest three minors get fixes.",
    keeps: 3,
    lines: [
      { line: "3.2", released: "2025-11-04", ends: "2026-08-04", newest: "3.2.12" },
      { line: "3.4", released: "2026-05-05", newest: "3.4.13" },
      { line: "3.5", released: "2026-08-04", newest: "3.5.7" },
      { line: "3.6", released: "2026-11-03", newest: "3.6.1" },
    ],
  },
} as const satisfies Readonly<Record<string, Omit<Program, "deployed"> & { readonly judged: string }>>;
