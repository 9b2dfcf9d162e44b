import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { platform } from "../../support/platform.ts";

const resources = (cpu: string, memory: string) => ({ requests: { cpu, memory }, limits: { cpu, memory } });

/** A complete suite: office, whiteboard, everything config.yaml names. */
export const completeSuite: CloudSuiteArgs = {
  namespace: "team",
  domain: "cloud.example.org",
  versions: {
    cloudsuite: "31.0.8-apache",
    db: "16",
    keystore: "8.1.4-alpine",
    office: "25.04.5.1.1",
    whiteboard: "v1.4.0",
  },
  s3: {
    endpoint: "https://fsn1.your-objectstorage.com",
    region: "fsn1",
    buckets: { data: "data-team-a1b2", backups: "backups-team-a1b2" },
  },
  storage: { storageClass: "replicated-block", dbSize: "10Gi", keystoreSize: "5Gi" },
  resources: {
    cloudsuite: { requests: { cpu: "200m", memory: "512Mi" }, limits: { cpu: "1000m", memory: "2Gi" } },
    db: resources("500m", "512Mi"),
    keystore: resources("200m", "256Mi"),
  },
  replicas: { cloudsuite: 1, db: 2, keystore: 1 },
  office: { domain: "office.cloud.example.org", resources: resources("1000m", "1Gi") },
  whiteboard: { resources: resources("500m", "512Mi") },
  platform: {
    ...platform,
    secrets: { existing: { "cloudsuite-s3-credentials": "object-store" } },
  },
};

/** The least a suite can be: no office, no whiteboard. */
export const minimalSuite: CloudSuiteArgs = {
  ...completeSuite,
  versions: { cloudsuite: "31.0.8-apache", db: "16", keystore: "8.1.4-alpine" },
  office: undefined,
  whiteboard: undefined,
};

/** `suite` with some of its platform settings changed. */
export function onPlatform(suite: CloudSuiteArgs, platform: Partial<CloudSuiteArgs["platform"]>): CloudSuiteArgs {
  return { ...suite, platform: { ...suite.platform, ...platform } };
}

/** The complete suite on a network share, where several web pods can write. */
export const sharedSuite: CloudSuiteArgs = {
  ...completeSuite,
  storage: { ...completeSuite.storage, storageClass: "smb-csi" },
  replicas: { ...completeSuite.replicas, cloudsuite: 3 },
};
