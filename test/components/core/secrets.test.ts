import type { SecretsArgs } from "@hearth-platform/hearth/core/platform-args";
import { secrets as schema } from "@hearth-platform/hearth/core/platform-schema";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import { composeSecret, type SecretRequest, secretName, secretRevision } from "@hearth-platform/hearth/core/secrets";
import type { ExternalSecret } from "@hearth-platform/hearth/kubernetes/custom-resources/external-secret";
import { planSecrets as planResolved } from "@hearth-platform/hearth/kubernetes/secrets";
import { describe, expect, test } from "vitest";

const request: SecretRequest = {
  name: "keystore-password",
  namespace: "forge",
  data: {
    user: { value: "app" },
    password: { password: 32 },
    url: { template: "redis://{user}:{password}@keystore" },
  },
};
const credentials: SecretRequest = {
  name: "forge-s3-credentials",
  namespace: "forge",
  data: { AWS_ACCESS_KEY_ID: { external: true }, AWS_SECRET_ACCESS_KEY: { external: true } },
};
const store = { name: "vault", prefix: "prod/" };

const planSecrets = (requests: readonly SecretRequest[], secrets: SecretsArgs) =>
  planResolved(requests, resolve(schema, secrets));

function externalSecrets(...args: Parameters<typeof planSecrets>): ExternalSecret[] {
  return planSecrets(...args).objects.map(({ object }) => object as ExternalSecret);
}

describe("a stack without a secret store:", () => {
  test("Secrets are generated, with their revision", () => {
    const plan = planSecrets([request], { revisions: { "keystore-password": 2 } });
    expect(plan.objects).toEqual([]);
    expect(plan.secrets).toEqual([{ ...request, revision: 2 }]);
  });

  test("what can only come from outside is refused by name, all at once", () => {
    const other = { ...credentials, name: "other" };
    expect(() => planSecrets([credentials, request, other], {})).toThrow(
      /forge\/forge-s3-credentials, Secret forge\/other can't be generated.*secrets\.store.*secrets\.existing/,
    );
  });

  test("an existing Secret is used in its place, and nothing is made", () => {
    const secrets = { existing: { "forge-s3-credentials": "our-keys" } };
    expect(planSecrets([credentials], secrets)).toEqual({ secrets: [], objects: [] });
    expect(secretName(secrets, "forge-s3-credentials")).toBe("our-keys");
    expect(secretName(secrets, "keystore-password")).toBe("keystore-password");
  });
});

describe("a stack with a secret store:", () => {
  test("the Secret stays while its ExternalSecret is deleted and applied again", () => {
    const [external] = externalSecrets([credentials], { store });
    expect(external?.spec.target).toMatchObject({ name: "forge-s3-credentials", creationPolicy: "Orphan" });
  });

  test("an ExternalSecret of the Secret's name reads the keys under the prefix and is awaited", () => {
    const [external] = externalSecrets([credentials], { store });
    expect(external?.metadata).toMatchObject({
      name: "forge-s3-credentials",
      namespace: "forge",
      annotations: { "pulumi.com/waitFor": "condition=Ready" },
    });
    expect(external?.spec).toMatchObject({
      secretStoreRef: { name: "vault", kind: "ClusterSecretStore" },
      data: [
        {
          secretKey: "AWS_ACCESS_KEY_ID",
          remoteRef: { key: "prod/forge/forge-s3-credentials", property: "AWS_ACCESS_KEY_ID" },
        },
        {
          secretKey: "AWS_SECRET_ACCESS_KEY",
          remoteRef: { key: "prod/forge/forge-s3-credentials", property: "AWS_SECRET_ACCESS_KEY" },
        },
      ],
    });
  });

  test("only what is secret is read; plain values and templates are composed in the cluster", () => {
    const [external] = externalSecrets([request], { store });
    expect(external?.spec.data?.map(({ secretKey }) => secretKey)).toEqual(["password"]);
    expect(external?.spec.target?.template).toMatchObject({
      mergePolicy: "Merge",
      data: { user: "app", url: 'redis://app:{{ index . "password" }}@keystore' },
    });
  });

  test("a plain value that looks like a Go template stays as it is", () => {
    const odd = { ...request, data: { format: { value: "{{ .x }}" }, password: { password: 8 } } };
    const [external] = externalSecrets([odd], { store });
    expect(external?.spec.target?.template?.data).toEqual({ format: '{{ "{{" }} .x }}' });
  });

  test("type and labels are the Secret's, not the ExternalSecret's", () => {
    const typed = { ...request, type: "kubernetes.io/basic-auth", labels: { "cnpg.io/reload": "true" } };
    const [external] = externalSecrets([typed], { store });
    expect(external?.spec.target?.template).toMatchObject({
      type: "kubernetes.io/basic-auth",
      metadata: { labels: { "cnpg.io/reload": "true" } },
    });
    expect(external?.metadata.labels).toBeUndefined();
  });

  test("two suites have values of their own there", () => {
    const keys = ["team", "club"].map((namespace) => {
      const [external] = externalSecrets([{ ...request, namespace }], { store });
      return external?.spec.data?.[0]?.remoteRef.key;
    });
    expect(keys).toEqual(["prod/team/keystore-password", "prod/club/keystore-password"]);
  });

  test("a value of another component's Secret is read where that one is", () => {
    const copy = { copyOf: { namespace: "platform", name: "forge-application-team", key: "client-secret" } };
    const [external] = externalSecrets([{ ...request, namespace: "team", data: { secret: copy } }], { store });
    expect(external?.spec.data).toEqual([
      {
        secretKey: "secret",
        remoteRef: { key: "prod/platform/forge-application-team", property: "client-secret" },
      },
    ]);
  });

  test("with generate only what can't be generated comes from it", () => {
    const plan = planSecrets([request, credentials], { store, generate: true });
    expect(plan.secrets.map(({ name }) => name)).toEqual(["keystore-password"]);
    expect(plan.objects.map(({ object }) => object.metadata.name)).toEqual(["forge-s3-credentials"]);
  });
});

describe("a hash", () => {
  const data = { password: { password: 32 }, hash: { bcrypt: "password" }, line: { template: "app:{hash}" } };

  test("comes from the store beside its password: composed there it would have another salt each time", () => {
    const [external] = externalSecrets([{ ...request, data }], { store });
    expect(external?.spec.data?.map(({ secretKey }) => secretKey)).toEqual(["password", "hash"]);
    expect(external?.spec.target?.template?.data).toEqual({ line: 'app:{{ index . "hash" }}' });
  });

  test("of what is no password is refused", () => {
    const wrong = { ...request, data: { ...data, hash: { bcrypt: "line" } } };
    expect(() => planSecrets([wrong], {})).toThrow("hash is the hash of line, which is no password");
  });
});

describe("a public key", () => {
  const data = { key: { privateKey: "RSA", form: "pem" }, "key.pub": { publicKeyOf: "key" } } as const;

  test("comes from the store beside its private half", () => {
    const [external] = externalSecrets([{ ...request, data }], { store });
    expect(external?.spec.data?.map(({ secretKey }) => secretKey)).toEqual(["key", "key.pub"]);
  });

  test("of what is no private key is refused", () => {
    const wrong = { ...request, data: { ...data, "key.pub": { publicKeyOf: "missing" } } };
    expect(() => planSecrets([wrong], {})).toThrow("key.pub belongs to missing, which is no private key");
  });
});

describe("templates", () => {
  test("are filled with generated and plain values", () => {
    expect(composeSecret(request.data as never, { password: "p4ss" })).toEqual({
      user: "app",
      password: "p4ss",
      url: "redis://app:p4ss@keystore",
    });
  });

  test.each(["{missing}", "{url}"])("that name %s are refused", (template) => {
    const wrong = { ...request, data: { ...request.data, url: { template } } };
    expect(() => planSecrets([wrong], {})).toThrow(/Secret keystore-password: the template of url/);
  });
});

describe("a template with lines moved to the right", () => {
  const key = "-----BEGIN-----\nabc\n-----END-----\n";
  const data = {
    signing: { privateKey: "RSA", form: "pem" },
    note: { value: "one\ntwo" },
    "secrets.yml": { template: "key: |\n{signing|indent 4}\nnote: |\n{note|indent 2}\n" },
  } as const;

  test("is filled in when it is generated", () => {
    expect(composeSecret(data, { signing: key })["secrets.yml"]).toBe(
      "key: |\n    -----BEGIN-----\n    abc\n    -----END-----\n    \nnote: |\n  one\n  two\n",
    );
  });

  test("is filled in by External Secrets with a store", () => {
    const [external] = externalSecrets([{ name: "rails", namespace: "forge", data }], { store });
    expect(external?.spec?.target?.template?.data).toMatchObject({
      "secrets.yml": 'key: |\n{{ index . "signing" | indent 4 }}\nnote: |\n  one\n  two\n',
    });
    expect(external?.spec?.data?.map(({ secretKey }) => secretKey)).toEqual(["signing"]);
  });
});

test("a Secret has the highest revision of its own name and of those in whose place it stands", () => {
  const existing = { "hub-admin": "shared", "forge-admin": "shared" };
  const revision = (revisions: Record<string, number>, name = "shared") =>
    secretRevision({ existing, revisions }, name);
  expect(revision({ "hub-admin": 2, "forge-admin": 3 })).toBe(3);
  expect(revision({ "hub-admin": 2, shared: 4 })).toBe(4);
  expect(revision({ "hub-admin": 2 }, "other")).toBe(0);
  expect(secretRevision(undefined, "shared")).toBe(0);
});
