import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, type Violation, violation } from "../../core/policy.ts";

const clusterKind = "postgresql.cnpg.io/Cluster";
const poolerKind = "postgresql.cnpg.io/Pooler";

/** Parameters by which a password or its way is unprotected. */
const parameters: readonly (readonly [name: string, weak: RegExp])[] = [
  ["ssl", /^(?:off|false|no|0)$/i],
  ["password_encryption", /^md5$/i],
  ["ssl_min_protocol_version", /^TLSv1(?:\.[01])?$/i],
];

/** Rights of a role that let it leave its database. */
const strongRights = ["superuser", "replication", "bypassrls", "createrole"];

/** Roles of PostgreSQL that run programs and read files of the pod, or read and write everything. */
const strongRoles = /^(?:postgres|pg_(?:execute_server_program|(?:read|write)_server_files|(?:read|write)_all_data))$/i;

/** Statements that give such rights, or run programs and read files of the pod. */
const strongStatement =
  /\b(?:SUPERUSER|BYPASSRLS|CREATEROLE|REPLICATION)\b(?!\s+SLOT)|\bpg_(?:execute_server_program|read_server_files|write_server_files|read_all_data|write_all_data)\b|\b(?:FROM|TO)\s+PROGRAM\b|\bpl(?:python3?|perl|tcl)u\b|\bGRANT\s+postgres\b/i;

export const databaseAccess = resourcePolicy({
  id: "sec-database-access",
  title: "Nobody is the database's superuser",
  rule: "The superuser of a database can't sign in over the network, everybody who signs in proves who they are, and no role has a superuser's rights.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation:
    "Leave enableSuperuserAccess out, let pg_hba ask for scram-sha-256 or a certificate, and give the role only rights in its database.",
  unseen: "Statements in a ConfigMap or a Secret, and what a role grants later.",
  tags: ["secrets", "database", "access"],
  settings: {},
  kinds: [clusterKind, poolerKind],
  *check(resource) {
    const spec = resource.get("spec");
    const settings = resource.groupKind === poolerKind ? spec.get("pgbouncer") : spec.get("postgresql");
    for (const line of settings.get("pg_hba").items) yield* lineProblems(line);
    const how = settings.get("parameters", "auth_type");
    if (resource.groupKind === poolerKind && /^(?:any|trust|plain|md5)$/.test(how.text ?? ""))
      yield violation(how, "It must be scram-sha-256, cert or hba.");
    if (resource.groupKind === poolerKind) return;
    const superuser = spec.get("enableSuperuserAccess");
    if (superuser.value === true) yield violation(superuser, "It must not be true.");
    for (const [name, weak] of parameters) {
      const field = settings.get("parameters", name);
      if (weak.test(field.text ?? "")) yield violation(field, "It must not leave passwords unprotected.");
    }
    for (const role of spec.get("managed", "roles").items) {
      for (const right of strongRights)
        if (role.get(right).value === true) yield violation(role.get(right), "It must not be true.");
      for (const member of role.get("inRoles").items)
        if (strongRoles.test(member.text ?? "")) yield violation(member, "It must not have a superuser's rights.");
    }
    for (const [key, list] of spec.get("bootstrap", "initdb").entries)
      for (const statement of /SQL$/.test(key) ? list.items : [])
        if (strongStatement.test(statement.text ?? ""))
          yield violation(statement, "It must not give a superuser's rights, or run programs.");
  },
});

/** A line of pg_hba.conf: type, database, user, address, method, options. */
function* lineProblems(line: Field): Generator<Violation> {
  const text = (line.text ?? "").replace(/#.*$/, "").replace(/\s*,\s*/g, ",");
  const words: readonly string[] = text.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  // A network may be an address and its mask.
  const methodAt = /^local$/i.test(words[0] ?? "")
    ? 3
    : /^[\d.]+$|^[\da-f:]*:[\da-f:.]*$/i.test(words[4] ?? "")
      ? 5
      : 4;
  if (/^"?(?:trust|password|ident|md5)"?$/i.test(words[methodAt] ?? ""))
    yield violation(line, "Its method must be scram-sha-256, cert, or reject.");
  else if (/^hostnossl$/i.test(words[0] ?? "") && !words.includes("reject"))
    yield violation(line, "It must be hostssl: a password would go over the network in the clear.");
}
