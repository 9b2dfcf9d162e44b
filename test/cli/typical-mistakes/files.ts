import type { FileMistake } from "./mistake.ts";

const stack = "Pulumi.prod.yaml";
const suite = "suites/example/config.yaml";

/** What people write into a stack's file in their first week. */
export const stackMistakes: Readonly<Record<string, FileMistake>> = {
  "a prefix with a slip": {
    ...{ file: stack, edit: ["hearth:profile:", "heart:profile:"], at: "heart:profile" },
    ...{ says: "Nothing reads heart:profile below config.", remedy: "Did you mean hearth:profile?", alone: false },
  },
  "a setting beside config": {
    ...{ file: stack, edit: [/^config:/m, "hearth:dashboard: {}\nconfig:"], at: "hearth:dashboard" },
    ...{
      says: "Nothing reads hearth:dashboard beside config.",
      remedy: "Did you mean hearth:dashboards below config?",
    },
  },
  "an area without its prefix": {
    ...{ file: stack, edit: ["  hearth:dashboards:", "  dashboards:"], at: "  dashboards" },
    ...{ says: "Nothing reads dashboards below config.", remedy: "Did you mean hearth:dashboards?" },
  },
  "a profile that is none": {
    ...{ file: stack, edit: ["profile: production", "profile: prod"], at: "hearth:profile" },
    ...{ says: "hearth:profile: The value is not allowed.", remedy: "Write development or production." },
  },
  "no issuer": {
    ...{ file: stack, edit: [/ {4}clusterIssuer: .*\n/, ""], at: "hearth:ingress" },
    ...{ says: "hearth:ingress.clusterIssuer: The field is missing.", remedy: "Add it. cert-manager ClusterIssuer" },
  },
  "an issuer where a block belongs": {
    ...{
      file: stack,
      edit: [/hearth:ingress:\n( {4}.*\n)+/, "hearth:ingress: letsencrypt-prod\n"],
      at: "hearth:ingress",
    },
    ...{ says: "Found text, not a block of keys.", remedy: "Write a block of keys. Exposure of public hosts" },
  },
  "no source of secrets": {
    ...{ file: stack, edit: [/ {2}hearth:secrets:\n( {4}.*\n)+/, ""], at: "config:", alone: false },
    ...{
      says: "with the object store's keys can't be generated.",
      remedy: "Name the store that holds it (secrets.store)",
    },
  },
  "a URL as a domain": {
    ...{ file: stack, edit: ["domain: example.org", "domain: https://example.org"], at: "hearth:domain" },
    ...{ says: "hearth:domain: The value has a scheme.", remedy: "Write only the host name" },
  },
  "a tab": {
    ...{ file: stack, edit: ["    ssh:", "\tssh:"], at: "\tssh:" },
    ...{ says: "Tabs are not allowed as indentation.", remedy: "Indent with spaces." },
  },
  "a key twice": {
    ...{
      file: stack,
      edit: ["  hearth:forge:", "  hearth:namespace: code\n  hearth:forge:"],
      at: "hearth:namespace: code",
    },
    ...{ says: 'The key "hearth:namespace" appears twice.', remedy: "Keep one of the two." },
  },
  "a suite's file that is elsewhere": {
    ...{ file: stack, edit: ["config: suites/example", "config: example"], at: "config: example" },
    ...{ says: "The file does not exist.", remedy: "Paths are relative to the folder of Pulumi.yaml." },
  },
  "one file for two suites": {
    ...{ file: stack, at: "config: suites/example/config.yaml" },
    ...{
      edit: ["cloudsuites:\n", "cloudsuites:\n    - name: second\n      config: suites/example/config.yaml # too\n"],
    },
    ...{ says: "The file is also that of cloudsuites[0].config.", remedy: "Each suite needs a file of its own" },
  },
  "one host for two areas": {
    ...{ file: stack, edit: ["sync.example.org", "hub.example.org"], at: "domain: hub.example.org" },
    ...{ says: "The host is also the hearth:hub.domain of this stack.", remedy: "Each needs its own." },
  },
  "a suffix that makes names too long": {
    ...{ file: stack, edit: ["Suffix: e5f6", `Suffix: ${"our-".repeat(12)}own`], at: "bucketSuffix", alone: false },
    ...{ says: "The bucket's name has", remedy: "In a name like <use>-<suffix>-<namespace> each part counts." },
  },
  "a class of another cloud": {
    ...{
      file: stack,
      edit: ["  hearth:forge:", "  hearth:storageClass: gp3\n  hearth:forge:"],
      at: "hearth:storageClass",
    },
    ...{ says: "hearth:storageClass: The value is not allowed.", remedy: "`hearth:limits: {storageClasses: [{name:" },
  },
  "a region that is not the endpoint's": {
    ...{ file: stack, edit: ["region: fsn1", "region: us-east-1"], at: "region: us-east-1" },
    ...{
      says: "The region is us-east-1, but the buckets' endpoint",
      remedy: "Write region fsn1, or the endpoint of us-east-1.",
    },
  },
  "a major that the forge does not run on": {
    ...{ file: stack, at: "version:" },
    ...{ edit: ["  hearth:forge:", '  hearth:database:\n    version: "16"\n  hearth:forge:'] },
    ...{
      says: "runs on PostgreSQL 17 to 18, and the database is 16.",
      remedy: "docs/how-to/gitlab-19.md has every step",
    },
  },
  "half a version": {
    ...{ file: stack, edit: ["  hearth:forge:\n", '  hearth:forge:\n    version: "19"\n'], at: 'version: "19"' },
    ...{ says: "The value is not a version of the forge.", remedy: "Write it like 19." },
  },
  "pages without an issuer of wildcards": {
    ...{ file: stack, edit: [/ {4}wildcardClusterIssuer: .*\n/, ""], at: "hearth:ingress" },
    ...{
      says: "Only an issuer with a DNS-01 solver can issue it",
      remedy: "Name a ClusterIssuer with a DNS-01 solver, or remove pages.",
    },
  },
  "sign-on with a forge that is not there": {
    ...{ file: stack, edit: [/ {2}hearth:forge:\n( {4}.*\n)+/, ""], at: "      with: forge", alone: false },
    ...{ says: "The stack has no forge to sign on with.", remedy: "Add hearth:forge, or set with: provider" },
  },
  "a name of data with a slip": {
    ...{ file: stack, at: "hearth:allowDataLoss" },
    ...{ edit: ["  hearth:forge:", "  hearth:allowDataLoss: [platform/forge-dbs]\n  hearth:forge:"] },
    ...{ says: "No object that holds data is called", remedy: "Did you mean platform/forge-db?" },
  },
  "an encrypted setting": {
    ...{ file: stack, edit: ["domain: example.org", "domain:\n    secure: v1:abc"], at: "    secure:" },
    ...{ says: "domain is encrypted.", remedy: "Settings hold no secrets: write the value in clear text" },
  },
  "a site without its repository": {
    ...{ file: stack, edit: [/ +repo: .*\n/, ""], at: "domain: handbook.example.org" },
    ...{ says: "The site has no repo, which its operator asks for.", remedy: "Write the address of its repository" },
  },
  "a project that is not listed": {
    ...{ file: stack, edit: ["projects: [apps]", "projects: [app]"], at: "projects: [app]" },
    ...{ says: 'There is no project "app" in the settings.', remedy: "Add it to projects, or write apps" },
  },
  "a yes": {
    ...{ file: stack, edit: ["networkPolicies: true", "networkPolicies: yes"], at: "hearth:networkPolicies" },
    ...{ says: "Found text, not true or false.", remedy: "Write true or false." },
  },
  "a lock that nobody wrote": {
    ...{ file: stack, edit: ["pullSecrets: [registry]", "lock: images.lock.json"], at: "lock:" },
    ...{ says: "The file does not exist.", remedy: "Write it with `./hearth images lock --stack prod`." },
  },
};

/** What they write into a suite's config.yaml. */
export const suiteMistakes: Readonly<Record<string, FileMistake>> = {
  "a field with a slip": {
    ...{ file: suite, edit: [/^domain:/m, "domian:"], at: "domian:", alone: false },
    ...{ says: 'Unknown key "domian".', remedy: "Did you mean domain?" },
  },
  "a number that is text": {
    ...{ file: suite, edit: ['db: "16"', "db: 16"], at: "  db: 16" },
    ...{ says: "versions.db: Found a number, not text.", remedy: "Put it in quotes." },
  },
  "a major beyond the specification's": {
    ...{ file: suite, edit: ['db: "16"', 'db: "17"'], at: '  db: "17"' },
    ...{ says: "versions.db: The value is not allowed.", remedy: "`hearth:limits: {databaseMajors: [{major: 17" },
  },
  megabytes: {
    ...{ file: suite, edit: [/memory: \w+/, "memory: 512MB"], at: "memory: 512MB" },
    ...{ says: "The value is not a size with a binary suffix.", remedy: "for example 512Mi or 10Gi." },
  },
  "half a core in words": {
    ...{ file: suite, edit: [/cpu: \w+/, "cpu: half"], at: "cpu: half" },
    ...{ says: "The value is not CPU in millicores.", remedy: "for example 200m." },
  },
  "a request above its limit": {
    ...{ file: suite, edit: [/limits: \{ cpu: \w+/, "limits: { cpu: 10m"], at: "requests: { cpu" },
    ...{ says: "is above the limit 10m.", remedy: "Lower the request or raise the limit." },
  },
  "pods of the office": {
    ...{ file: suite, edit: ["replicas:\n", "replicas:\n  office: 1\n"], at: "  office: 1" },
    ...{ says: 'Unknown key "office".', remedy: "Known here: cloudsuite, db, keystore." },
  },
  "several pods on a volume for one": {
    ...{ file: suite, edit: [/storageClass: .*/, "storageClass: replicated-block"], at: "  cloudsuite: 3" },
    ...{ says: "which allows only one writer.", remedy: "Write 1, or set storage.storageClass to smb-csi" },
  },
  "an office without its host": {
    ...{ file: suite, edit: [/ {2}domain: office.*\n/, ""], at: "office:" },
    ...{ says: "office.domain: The field is missing.", remedy: "a subdomain of the suite's domain" },
  },
  "an endpoint without its scheme": {
    ...{ file: suite, edit: ["endpoint: https://", "endpoint: "], at: "endpoint:" },
    ...{ says: "The value is not a URL.", remedy: "Write it like https://" },
  },
  "a namespace in capitals": {
    ...{ file: suite, edit: [/^namespace: .*/m, "namespace: Cloud"], at: "namespace: Cloud" },
    ...{ says: "The value is not a DNS label.", remedy: "Use 1 to 63 lower-case letters" },
  },
  "the latest image": {
    ...{ file: suite, edit: [/cloudsuite: .*-apache/, "cloudsuite: latest"], at: "cloudsuite: latest" },
    ...{ says: "does not start with a version number", remedy: "Write it like 34." },
  },
};
