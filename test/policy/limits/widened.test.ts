import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import { limitsPack } from "@hearth-platform/policy/limits/policies";
import { expect, it } from "vitest";
import { component, type Fixture } from "../support/fixtures.ts";
import { judged } from "../support/verdicts.ts";

const reason = "It runs there.";
const three: LimitsArgs = { databaseReplicas: { most: 3, reason } };
const one: LimitsArgs = { databaseReplicas: { least: 1, most: 2, reason } };
const newer: LimitsArgs = { databaseMajors: [17, 18].map((major) => ({ major, reason })) };
const five: LimitsArgs = { cloudsuiteReplicas: { most: 5, reason } };
const longhorn: LimitsArgs = { storageClasses: [{ name: "longhorn", multiWriter: true, expandable: true, reason }] };
const frankfurt: LimitsArgs = {
  regions: [{ name: "eu-central-1", endpoint: "s3.eu-central-1.amazonaws.com", reason }],
};
const web = (cloudsuite: number, storageClass: string) => ({ replicas: { cloudsuite }, storage: { storageClass } });

it.each<[policy: string, type: string, args: Record<string, unknown>, limits: LimitsArgs | undefined, told: string]>([
  ["lim-db-replicas", "Database", { instances: 4 }, undefined, "Profile production needs 2."],
  ["lim-db-replicas", "Database", { instances: 4 }, three, "Profile production needs 2 to 3."],
  [
    "lim-db-replicas",
    "Database",
    { instances: 1 },
    undefined,
    "Profile production needs 2. An entry allows another: `hearth:limits: {databaseReplicas: {least: 1, most: 2, reason: <why>}}`.",
  ],
  ["lim-db-replicas", "Database", { instances: 3 }, one, "Profile production needs 2 or 1."],
  [
    "lim-forge-web-replicas",
    "Forge",
    { replicas: { webservice: 1 } },
    undefined,
    "Profile production needs 2 or more. An entry allows another: `hearth:limits: {forgeWebReplicas: {least: 1, reason: <why>}}`.",
  ],
  ["lim-db-major", "CloudSuite", { versions: { db: "19" } }, newer, "The major version has to be from 12 to 18."],
  ["lim-cloudsuite-replicas", "CloudSuite", web(6, "smb-csi"), five, "There are 1 to 5 web pods."],
  ["lim-cloudsuite-replicas", "CloudSuite", web(2, "replicated-block"), five, "The volume allows only one writer."],
  [
    "lim-storage-class",
    "CloudSuite",
    web(1, "ceph"),
    longhorn,
    "The class has to be replicated-block, smb-csi or longhorn. An entry allows another: `hearth:limits: {storageClasses: [{name: <name>, multiWriter: false, expandable: true, reason: <why>}]}`.",
  ],
  [
    "lim-s3-location",
    "CloudSuite",
    { s3: { region: "eu-west-1", endpoint: "https://s3.example.org" } },
    frankfurt,
    "The region has to be fsn1, nbg1, hel1 or eu-central-1. An entry allows another: `hearth:limits: {regions: [{name: <region>, endpoint: <host of s3.endpoint>, reason: <why>}]}`.",
  ],
])("a violation of %s names what its own stack allows: %s %j", (id, type, args, limits, told) => {
  const [policy] = limitsPack.policies.filter((each) => each.id === id);
  const fixture: Fixture = component(type, args, { stack: { limits } });
  expect(policy && judged(policy, fixture).violations.map(({ message }) => message)).toEqual([told]);
  // The remedy is one sentence for every stack, so it names no number and no name that a stack could widen.
  expect(policy?.remediation).not.toMatch(/\b(12|16|2, or 1|Write 1)\b|Name the class/);
});
