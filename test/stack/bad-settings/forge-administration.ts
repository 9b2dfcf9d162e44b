import type { BadValues } from "./row.ts";

/** Bad values of what the forge's administrators set. */
export const forgeAdministrationValues: BadValues = {
  "forge.administration.timeZone": [
    ["Berlin", "time-zone"],
    ["CET+1", "time-zone"],
    ["Europe/Berln", "time-zone"],
    ["", "value"],
  ],
  "forge.administration.signUp": [["no", "type"]],
  "forge.administration.defaultProjectVisibility": [["secret", "value"]],
  "forge.administration.smtp": [
    [{}, "missing", "forge.administration.smtp.host"],
    [{ host: "mail.example.org" }, "missing", "forge.administration.smtp.from"],
    [{ host: "mail.example.org:587", from: "f@example.org" }, "server-port", "forge.administration.smtp.host"],
    [{ host: "smtp://mail.example.org", from: "f@example.org" }, "host-name", "forge.administration.smtp.host"],
    [{ host: "mail.example.org", from: "forge" }, "mail-address", "forge.administration.smtp.from"],
    [{ host: "mail.example.org", from: 'a"b@example.org' }, "mail-address", "forge.administration.smtp.from"],
    [{ host: "mail.example.org", from: "a\\b@example.org" }, "mail-address", "forge.administration.smtp.from"],
    [{ host: "mail.example.org", from: "a@example.org'" }, "mail-address", "forge.administration.smtp.from"],
    [{ host: "mail.example.org", from: "Forge <f@example.org>" }, "mail-address", "forge.administration.smtp.from"],
    [{ host: "mail.example.org", from: "f@example.org", user: "u" }, "mail-half", "forge.administration.smtp.password"],
    [
      { host: "mail.example.org", from: "f@example.org", password: { name: "a", key: "b" } },
      "mail-half",
      "forge.administration.smtp.user",
    ],
    [
      { host: "mail.example.org", from: "f@example.org", user: "u", password: "hunter2" },
      "secret",
      "forge.administration.smtp.password",
    ],
    [
      { host: "mail.example.org", from: "f@example.org", user: "u", password: { name: "Bad Name", key: "b" } },
      "object-name",
      "forge.administration.smtp.password.name",
    ],
    [
      { host: "mail.example.org", from: "f@example.org", user: "u", password: { name: "a", key: "b c" } },
      "data-key",
      "forge.administration.smtp.password.key",
    ],
    [{ host: "mail.example.org", from: "f@example.org", port: 0 }, "value", "forge.administration.smtp.port"],
    [
      { host: "mail.example.org", from: "f@example.org", security: "ssl" },
      "value",
      "forge.administration.smtp.security",
    ],
    [
      { host: "mail.example.org", from: "f@example.org", replyTo: "nobody" },
      "mail-address",
      "forge.administration.smtp.replyTo",
    ],
    [{ host: "u:hunter2@mail.example.org", from: "f@example.org" }, "host-name", "forge.administration.smtp.host"],
  ],
  "forge.administration.signOn.providers": [
    [
      [{ name: "OIDC", kind: "openid_connect", provider: { name: "a", key: "b" } }],
      "identifier",
      "forge.administration.signOn.providers[0].name",
    ],
    [
      [{ name: "a", kind: "oauth", provider: { name: "a", key: "b" } }],
      "value",
      "forge.administration.signOn.providers[0].kind",
    ],
    [[{ name: "a", kind: "saml" }], "missing", "forge.administration.signOn.providers[0].provider"],
    [
      [
        { name: "a", kind: "saml", provider: { name: "a", key: "b" } },
        { name: "a", kind: "saml", provider: { name: "a", key: "b" } },
      ],
      "shared",
      "forge.administration.signOn.providers[1].name",
    ],
    [[{ name: "a", kind: "saml", provider: "hunter2" }], "secret", "forge.administration.signOn.providers[0].provider"],
    ["github", "type"],
  ],
  "forge.administration.signOn.ldap": [
    [
      [{ name: "main", host: "ldaps://ldap.example.org", base: "dc=example" }],
      "host-name",
      "forge.administration.signOn.ldap[0].host",
    ],
    [
      [{ name: "main", host: "ldap.example.org", base: "example.org" }],
      "ldap-base",
      "forge.administration.signOn.ldap[0].base",
    ],
    [
      [{ name: "main", host: "ldap.example.org", base: "dc=x", bindDn: "cn=x" }],
      "ldap-half",
      "forge.administration.signOn.ldap[0].password",
    ],
    [
      [{ name: "main", host: "ldap.example.org", base: "dc=x", password: { name: "a", key: "b" } }],
      "ldap-half",
      "forge.administration.signOn.ldap[0].bindDn",
    ],
    [
      [{ name: "main", host: "ldap.example.org", base: "dc=x", encryption: "ssl" }],
      "value",
      "forge.administration.signOn.ldap[0].encryption",
    ],
    [
      [{ name: "main", host: "ldap.example.org", base: "dc=x", bindPassword: "hunter2" }],
      "unknown-key",
      "forge.administration.signOn.ldap[0].bindPassword",
    ],
  ],
  "forge.administration.signOn.autoCreate": [
    [["nobody"], "unknown-provider", "forge.administration.signOn.autoCreate[0]"],
    ["all", "type"],
  ],
};
