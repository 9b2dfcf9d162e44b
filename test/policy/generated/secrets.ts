import fc from "fast-check";
import { type Case, type Cases, caseOf, crossed, kubernetes, type Tree } from "./case.ts";

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
const map = (data: Tree) => kubernetes("v1", "ConfigMap", { data });
const pod = (container: Tree) => kubernetes("v1", "Pod", { spec: { containers: [{ name: "app", ...container }] } });
const custom = (apiVersion: string, kind: string) => (spec: Tree) => kubernetes(apiVersion, kind, { spec });
const cluster = custom("postgresql.cnpg.io/v1", "Cluster");
const middleware = custom("traefik.io/v1alpha1", "Middleware");
const monitor = custom("monitoring.coreos.com/v1", "ServiceMonitor");
const external = custom("external-secrets.io/v1", "ExternalSecret");
const issuer = custom("cert-manager.io/v1", "ClusterIssuer");

/** Where a text may stand in an object, whatever it is. */
export const carriers: Readonly<Record<string, (text: string) => Tree>> = {
  "a ConfigMap": (text) => map({ notes: text }),
  "a ConfigMap among others": (text) => map({ "app.conf": `listen = 80\n${text}\ntimeout = 30\n` }),
  "a ConfigMap in base64": (text) => map({ blob: base64(`notes\n${text}\n`) }),
  "a ConfigMap in base64 twice": (text) => map({ blob: base64(base64(`notes\n${text}\n`)) }),
  "binary data": (text) => kubernetes("v1", "ConfigMap", { binaryData: { blob: base64(`\u0001\n${text}\n`) } }),
  "an annotation": (text) => kubernetes("v1", "Service", {}, { annotations: { note: text } }),
  "a Secret's annotation": (text) => kubernetes("v1", "Secret", {}, { annotations: { note: text } }),
  "a pod's annotation": (text) =>
    kubernetes("apps/v1", "Deployment", { spec: { template: { metadata: { annotations: { note: text } } } } }),
  "a variable": (text) => pod({ env: [{ name: "NOTES", value: text }] }),
  "an argument": (text) => pod({ args: ["serve", text] }),
  "a script": (text) => pod({ command: ["sh", "-c", `set -eu\n${text}\n`] }),
  "a hook": (text) => pod({ lifecycle: { postStart: { exec: { command: ["sh", "-c", text] } } } }),
  "a probe's header": (text) => pod({ livenessProbe: { httpGet: { httpHeaders: [{ name: "X-Note", value: text }] } } }),
  "a database's SQL": (text) => cluster({ bootstrap: { initdb: { postInitSQL: [text] } } }),
  "a database's variable": (text) => cluster({ env: [{ name: "NOTES", value: text }] }),
  "a middleware's header": (text) => middleware({ headers: { customRequestHeaders: { Note: text } } }),
  "a monitor's parameter": (text) => monitor({ endpoints: [{ params: { note: [text] } }] }),
  "an external secret's template": (text) => external({ target: { template: { data: { "app.conf": text } } } }),
  "a store of secrets": (text) =>
    custom("external-secrets.io/v1", "SecretStore")({ provider: { webhook: { url: "https://vault", body: text } } }),
  "an issuer's solver": (text) => issuer({ acme: { solvers: [{ dns01: { webhook: { config: { note: text } } } }] } }),
  "a chart's values": (text) => custom("helm.toolkit.fluxcd.io/v2", "HelmRelease")({ values: { app: { extra: [text] } } }),
  "a kind nobody knows": (text) => custom("example.org/v1", "Thing")({ deep: [{ deeper: { deepest: text } }] }),
};

const word = (least: number, more: string) => fc.stringMatching(new RegExp(`^[A-Za-z][0-9][a-z][A-Z][${more}]{${least}}$`));

/** Secrets by their form. */
const forms: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "a private key": fc
    .constantFrom("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY")
    .map((kind) => `-----BEGIN ${kind}-----`),
  "a JWT": word(30, "A-Za-z0-9_-").map((end) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhcHAiLCJhIjoxfQ.${end}`),
  "a token of GitLab": fc
    .tuple(fc.constantFrom("glpat", "gldt", "glrt", "glptt", "glcbt"), word(20, "A-Za-z0-9_"))
    .map((parts) => parts.join("-")),
  "a token of GitHub": fc
    .tuple(fc.constantFrom("ghp", "gho", "ghs", "ghu"), word(32, "A-Za-z0-9"))
    .map((parts) => parts.join("_")),
  "an access key of AWS": fc.stringMatching(/^A(?:KIA|SIA)[A-Z2-7]{16}$/),
  "a token of Slack": word(20, "A-Za-z0-9").map((end) => `xoxb-123456789012-1234567890123-${end}`),
  "a token of Vault": word(86, "A-Za-z0-9").map((end) => `hvs.${end}`),
  "a key of Google": word(31, "A-Za-z0-9_-").map((end) => `AIza${end}`),
  "an address with a password": fc
    .tuple(fc.constantFrom("postgres", "redis", "amqp", "https", "mongodb+srv"), word(3, "a-z0-9"))
    .map(([scheme, password]) => `${scheme}://app:${password}@db.example.org/app`),
  "a connection string": word(3, "a-z0-9").map((password) => `host=db user=app password=${password} dbname=app`),
  "a driver's address": word(3, "a-z0-9").map((password) => `app:${password}@tcp(db.example.org:3306)/app`),
  "a header": word(10, "a-z0-9").map((password) => `Authorization: Basic ${base64(`app:${password}`)}`),
  "a bearer's header": word(20, "A-Za-z0-9").map((token) => `Authorization: Bearer ${token}`),
  "a password's hash": fc.stringMatching(/^admin:\$2y\$05\$[A-Za-z0-9./]{53}$/),
  "a statement": word(3, "a-z0-9").map((password) => `ALTER ROLE app WITH PASSWORD '${password}';`),
  "a login of curl": word(3, "a-z0-9").map((password) => `curl -u app:${password} https://example.org`),
  "an option": word(3, "a-z0-9").map((password) => `app --admin-password ${password}`),
  "a setting in JSON": word(3, "a-z0-9").map((password) => JSON.stringify({ db: { password } })),
  "a setting in escaped JSON": word(3, "a-z0-9").map((password) =>
    JSON.stringify({ db: JSON.stringify({ password }) }),
  ),
  "a key of a certificate in base64": fc.constant(base64("-----BEGIN RSA PRIVATE KEY-----\nMIIE")),
};

/** Where the name says what a value is, and the value nothing. */
const named: Readonly<Record<string, (value: string) => Tree>> = {
  "a label": (value) => kubernetes("v1", "Service", {}, { labels: { password: value } }),
  "an annotation": (value) => kubernetes("v1", "Namespace", {}, { annotations: { "example.org/api-key": value } }),
  "a ConfigMap's key": (value) => map({ DB_PASSWORD: value }),
  "a variable": (value) => pod({ env: [{ name: "ADMIN_PASSWORD", value }] }),
  "an init container's variable": (value) =>
    kubernetes("batch/v1", "Job", {
      spec: { template: { spec: { initContainers: [{ name: "a", env: [{ name: "API_TOKEN", value }] }] } } },
    }),
  "an option and its value": (value) => pod({ args: ["serve", "--admin-password", value] }),
  "an option with its value": (value) => pod({ args: [`--client-secret=${value}`] }),
  "another program's login": (value) => pod({ args: ["-u", `app:${value}`] }),
  "a keystore's client": (value) => pod({ livenessProbe: { exec: { command: ["redis-cli", "-a", value, "ping"] } } }),
  "a database's variable": (value) => cluster({ env: [{ name: "PGPASSWORD", value }] }),
  "a database's source": (value) => cluster({ externalClusters: [{ connectionParameters: { password: value } }] }),
  "a monitor's login": (value) => monitor({ endpoints: [{ basicAuth: { username: "app", password: value } }] }),
  "a monitor's token": (value) => monitor({ endpoints: [{ bearerToken: value }] }),
  "a middleware's header": (value) => middleware({ headers: { customRequestHeaders: { "X-Api-Key": value } } }),
  "a middleware's plugin": (value) => middleware({ plugin: { signOn: { clientSecret: value } } }),
  "an external secret's template": (value) => external({ target: { template: { data: { password: value } } } }),
  "a fake store's value": (value) =>
    custom("external-secrets.io/v1", "ClusterSecretStore")({ provider: { fake: { data: [{ key: "db/password", value }] } } }),
  "a solver's key": (value) => issuer({ acme: { solvers: [{ dns01: { webhook: { config: { apiKey: value } } } }] } }),
  "a certificate's keystore": (value) =>
    custom("cert-manager.io/v1", "Certificate")({ keystores: { pkcs12: { create: true, password: value } } }),
  "an autoscaler's trigger": (value) =>
    custom("keda.sh/v1alpha1", "ScaledObject")({ triggers: [{ type: "redis", metadata: { password: value } }] }),
  "a chart's parameter": (value) =>
    custom("argoproj.io/v1alpha1", "Application")({ source: { helm: { parameters: [{ name: "auth.password", value }] } } }),
  "a chart's values": (value) => custom("helm.cattle.io/v1", "HelmChart")({ valuesContent: `auth:\n  password: ${value}\n` }),
};

/** What looks like a secret and is none. */
const harmless: Readonly<Record<string, fc.Arbitrary<string>>> = {
  "a checksum": fc.stringMatching(/^[0-9a-f]{64}$/),
  "a digest": fc.stringMatching(/^docker\.io\/library\/nextcloud@sha256:[0-9a-f]{64}$/),
  "an identifier": fc.uuid(),
  "a commit": fc.stringMatching(/^[0-9a-f]{40}$/),
  "a public key of SSH": fc.stringMatching(/^ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43} app@host$/),
  "a certificate": fc.constant(`-----BEGIN CERTIFICATE-----\n${base64("certificate".repeat(9))}`),
  "a public key": fc.constant("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA"),
  "git over SSH": fc.constantFrom("git@example.org:team/app.git", "ssh://git@example.org:22/team/app.git"),
  "an address that is filled in": fc.constantFrom(
    "postgres://app:$(DB_PASSWORD)@db/app",
    "redis://:{{ .password }}@keystore:6379",
    "amqp://app:<password>@mq/",
    "https://app:${PASSWORD}@example.org",
  ),
  "a header that is filled in": fc.constantFrom("Authorization: Bearer $TOKEN", "Authorization: Basic {{ .auth }}"),
  "a path of a secret": fc.constantFrom("password_file = /run/secrets/db", "--token-file=/run/secrets/token"),
  prose: fc.constantFrom("The token of the runner expires soon.", "Basic settings; rotate the password: yearly, please"),
  "an image": fc.stringMatching(/^docker\.io\/goharbor\/[a-z]{4,12}:v2\.\d{1,2}\.\d$/),
  "an address": fc.webUrl({ validSchemes: ["https"] }),
  "mail's address": fc.constantFrom("mailto:ops@example.org", "ops@example.org"),
  "a schedule": fc.constantFrom("0 30 2 * * *", "@daily"),
};

const given = crossed(harmless, carriers, (text, carrier, what) => [what, text.map(carrier)] as const);

/** Good objects of operators, which name secrets and hold none. */
const good: Readonly<Record<string, Tree>> = {
  "a DNS solver's key id": issuer({
    acme: {
      externalAccountBinding: { keyID: "kid-9aB3dE5fG7hI9jK1lM3n", keySecretRef: { name: "eab", key: "secret" } },
      solvers: [
        {
          dns01: {
            route53: {
              accessKeyID: "AKIAQYLPMN5HHHFPZAM2",
              secretAccessKeySecretRef: { name: "aws", key: "secret-access-key" },
            },
          },
        },
        { dns01: { rfc2136: { tsigKeyName: "acme-update", tsigSecretSecretRef: { name: "t", key: "tsig-secret-key" } } } },
      ],
    },
  }),
  "an external secret": external({
    target: { template: { data: { url: "postgres://app:{{ .password }}@db/app", password: "{{ .password }}" } } },
    data: [{ secretKey: "password", remoteRef: { key: "team/db", property: "password" } }],
  }),
  "a middleware's Secret": middleware({ basicAuth: { secret: "dashboard-users" } }),
  "an Ingress' Secret": kubernetes(
    "networking.k8s.io/v1",
    "Ingress",
    {},
    { annotations: { "nginx.ingress.kubernetes.io/auth-secret": "team/users" } },
  ),
  "a monitor's Secret": monitor({ endpoints: [{ basicAuth: { password: { name: "metrics", key: "password" } } }] }),
  "a database's Secrets": cluster({
    superuserSecret: { name: "super" },
    certificates: { serverTLSSecret: "db-tls", serverCASecret: "db-ca" },
    externalClusters: [{ name: "old", password: { name: "old", key: "password" } }],
  }),
  "an encrypted value": map({ "values.yaml": "password: ENC[AES256_GCM,data:x7Kq2Wp9Zt4R,iv:a,tag:b,type:str]" }),
  "a sealed secret": custom("bitnami.com/v1alpha1", "SealedSecret")({ encryptedData: { password: "AgBy3i4OJSWK+PiTySYZZA9rO43c" } }),
  "an expression about Secrets": custom("monitoring.coreos.com/v1", "PrometheusRule")({
    groups: [{ rules: [{ alert: "Gone", expr: 'absent(kube_secret_info{secret="forge-rails"})' }] }],
  }),
  "a definition that describes a password": kubernetes("apiextensions.k8s.io/v1", "CustomResourceDefinition", {
    spec: { versions: [{ schema: { description: "password: hunter2 is an example" } }] },
  }),
  "a Secret": kubernetes("v1", "Secret", { stringData: { password: "hunter2" }, data: { key: "aHVudGVyMg==" } }),
  "a volume of a key": kubernetes("v1", "Pod", {
    spec: { volumes: [{ name: "a", secret: { secretName: "a", items: [{ key: "ssh_host_ed25519_key", path: "key" }] } }] },
  }),
  "a user's number": pod({ args: ["-u", "1000:1000"] }),
};

function sampled(seed: number, rows: readonly (readonly [what: string, arbitrary: fc.Arbitrary<Tree>])[]): Case[] {
  return rows.map(([what, arbitrary]) => caseOf(what, fc.sample(arbitrary, { numRuns: 1, seed })[0] as Tree));
}

/** Every secret at every place, and at every place what only looks like one. */
export function secretCases(seed: number): Cases {
  const values = { "a simple value": fc.constant("hunter2"), "a random value": word(16, "A-Za-z0-9") };
  return {
    policy: "sec-no-plain-secret",
    breaks: sampled(seed, [
      ...crossed(forms, carriers, (text, carrier, what) => [what, text.map(carrier)] as const),
      ...crossed(values, named, (value, carrier, what) => [what, value.map(carrier)] as const),
    ]),
    keeps: [...sampled(seed, given), ...Object.entries(good).map(([what, tree]) => caseOf(what, tree))],
  };
}
