import { hubProjectValues } from "./hub-projects.ts";
import type { BadValues } from "./row.ts";

/** Bad values of the hub. */
export const hubValues: BadValues = {
  ...hubProjectValues,
  hub: [
    [false, "type"],
    ["yes", "type"],
  ],
  "hub.domain": [
    ["forge.example.org", "shared"],
    ["https://hub.example.org", "host-name"],
    ["hub.example.org/v2", "host-name"],
    ["hub", "host-name"],
    ["pages.example.org", "shared"],
    ["a.pages.example.org", "shared"],
  ],
  "hub.version": [
    ["latest", "hub-version"],
    ["2.14", "hub-version"],
    ["3.0.0", "hub-version"],
    ["1.10.0", "hub-version"],
    ["v2.14.3", "hub-version"],
    [2.14, "type"],
  ],
  "hub.forgeTokens": [["yes", "type"]],
  "hub.redirect": [["yes", "type"]],
  "hub.signOn": [
    [{ with: "ldap" }, "value", "hub.signOn.with"],
    [{ with: "provider" }, "required", "hub.signOn.issuer"],
    [
      {
        with: "provider",
        issuer: "http://idp.example.org",
        clientId: { name: "a", key: "b" },
        clientSecret: { name: "a", key: "c" },
      },
      "issuer",
      "hub.signOn.issuer",
    ],
    [
      {
        with: "provider",
        issuer: "https://u:hunter2@idp.example.org",
        clientId: { name: "a", key: "b" },
        clientSecret: { name: "a", key: "c" },
      },
      "secret",
      "hub.signOn.issuer",
    ],
    [
      {
        with: "provider",
        issuer: "https://idp.example.org?token=hunter2",
        clientId: { name: "a", key: "b" },
        clientSecret: { name: "a", key: "c" },
      },
      "issuer",
      "hub.signOn.issuer",
    ],
    [
      {
        with: "provider",
        issuer: "idp.example.org",
        clientId: { name: "a", key: "b" },
        clientSecret: { name: "a", key: "c" },
      },
      "issuer",
      "hub.signOn.issuer",
    ],
    [
      { with: "provider", issuer: "https://idp.example.org", clientId: "hub", clientSecret: "hunter2" },
      "secret",
      "hub.signOn.clientId",
    ],
    ...['https://id.example.org/"a', "https://id.example.org\\a", "https://id.example.org/<a>"].map(
      (issuer) =>
        [
          { with: "provider", issuer, clientId: "hub", clientSecret: { name: "oidc", key: "secret" } },
          "issuer",
          "hub.signOn.issuer",
        ] as const,
    ),
    [{ with: "forge", issuer: "https://x.example.org" }, "sign-on", "hub.signOn.issuer"],
    [{ with: "local", clientId: { name: "a", key: "b" } }, "sign-on", "hub.signOn.clientId"],
    [{ with: "local", adminGroup: "platform" }, "sign-on", "hub.signOn.adminGroup"],
    [{ with: "local", groupsClaim: "roles" }, "sign-on", "hub.signOn.groupsClaim"],
    [{ with: "forge", groupFilter: "(" }, "expression", "hub.signOn.groupFilter"],
    [{ with: "forge", groupFilter: "a**" }, "expression", "hub.signOn.groupFilter"],
    [{ with: "forge", scopes: ["a b"] }, "scope", "hub.signOn.scopes[0]"],
    [{ with: "forge", scopes: [] }, "scope", "hub.signOn.scopes"],
    [{ with: "forge", scopes: ["profile"] }, "scope", "hub.signOn.scopes"],
    [{ with: "forge", adminGroup: "" }, "value", "hub.signOn.adminGroup"],
    [
      {
        with: "provider",
        issuer: "https://idp.example.org",
        clientId: { name: "A b", key: "b" },
        clientSecret: { name: "a", key: "c" },
      },
      "object-name",
      "hub.signOn.clientId.name",
    ],
  ],
  "hub.storageQuota": [
    ["100 GB", "size"],
    ["100GB", "size"],
    ["-1", "size"],
    [100, "type"],
    ["unlimited", "size"],
    ["0Gi", "size"],
  ],
  "hub.garbageCollection.schedule": [
    ["weekly", "schedule"],
    ["0 3 * * 0", "schedule"],
    ["0 0 3 * * 9", "schedule"],
    ["0 0 24 * * 0", "schedule"],
    ["0 0 3 31 2,4,6,9,11 *", "schedule"],
    ["", "value"],
    [5, "type"],
  ],
  "hub.garbageCollection.deleteUntagged": [["true", "type"]],
  "hub.auditLog.purge": [["never", "type"]],
  "hub.auditLog.retentionDays": [
    [0, "value"],
    [-1, "value"],
    [10_001, "value"],
    [1.5, "type"],
    ["90", "type"],
  ],
  "hub.auditLog.schedule": [
    ["0 2 * * *", "schedule"],
    ["", "value"],
    [2, "type"],
  ],
  "hub.registryRoute": [["direct", "value"]],
  "hub.jobImage": [
    ["node", "image"],
    ["node:latest", "image"],
    ["NODE:24", "image"],
    ["u:hunter2@docker.io/library/node:24", "secret"],
    ["https://docker.io/library/node:24", "image"],
    ["a b", "image"],
  ],
  "hub.replicas.core": [
    [0, "value"],
    ["2", "type"],
    [-1, "value"],
    [1.5, "type"],
  ],
  "hub.replicas.trivy": [[1, "unknown-key"]],
  "hub.resources.core": [
    [
      { requests: { cpu: "100m", memory: "2Gi" }, limits: { cpu: "1000m", memory: "1Gi" } },
      "request-above-limit",
      "hub.resources.core.requests.memory",
    ],
    [{}, "missing", "hub.resources.core.requests"],
  ],
  "hub.networkPolicies": [[true, "network-policies"]],
  "hub.adminPassword": [["hunter2", "secret"]],
  "hub.proejcts": [[[], "unknown-key"]],
};
