import { limits, storageClasses } from "@hearth-platform/hearth/catalogue/limits";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import type { ResourceSpecArgs } from "@hearth-platform/hearth/kubernetes/resources-args";
import { self } from "../command.ts";
import { type Answers, loadOf, tiers } from "./answers.ts";

/** Versions that a new suite starts with. */
export const versions = {
  cloudsuite: programs.nextcloud.deployed,
  db: programs.postgresql.deployed,
  keystore: programs.valkey.deployed,
  office: programs.collabora.deployed,
  whiteboard: programs.whiteboard.deployed,
} as const;

/**
 * A commented config.yaml.
 * @param schema path of its JSON Schema from the file's folder, for editors
 */
export function configText(answers: Answers, schema: string): string {
  const { name, domain, size, storage, location, office, whiteboard, suffix } = answers;
  const row = tiers.indexOf(size);
  const { users, files } = loadOf(size);
  const web = limits.cloudsuiteResources[row] ?? limits.cloudsuiteResources[0];
  return `# yaml-language-server: $schema=${schema}
# The suite ${name}, size ${size}: ${users <= (limits.cloudsuiteResources.at(-2)?.upToUsers ?? 0) ? `up to ${users} users` : `${users} users or more`}. Check it with: ${self} validate FILE

# Namespace of this suite alone. Never change it, or the data stays behind in the old one.
namespace: ${name}
# Public host: ingress, TLS certificate, trusted domain. Its DNS record must lead to the cluster.
domain: ${domain}

# Image tags. Quote a tag that looks like a number. Raise a version by one major at a time; it can't go down.
versions:
  cloudsuite: ${versions.cloudsuite}
  # Major version of PostgreSQL, ${limits.databaseMajor.min} to ${limits.databaseMajor.max}.
  db: "${versions.db}"
  keystore: ${versions.keystore}
${office ? `  office: ${versions.office}\n` : ""}${whiteboard ? `  whiteboard: ${versions.whiteboard}\n` : ""}
s3:
  # Endpoint and region must belong to the same location. The keys come from a Secret that the stack names.
  endpoint: https://${location}.your-objectstorage.com
  region: ${location}
  # Bucket names must be unique at the provider. Never change them, or the files stay behind in the old buckets.
  buckets:
    data: data-${name}-${suffix}
    backups: backups-${name}-${suffix}

storage:
  # Class of the web volume. ${storageClasses.replicatedBlock} allows one web pod, ${storageClasses.smb} up to ${limits.cloudsuiteReplicas[storageClasses.smb]}.
  storageClass: ${storage}
  # Volume of each database instance, at about ${limits.databaseGrowthPerFile / 1000} KB a file. It can grow but not shrink. Enough for ${files <= (limits.databaseSize.at(-2)?.upToFiles ?? 0) ? `${files} files` : `more than ${files - 1} files`}.
  dbSize: ${limits.databaseSize[row]?.size}
  # Volume of the keystore, which is a cache.
  keystoreSize: ${limits.keystoreSize}

# Requests are reserved for a pod. Above its CPU limit it is slowed down; above its memory limit it is killed.
resources:
  cloudsuite:
${resources(web, 4)}
  db:
${resources(limits.databaseResources, 4)}
  keystore:
${resources(limits.keystoreResources, 4)}

replicas:
  # Web pods: 1 with ${storageClasses.replicatedBlock}, up to ${limits.cloudsuiteReplicas[storageClasses.smb]} with ${storageClasses.smb}.
  cloudsuite: ${Math.min(row + 1, limits.cloudsuiteReplicas[storage] ?? 1)}
  # Database instances: ${limits.databaseReplicas.production} for production (primary and standby), ${limits.databaseReplicas.development} for development (no failover).
  db: ${answers.profile === Profile.production ? limits.databaseReplicas.production : limits.databaseReplicas.development}
  keystore: ${limits.keystoreReplicas}

# Edits documents in the browser.
office:
${office ? `  enabled: true\n  # A subdomain of the suite's domain. It needs its own DNS record.\n  domain: office.${domain}\n  resources:\n${resources(limits.officeResources, 4)}` : `  enabled: false`}

whiteboard:
${whiteboard ? `  enabled: true\n  resources:\n${resources(limits.whiteboardResources, 4)}` : `  enabled: false`}
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
