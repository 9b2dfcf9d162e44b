import { type CheckedConfig, type ConfigContext, checkConfigFile } from "../../settings/config-file.ts";

/** A config.yaml without faults and without warnings, every part enabled. */
export const good = `namespace: team
domain: cloud.example.org
versions:
  cloudsuite: 31.0.8-apache
  db: "16"
  keystore: 8.1.4-alpine
  office: 25.04.7.1.1
  whiteboard: v1.2.1
s3:
  endpoint: https://fsn1.your-objectstorage.com
  region: fsn1
  buckets:
    data: data-team-a1b2
    backups: backups-team-a1b2
storage:
  storageClass: replicated-block
  dbSize: 10Gi
  keystoreSize: 5Gi
resources:
  cloudsuite:
    requests: { cpu: 200m, memory: 512Mi }
    limits: { cpu: 1000m, memory: 2Gi }
  db:
    requests: { cpu: 100m, memory: 256Mi }
    limits: { cpu: 500m, memory: 512Mi }
  keystore:
    requests: { cpu: 50m, memory: 128Mi }
    limits: { cpu: 200m, memory: 256Mi }
replicas:
  cloudsuite: 1
  db: 1
  keystore: 1
office:
  enabled: true
  domain: office.cloud.example.org
  resources:
    requests: { cpu: 100m, memory: 512Mi }
    limits: { cpu: 1000m, memory: 1Gi }
whiteboard:
  enabled: true
  resources:
    requests: { cpu: 50m, memory: 256Mi }
    limits: { cpu: 500m, memory: 512Mi }
`;

/** The good file with the text `found` replaced, which must be there. */
export function edited(found: string | RegExp, replacement: string, text = good): string {
  const result = text.replace(found, replacement);
  if (result === text) throw new Error(`Nothing to replace: ${found}`);
  return result;
}

/** Judges a text as `config.yaml`. */
export function check(text: string | Uint8Array, context: ConfigContext = {}): CheckedConfig {
  return checkConfigFile("config.yaml", typeof text === "string" ? Buffer.from(text) : text, context);
}

/** `code path:line` of each fault, warnings with a question mark. */
export function faultsOf(text: string | Uint8Array, context: ConfigContext = {}): string[] {
  return check(text, context).faults.map(
    ({ severity, code, path, line }) => `${code}${severity === "warning" ? "?" : ""} ${path}:${line}`,
  );
}
