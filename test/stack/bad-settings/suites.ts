import type { BadValues } from "./row.ts";

const password = { name: "mine", key: "password" };
const database = { host: "db.example.org", port: 5432, database: "x", user: "x", password };
const at = "cloudsuites[0]";

/** Bad values of a suite in the stack. */
export const suiteValues: BadValues = {
  cloudsuites: [
    [{}, "type"],
    ["team", "type"],
    [[null], "type", at],
    [[{ name: "team" }], "missing", `${at}.config`],
  ],
  "cloudsuites[0].name": [
    ["Team", "dns-label"],
    ["", "value"],
    [5, "type"],
    ["a".repeat(64), "dns-label"],
  ],
  "cloudsuites[0].config": [
    ["none.yaml", "file"],
    [".", "file"],
    ["", "value"],
    [5, "type"],
    ["a\0b", "file"],
  ],
  "cloudsuites[0].signOn": [
    ["forge", "type"],
    [{}, "missing", `${at}.signOn.with`],
    [{ with: "ldap" }, "value", `${at}.signOn.with`],
    [{ with: "forge", groups: ["a ", "b"] }, "group", `${at}.signOn.groups[0]`],
    [{ with: "forge", groups: ["a".repeat(59)] }, "group", `${at}.signOn.groups[0]`],
    [{ with: "forge", scopes: ["profile"] }, "scope", `${at}.signOn.scopes`],
    [{ with: "provider", issuer: "http://id.example.org" }, "issuer", `${at}.signOn.issuer`],
    [{ with: "provider", issuer: "https://u:hunter2@id.example.org" }, "secret", `${at}.signOn.issuer`],
    [{ with: "provider", identifier: "The club" }, "dns-label", `${at}.signOn.identifier`],
    [{ with: "forge", gitlabToken: "glpat-hunter2" }, "secret", `${at}.signOn.gitlabToken`],
    [{ with: "forge", clientSecret: { name: "a", key: "b" } }, "sign-on", `${at}.signOn.clientSecret`],
  ],
  "cloudsuites[0].push": [
    [true, "type"],
    [{}, "missing", `${at}.push.enabled`],
    [{ enabled: "yes" }, "type", `${at}.push.enabled`],
    [{ enabled: true, version: "-1" }, "image-tag", `${at}.push.version`],
  ],
  "cloudsuites[0].previews": [
    [{}, "missing", `${at}.previews.enabled`],
    [{ enabled: true, pdf: false }, "unknown-key", `${at}.previews.pdf`],
    [{ enabled: true, version: "a b" }, "image-tag", `${at}.previews.version`],
  ],
  "cloudsuites[0].officeEngine": [["libreoffice", "value"]],
  "cloudsuites[0].maintenance": [
    ["on", "type"],
    [1, "type"],
  ],
  "cloudsuites[0].users": [
    [-1, "value"],
    ["40", "type"],
    [1.5, "type"],
  ],
  "cloudsuites[0].files": [
    [-1, "value"],
    ["many", "type"],
  ],
  "cloudsuites[0].webSize": [
    ["10GB", "size"],
    ["10", "size"],
    ["", "value"],
  ],
  "cloudsuites[0].recover": [
    [{}, "recovery-time"],
    [{ targetTime: "now" }, "recovery-time", `${at}.recover.targetTime`],
    [{ suffix: "R" }, "dns-label", `${at}.recover.suffix`],
    [{ suffix: "a".repeat(31) }, "recovery-suffix", `${at}.recover.suffix`],
    [{ suffix: "r1", source: "Bad Name" }, "dns-label", `${at}.recover.source`],
  ],
  "cloudsuites[0].database": [
    [{ ...database, host: "postgres://u:hunter2@db.example.org/x" }, "secret", `${at}.database.host`],
    [{ ...database, host: "db.example.org:5432" }, "server-host", `${at}.database.host`],
    [{ ...database, host: "db example" }, "server-host", `${at}.database.host`],
    [{ ...database, port: 0 }, "value", `${at}.database.port`],
    [{ ...database, port: "5432" }, "type", `${at}.database.port`],
    [{ ...database, database: "" }, "value", `${at}.database.database`],
    [{ ...database, password: "hunter2" }, "secret", `${at}.database.password`],
    [{ ...database, password: undefined }, "missing", `${at}.database.password`],
    [{ ...database, password: { name: "Bad Name", key: "x" } }, "object-name", `${at}.database.password.name`],
    [{ ...database, password: { name: "mine", key: "a b" } }, "data-key", `${at}.database.password.key`],
  ],
  "cloudsuites[0].keystore": [
    [{ host: "redis://:hunter2@r.example.org", port: 6379 }, "secret", `${at}.keystore.host`],
    [{ host: "r.example.org:6379", port: 6379 }, "server-host", `${at}.keystore.host`],
    [{ host: "r.example.org", port: 70_000 }, "value", `${at}.keystore.port`],
    [{ host: "r.example.org" }, "missing", `${at}.keystore.port`],
    [{ host: "r.example.org", port: 6379, password: "hunter2" }, "secret", `${at}.keystore.password`],
  ],
  "cloudsuites[0].existingBuckets": [["no", "type"]],
  "cloudsuites[0].domain": [["x.example.org", "unknown-key"]],
  "cloudsuites[0].adminPassword": [["hunter2", "secret"]],
};
