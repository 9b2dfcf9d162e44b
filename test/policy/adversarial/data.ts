import { object, passing, type Row, row, type Tree } from "./row.ts";

const secrets = "sec-no-plain-secret";
const map = (data: Tree, more: Tree = {}, metadata: Tree = {}) =>
  object("v1", "ConfigMap", { data, ...more }, metadata);
const binary = (name: string, text: string) =>
  map({}, { binaryData: { [name]: Buffer.from(text).toString("base64") } });
const file = (name: string, text: string) => map({ [name]: text });
const random = "x7Kq2Wp9Zt4Rb6YnQ8";

/** Formats in which a setting is written, with what comes before and after its value. */
const formats: Readonly<Record<string, (name: string, value: string) => string>> = {
  "a shell's": (name, value) => `export ${name}=${value}`,
  "an .env": (name, value) => `TZ=UTC\n${name}="${value}"\n`,
  YAML: (name, value) => `app:\n  ${name}: ${value}\n`,
  "a YAML list": (name, value) => `users:\n- ${name}: '${value}'\n`,
  JSON: (name, value) => JSON.stringify({ app: { [name]: value } }, null, 2),
  "JSON on one line": (name, value) => JSON.stringify({ a: 1, [name]: value }),
  INI: (name, value) => `[app]\n${name} = ${value}\n`,
  TOML: (name, value) => `[app]\n${name} = "${value}"\n`,
  PHP: (name, value) => `$CONFIG = array(\n  '${name}' => '${value}',\n);`,
  XML: (name, value) => `<app><${name}>${value}</${name}></app>`,
  "a URL's query": (name, value) => `https://example.org/hook?a=b&${name}=${value}`,
  "a connection string": (name, value) => `host=db.example.org user=app ${name}=${value}`,
};
const names = ["password", "DB_PASSWD", "client_secret", "api_key", "adminToken"];

/** Texts that are secrets by their form alone. */
const forms: Readonly<Record<string, string>> = {
  "a private key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----",
  "an SSH key": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----",
  "a key of AWS by its name": "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzLEKEYq",
  "an access key id of AWS": "AKIAQYLPMN5HHHFPZAM2",
  "a token of GitHub": "ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5",
  "a token of GitLab": "glpat-aB3dE5fG7hI9jK1lM3nO",
  "a token of Slack": "xoxb-123456789012-1234567890123-aB3dE5fG7hI9jK1lM3nO5pQ7",
  "a token of npm": "//registry.npmjs.org/:_authToken=npm_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5",
  "a key of Stripe": "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
  "an address of PostgreSQL": "postgresql://app:hunter2@db.example.org:5432/app",
  "an address of a keystore": "redis://:hunter2@keystore:6379/0",
  "an address of git": "https://oauth2:glpat-x@example.org/team/app.git",
  "a .netrc": "machine example.org login app password hunter2",
  "a .pgpass": "db.example.org:5432:*:app:hunter2",
  "a statement": "CREATE ROLE app LOGIN PASSWORD 'hunter2';",
};

const owner = "Cluster";
const cnpg = "postgresql.cnpg.io/v1";
const release = (values: Tree) => object("helm.toolkit.fluxcd.io/v2", "HelmRelease", { spec: { values } });

export const secretRows: readonly Row[] = [
  ...Object.entries(formats).flatMap(([format, write]) =>
    names.map((name) =>
      row(
        `${name} in ${format} (Polaris sensitiveConfigmapContent)`,
        file("app.conf", write(name, "hunter2")),
        secrets,
      ),
    ),
  ),
  ...names.map((name) =>
    row(`${name} as a key of a ConfigMap (Polaris sensitiveConfigmapContent)`, map({ [name]: "hunter2" }), secrets),
  ),
  ...Object.entries(forms).flatMap(([what, text]) => [
    row(`${what} in a ConfigMap (gitleaks, secretlint)`, file("notes", `before\n${text}\nafter`), secrets),
    row(`${what} as binary data`, binary("blob", text), secrets),
  ]),
  row("a key in an annotation", map({}, {}, { annotations: { note: forms["a private key"] } }), secrets),
  row(
    "a token in a Service's annotation",
    object("v1", "Service", { spec: {} }, { annotations: { note: forms["a token of GitHub"] } }),
    secrets,
  ),
  row(
    "a token in a namespace's annotation",
    object("v1", "Namespace", {}, { annotations: { note: forms["a token of GitLab"] } }),
    secrets,
  ),
  row("an address with a password in somebody's release", release({ url: forms["an address of PostgreSQL"] }), secrets),
  row("a token in somebody's release", release({ extra: { deep: [forms["a token of GitHub"]] } }), secrets),
  row(
    "a statement's key in a database's first SQL",
    object(cnpg, owner, {
      spec: { instances: 2, bootstrap: { initdb: { postInitSQL: ["SELECT 'postgres://app:hunter2@db/app'"] } } },
    }),
    secrets,
  ),
  row("a random value of a vague name (gitleaks generic-api-key)", file("app.env", `AUTH=${random}`), secrets),
  row("a random salt (gitleaks generic-api-key)", file("app.yaml", `salt: ${random}`), secrets),
  row(
    "an image pull's credentials (Kubernetes: dockerconfigjson belongs in a Secret)",
    file("config.json", '{"auths":{"example.org":{"auth":"YXBwOng3S3EyV3A5WnQ0UmI2WW4="}}}'),
    secrets,
  ),
  passing(
    "a file's name for a password",
    file("app.ini", "password_file = /run/secrets/db"),
    "It says where the secret is.",
  ),
  passing("a variable for a password", file("app.ini", "password = $DB_PASSWORD"), "It is filled in later."),
  passing("a template for a password", file("app.yaml", "password: {{ .password }}"), "It is filled in later."),
  passing("an empty password", file("app.json", '{"password": ""}'), "There is none."),
  passing("a Secret's name", file("app.json", '{"secretName": "db"}'), "It says where the secret is."),
  passing("a public key", file("key.pub", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE2 app"), "It is public."),
  passing(
    "a certificate",
    file("ca.crt", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"),
    "It is public.",
  ),
  passing("a hash", file("commit", "0123456789abcdef0123456789abcdef01234567"), "Nothing says that it is a secret."),
];

const protect = "st-protect";
const claim = (spec: Tree) => object("v1", "PersistentVolumeClaim", { spec });
const volume = (spec: Tree) => object("v1", "PersistentVolume", { spec });
const defaultClass = { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };

export const storageRows: readonly Row[] = [
  row(
    "a volume on the node's root (Kyverno restrict-hostpath-pv)",
    volume({ hostPath: { path: "/" } }),
    "st-host-path",
  ),
  row(
    "a volume on the runtime's socket",
    volume({ hostPath: { path: "/run/containerd/containerd.sock", type: "Socket" } }),
    "st-host-path",
  ),
  row("a volume on the node's passwords", volume({ local: { path: "/etc" } }), "st-host-path"),
  row("a volume on the kubelet's folder", volume({ local: { path: "/var/lib/kubelet" } }), "st-host-path"),
  row(
    "a claim nobody protects",
    claim({ storageClassName: "smb-csi", accessModes: ["ReadWriteMany"], resources: { requests: { storage: "5Gi" } } }),
    protect,
  ),
  row(
    "a claim of another class (Kyverno restrict-storageclass)",
    claim({
      storageClassName: "standard",
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "5Gi" } },
    }),
    "lim-storage-class",
  ),
  row(
    "a claim of the default class",
    claim({ accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "5Gi" } } }),
    "lim-storage-class",
  ),
  row(
    "many writers of a block",
    claim({ storageClassName: "replicated-block", accessModes: ["ReadWriteMany"] }),
    "lim-storage-mode",
  ),
  row("a claim of no size", claim({ storageClassName: "smb-csi", accessModes: ["ReadWriteMany"] }), "st-volume-claims"),
  row(
    "a default class that deletes (Kyverno require-storageclass' kin)",
    object("storage.k8s.io/v1", "StorageClass", { reclaimPolicy: "Delete" }, defaultClass),
    protect,
  ),
  row("a default class that says nothing", object("storage.k8s.io/v1", "StorageClass", {}, defaultClass), protect),
  row(
    "a platform's class that deletes",
    object("storage.k8s.io/v1", "StorageClass", { reclaimPolicy: "Delete" }, { name: "smb-csi" }),
    protect,
  ),
  row(
    "a set whose volumes go with it",
    object("apps/v1", "StatefulSet", { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } } }),
    protect,
  ),
  row("a database that is dropped", object(cnpg, "Database", { spec: { ensure: "absent" } }), protect),
  row(
    "a database that goes with its object",
    object(cnpg, "Database", { spec: { databaseReclaimPolicy: "delete" } }),
    protect,
  ),
  row(
    "a schema that is dropped",
    object(cnpg, "Database", { spec: { schemas: [{ name: "app", ensure: "absent" }] } }),
    protect,
  ),
];
