import { programs } from "@hearth-platform/hearth/catalogue/releases";
import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import type { ResourceSpecArgs } from "@hearth-platform/hearth/kubernetes/resources-args";
import { storageClasses } from "@hearth-platform/hearth/limits/sets";
import { databaseGrowthPerFile, databaseSizes, suiteTiers } from "@hearth-platform/hearth/limits/sizes";
import { limits } from "@hearth-platform/hearth/limits/table";
import { self } from "../command.ts";
import { loadOf, type SuiteAnswers, tiers } from "./answers.ts";

/** Versions that a new suite starts with. */
export const versions = {
  cloudsuite: programs.nextcloud.deployed,
  db: String(limits.databaseMajor.most()),
  keystore: programs.valkey.deployed,
  office: programs.collabora.deployed,
  whiteboard: programs.whiteboard.deployed,
} as const;

/**
 * A commented config.yaml.
 * @param schema path of its JSON Schema from the file's folder, for editors
 * @param widening what the stack allows beyond the specification's sets
 */
export function configText(answers: SuiteAnswers, schema: string, widening?: LimitsArgs): string {
  const { name, domain, size, storage, location, endpoint, office, whiteboard, suffix } = answers;
  const row = tiers.indexOf(size);
  const { users, files } = loadOf(size);
  const web = suiteTiers[row] ?? suiteTiers[0];
  return `# yaml-language-server: $schema=${schema}
# The suite ${name}, size ${size}: ${users <= (suiteTiers.at(-2)?.upToUsers ?? 0) ? `up to ${users} users` : `${users} users or more`}. Check it with: ${self} validate FILE

# Namespace of this suite alone. Never change it, or the data stays behind in the old one.
namespace: ${name}
# Public host: ingress, TLS certificate, trusted domain. Its DNS record must lead to the cluster.
domain: ${domain}

# Image tags. Quote a tag that looks like a number. Raise a version by one major at a time; it can't go down.
versions:
  cloudsuite: ${versions.cloudsuite}
  # Major version of PostgreSQL, ${limits.databaseMajor.allowed()}.
  db: "${versions.db}"
  keystore: ${versions.keystore}
${office ? `  office: ${versions.office}\n` : ""}${whiteboard ? `  whiteboard: ${versions.whiteboard}\n` : ""}
s3:
  # Endpoint and region must belong to the same location. The keys come from a Secret that the stack names.
  endpoint: ${endpoint}
  region: ${location}
  # Bucket names must be unique at the provider. Never change them, or the files stay behind in the old buckets.
  buckets:
    data: data-${name}-${suffix}
    backups: backups-${name}-${suffix}

storage:
  # Class of the web volume. ${storageClasses.replicatedBlock} allows one web pod, ${storageClasses.smb} up to ${limits.cloudsuiteReplicas.most()}.
  storageClass: ${storage}
  # Volume of each database instance, at about ${databaseGrowthPerFile / 1000} KB a file. It can grow but not shrink. Enough for ${files <= (databaseSizes.at(-2)?.upToFiles ?? 0) ? `${files} files` : `more than ${files - 1} files`}.
  dbSize: ${databaseSizes[row]?.size}
  # Volume of the keystore, which is a cache.
  keystoreSize: ${limits.keystoreSize.least()}

# Requests are reserved for a pod. Above its CPU limit it is slowed down; above its memory limit it is killed.
resources:
  cloudsuite:
${resources(web, 4)}
  db:
${resources(limits.databaseResources.least(), 4)}
  keystore:
${resources(limits.keystoreResources.least(), 4)}

replicas:
  # Web pods: 1 with ${storageClasses.replicatedBlock}, up to ${limits.cloudsuiteReplicas.most()} with ${storageClasses.smb}.
  cloudsuite: ${Math.min(row + 1, limits.cloudsuiteReplicas.most({ storageClass: storage, limits: widening }))}
  # Database instances: ${limits.databaseInstances.least({ profile: "production" })} for production (primary and standby), ${limits.databaseInstances.least()} for development (no failover).
  db: ${limits.databaseInstances.least(answers)}
  keystore: ${limits.keystoreReplicas.least()}

# Edits documents in the browser.
office:
${office ? `  enabled: true\n  # A subdomain of the suite's domain. It needs its own DNS record.\n  domain: office.${domain}\n  resources:\n${resources(limits.officeResources.least(), 4)}` : `  enabled: false`}

whiteboard:
${whiteboard ? `  enabled: true\n  resources:\n${resources(limits.whiteboardResources.least(), 4)}` : `  enabled: false`}
`;
}

function resources({ requests, limits }: ResourceSpecArgs, indent: number): string {
  return [
    `requests: { cpu: ${requests.cpu}, memory: ${requests.memory} }`,
    `limits: { cpu: ${limits.cpu}, memory: ${limits.memory} }`,
  ]
    .map((line) => " ".repeat(indent) + line)
    .join("\n");
}
