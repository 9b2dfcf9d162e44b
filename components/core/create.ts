import { Bucket } from "@pulumi/aws/s3/bucket.js";
import { BucketVersioning } from "@pulumi/aws/s3/bucketVersioning.js";
import { Secret } from "@pulumi/kubernetes/core/v1/secret.js";
import * as pulumi from "@pulumi/pulumi";
import { RandomPassword } from "@pulumi/random/randomPassword.js";
import { PrivateKey } from "@pulumi/tls/privateKey.js";
import { formerType, hexDigits } from "./data-safety/plain-values.ts";
import { resourceClass } from "./kinds.ts";
import {
  dataName,
  objectId,
  type Plan,
  type PlannedBucket,
  type PlannedSecret,
  type SecretValue,
  type SecretValuePlace,
} from "./plan.ts";
import { inOrder } from "./references.ts";
import { composeSecret, generatedName, madeRevision } from "./secrets.ts";

/** Options with which a component creates its plan. */
export interface CreateOptions {
  /** `dataName`s of objects that may be lost; these objects are not protected. @default none */
  readonly allowDataLoss?: readonly string[];
  /** Resources outside the plan that come first: the component's own `dependsOn`, which its children don't inherit. @default none */
  readonly dependsOn?: pulumi.ComponentResourceOptions["dependsOn"];
  /** Values that other components generated; undefined for those that none did. @default none */
  readonly given?: GivenValue;
  /** What the engine calls for each resource. @default nothing */
  readonly hooks?: pulumi.CustomResourceOptions["hooks"];
}

/** A value that another component generated, itself a secret. */
export type GivenValue = (place: SecretValuePlace) => pulumi.Output<string> | undefined;

/** The resources of a plan by the id of their object: `Kind/name`, for a bucket `Bucket/name`. */
export type CreatedPlan = ReadonlyMap<string, pulumi.Resource>;

/**
 * Turns a plan into resources, each a child of `parent` named `<name>/<object's name>`.
 * Providers are the parent's. What holds data is protected and kept when it leaves the program, unless `allowDataLoss` names it.
 * @throws Error where the plan's order can't be met, see `inOrder`
 */
export function createPlan(
  parent: pulumi.ComponentResource,
  name: string,
  plan: Plan,
  options: CreateOptions = {},
): CreatedPlan {
  const created = new Map<string, pulumi.Resource>();
  const ordered = inOrder(plan);
  const outside = options.dependsOn ?? [];
  const waits = !Array.isArray(outside) || outside.length > 0;
  const common = (ids: readonly string[]): pulumi.CustomResourceOptions => {
    const inside = ids.map((id) => created.get(id)).filter((resource) => resource !== undefined);
    // The first waits for what is outside, and all others for the first, at least through one that they name. Were it named
    // by each, a stack of 300 resources had 10,000 dependencies.
    const [first] = created.values();
    return {
      parent,
      dependsOn: inside.length > 0 ? inside : first && waits ? [first] : outside,
      ...(options.hooks && { hooks: options.hooks }),
    };
  };
  const keeping = (data: string, holdsData: boolean | undefined) => {
    const kept = holdsData === true && !options.allowDataLoss?.includes(data);
    return { protect: kept, retainOnDelete: kept };
  };

  for (const bucket of plan.buckets)
    created.set(
      `Bucket/${bucket.bucket}`,
      createBucket(name, bucket, { ...common([]), ...keeping(dataName(bucket.bucket), true) }),
    );
  const namespaces = ordered.filter(({ planned }) => planned.object.kind === "Namespace");
  const rest = ordered.filter(({ planned }) => planned.object.kind !== "Namespace");
  const createObject = ({ planned, dependsOn }: (typeof ordered)[number]) => {
    const { object } = planned;
    const { name: ownName, namespace } = object.metadata;
    const Class = resourceClass(object);
    created.set(
      objectId(object),
      new Class(`${name}/${ownName}`, object as never, {
        ...common(dependsOn),
        ...keeping(planned.dataName ?? dataName(ownName, namespace), planned.holdsData),
        // As another resource it would be made before the former one is deleted, and so be gone in the end.
        aliases: planned.otherVersions?.map((version) => ({ type: `kubernetes:${version}:${object.kind}` })),
        ignoreChanges: planned.ignoreChanges && [...planned.ignoreChanges],
        replaceOnChanges: planned.replaceOnChanges && [...planned.replaceOnChanges],
        // The name is fixed, so the old object has to go first.
        deleteBeforeReplace: planned.replaceOnChanges && true,
      }),
    );
  };
  namespaces.forEach(createObject);
  for (const secret of plan.secrets)
    created.set(
      `Secret/${secret.name}`,
      createSecret(name, secret, options.given, {
        ...common([`Namespace/${secret.namespace}`]),
        ...keeping(dataName(secret.name, secret.namespace), secret.neverChanges),
      }),
    );
  rest.forEach(createObject);
  return created;
}

/** A value of a Secret that the plan generated, a secret itself; undefined where the Secret comes from a store or exists already. */
export function generatedValue(
  created: CreatedPlan,
  secretName: string,
  key: string,
): pulumi.Output<string> | undefined {
  const secret = created.get(`Secret/${secretName}`) as Secret | undefined;
  return secret?.data.apply((data) => Buffer.from(data[key] ?? "", "base64").toString());
}

/** A generated Secret and its values; where they never change, both are kept: the state and the cluster each have all that is needed. */
function createSecret(
  name: string,
  secret: PlannedSecret,
  given: GivenValue | undefined,
  options: pulumi.CustomResourceOptions,
): pulumi.Resource {
  const logical = `${name}/${secret.name}`;
  const entries = Object.entries(secret.data);
  // With the same dependencies as the Secret: a value that is kept, of a namespace that can't be made, could not be let go.
  const { parent, protect, retainOnDelete, dependsOn } = options;
  const made = new Map(
    entries.map(([key, value]) => [
      key,
      generated(generatedName(logical, key, secret), value, secret, { parent, protect, retainOnDelete, dependsOn }),
    ]),
  );
  const textOf = (key: string, value: SecretValue) => {
    if ("bcrypt" in value) return made.get(value.bcrypt)?.hash;
    if ("publicKeyOf" in value) return made.get(value.publicKeyOf)?.publicKey;
    if ("copyOf" in value) return given?.(value.copyOf);
    return made.get(key)?.text;
  };
  const values = entries.map(([key, value]) => [key, textOf(key, value)] as const);
  const texts = pulumi.all(Object.fromEntries(values)).apply((all) => composeSecret(secret.data, all));
  return new Secret(
    logical,
    {
      metadata: {
        name: secret.name,
        namespace: secret.namespace,
        labels: { ...secret.labels, "app.kubernetes.io/managed-by": "hearth" },
      },
      type: secret.type ?? "Opaque",
      // Not stringData: under server-side apply a key that leaves it stays in the Secret. The API server keeps no empty data.
      ...(entries.length > 0 && {
        data: texts.apply((all) =>
          Object.fromEntries(Object.entries(all).map(([key, text]) => [key, Buffer.from(text).toString("base64")])),
        ),
      }),
    },
    options,
  );
}

const keySizes = { RSA: { rsaBits: 3072 }, ECDSA: { ecdsaCurve: "P256" }, ED25519: {} } as const;

/** A value that was made; nothing where it follows from others. */
interface Generated {
  readonly text?: pulumi.Input<string>;
  /** Of a password: its bcrypt hash. */
  readonly hash?: pulumi.Input<string>;
  /** Of a private key: its public half. */
  readonly publicKey?: pulumi.Input<string>;
}

function generated(
  logical: string,
  value: SecretValue,
  secret: PlannedSecret,
  options: pulumi.CustomResourceOptions,
): Generated {
  const keepers = { revision: String(madeRevision(secret)) };
  if ("password" in value) {
    const sorts = value.mixed ? { minLower: 1, minUpper: 1, minNumeric: 1 } : {};
    const args = { length: value.password, special: false, ...sorts, keepers };
    const { result, bcryptHash } = new RandomPassword(logical, args, options);
    return { text: result, hash: bcryptHash };
  }
  if ("bytes" in value || "hex" in value) {
    const bytes = "bytes" in value ? value.bytes : value.hex;
    // Not RandomBytes: its id is the value, in plain text.
    const args = { length: 2 * bytes, ...hexDigits, keepers };
    const { result } = new RandomPassword(logical, args, { ...options, aliases: [pulumi.output(formerType())] });
    return { text: "hex" in value ? result : result.apply((hex) => Buffer.from(hex, "hex").toString("base64")) };
  }
  if ("privateKey" in value) {
    const key = new PrivateKey(logical, { algorithm: value.privateKey, ...keySizes[value.privateKey] }, options);
    const text = pulumi.secret(value.form === "pem" ? key.privateKeyPem : key.privateKeyOpenssh);
    return { text, publicKey: key.publicKeyOpenssh };
  }
  return {};
}

function createBucket(name: string, planned: PlannedBucket, options: pulumi.CustomResourceOptions): pulumi.Resource {
  const { bucket, versioning, expireVersionsAfterDays: days } = planned;
  // Not BucketLifecycleConfiguration: it waits for a header that only AWS answers, and fails after three minutes
  // elsewhere (hashicorp/terraform-provider-aws#46021).
  const lifecycleRules = days !== undefined && [
    { id: "former-versions", enabled: true, prefix: "", noncurrentVersionExpiration: { days } },
  ];
  const made = new Bucket(`${name}/${bucket}`, { bucket, ...(lifecycleRules && { lifecycleRules }) }, options);
  if (versioning)
    new BucketVersioning(
      `${name}/${bucket}`,
      { bucket, versioningConfiguration: { status: "Enabled" } },
      { parent: options.parent, dependsOn: [made], retainOnDelete: options.retainOnDelete },
    );
  return made;
}
