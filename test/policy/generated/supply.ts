import fc from "fast-check";
import { place } from "../support/fixtures.ts";
import { type Case, type Cases, caseOf, crossed, kubernetes, type Tree } from "./case.ts";
import { images } from "./platform.ts";

/** What is deployed, and from where: images by their content, charts of one version. And who reads what it stores: buckets. */

const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));
const sample = (seed: number, arbitrary: fc.Arbitrary<string>) => fc.sample(arbitrary, { numRuns: 2, seed });

const builtImage = "registry.example.org/hearth/webhook";
const locked = (each: Case): Case => ({ ...each, stack: { imagesLocked: true, builtImage } });
const custom = (spec: Tree) => kubernetes("example.org/v1", "Thing", { spec });
/** Where an image may stand: in pods of any kind, and in the fields of operators. */
const holders: Readonly<Record<string, (image: string) => Tree>> = {
  ...images,
  ...Object.fromEntries(
    [
      ["apps/v1", "StatefulSet"],
      ["apps/v1", "DaemonSet"],
      ["apps/v1", "ReplicaSet"],
      ["v1", "ReplicationController"],
      ["batch/v1", "Job"],
    ].map(([apiVersion = "", kind = ""]) => [
      `a ${kind}`,
      (image: string) =>
        kubernetes(apiVersion, kind, { spec: { template: { spec: { containers: [{ name: "a", image }] } } } }),
    ]),
  ),
  "a CronJob": (image) =>
    kubernetes("batch/v1", "CronJob", {
      spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: "a", image }] } } } } },
    }),
  "a PodTemplate": (image) =>
    kubernetes("v1", "PodTemplate", { template: { spec: { containers: [{ name: "a", image }] } } }),
  "a debugging container": (image) => kubernetes("v1", "Pod", { spec: { ephemeralContainers: [{ name: "a", image }] } }),
  "the second container": (image) =>
    kubernetes("v1", "Pod", {
      spec: { containers: [{ name: "a", image: `${builtImage}:0123456789abcdef` }, { name: "b", image }] },
    }),
  "a ScaledJob": (image) =>
    kubernetes("keda.sh/v1alpha1", "ScaledJob", {
      spec: { jobTargetRef: { template: { spec: { containers: [{ name: "a", image }] } } } },
    }),
  "an image catalogue of the cluster": (image) =>
    kubernetes("postgresql.cnpg.io/v1", "ClusterImageCatalog", { spec: { images: [{ major: 16, image }] } }),
  "a sidecar of an operator": (image) => custom({ thanos: { baseImage: image } }),
  "an image in parts": (image) => {
    const [, repository = "", tag, digest] = /^(.*?)(?::([^:/@]+))?(?:@(.*))?$/.exec(image) ?? [];
    return custom({ web: { image: { repository, tag: tag ?? (digest ? undefined : "16"), digest } } });
  },
};

const repository = "ghcr.io/cloudnative-pg/postgresql";

function digestCases(seed: number): Cases {
  const loose = [
    ...["", ":16.4", ":latest", ":v1.2.3-alpine", "@sha256:0123"],
    ...sample(seed, hex(63)).map((digits) => `@sha256:${digits}`),
    ...sample(seed, hex(65)).map((digits) => `@sha256:${digits}`),
    ...sample(seed, hex(64)).map((digits) => `:${digits}`),
    ...sample(seed, hex(16)).map((digits) => `:${digits}`),
  ].map((tag) => `${repository}${tag}`);
  const builtAlike = sample(seed, hex(16)).flatMap((digits) => [
    `${builtImage}-other:${digits}`,
    `${builtImage}/other:${digits}`,
    `evil.example.com/${builtImage}:${digits}`,
    `${builtImage}:${digits}0`,
    `${builtImage}:v${digits}`,
  ]);
  const pinned = [
    ...sample(seed, hex(64)).flatMap((digits) => ["", ":16.4", ":latest"].map((tag) => `${repository}${tag}@sha256:${digits}`)),
    ...sample(seed, hex(16)).map((digits) => `${builtImage}:${digits}`),
  ];
  const judge = (image: string, make: (image: string) => Tree, what: string) => locked(caseOf(what, make(image)));
  return {
    policy: "wl-image-digest",
    breaks: crossed(named([...loose, ...builtAlike]), holders, judge),
    keeps: [
      ...crossed(named(pinned), holders, judge),
      // Without a lock nobody asks for a digest.
      ...Object.entries(holders).map(([what, make]) => caseOf(what, make(`${repository}:16.4`))),
      ...[
        { background: { image: "assets/back.png" } },
        { theme: { logoImage: "https://example.org/logo.svg" } },
        { imagePullPolicy: "IfNotPresent", imagePullSecrets: [{ name: "registry" }] },
      ].map((spec) => locked(caseOf("a picture", custom(spec)))),
    ],
  };
}

type Open = Readonly<Record<string, unknown>>;
const statement = (more: Open): Open => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: ["s3:GetObject"], Resource: "arn:aws:s3:::files/*", ...more }],
});
const account = { AWS: "arn:aws:iam::123456789012:user/app" };
const openPolicies: Readonly<Record<string, Open>> = {
  everybody: statement({ Principal: "*" }),
  "everybody of a kind": statement({ Principal: { AWS: "*" } }),
  "everybody in a list": statement({ Principal: { AWS: [account.AWS, "*"] } }),
  "every account": statement({ Principal: { AWS: "arn:aws:iam::*:root" } }),
  "every canonical user": statement({ Principal: { CanonicalUser: ["*"] } }),
  "everybody but one": statement({ NotPrincipal: account }),
  "the second statement": {
    Statement: [{ Effect: "Deny", Principal: "*", Action: "s3:*" }, ...(statement({ Principal: "*" }).Statement as Open[])],
  },
  "one statement without a list": { Statement: { Effect: "Allow", Principal: "*", Action: "s3:*" } },
  "names in small letters": { statement: [{ effect: "Allow", principal: { aws: ["*"] }, action: ["s3:ListBucket"] }] },
};
const closedPolicies: Readonly<Record<string, Open>> = {
  "an account": statement({ Principal: account }),
  "two accounts": statement({ Principal: { AWS: [account.AWS, "123456789012"] } }),
  "a refusal of everybody": statement({ Effect: "Deny", Principal: "*" }),
  "everything for one": statement({ Principal: account, Action: "*", Resource: "*" }),
};
const pulumi = (type: string, props: Tree): Case => ({ what: type, resources: [place(type, "files", props)] });
const upbound = (kind: string, forProvider: Tree, apiVersion = "s3.aws.upbound.io/v1beta1") =>
  caseOf(`${apiVersion} ${kind}`, kubernetes(apiVersion, kind, { spec: { forProvider } }));
/** Where a policy of a bucket may stand, as an object or as a text. */
const policyPlaces: Readonly<Record<string, (policy: unknown) => Case>> = {
  "a policy of AWS": (policy) => pulumi("aws:s3/bucketPolicy:BucketPolicy", { policy }),
  "a bucket of AWS": (policy) => pulumi("aws:s3/bucketV2:BucketV2", { policy }),
  "an access point": (policy) => pulumi("aws:s3/accessPoint:AccessPoint", { policy }),
  "a policy of an access point": (policy) => pulumi("aws:s3control/accessPointPolicy:AccessPointPolicy", { policy }),
  "a policy of AWS' own API": (policy) => pulumi("aws-native:s3:BucketPolicy", { policyDocument: policy }),
  "a policy of MinIO": (policy) => pulumi("minio:index/s3BucketPolicy:S3BucketPolicy", { policy }),
  "a policy of another provider": (policy) => pulumi("scaleway:index/objectBucketPolicy:ObjectBucketPolicy", { policy }),
  "a policy of Crossplane": (policy) => upbound("BucketPolicy", { policy }),
  "a policy of Crossplane in a namespace": (policy) => upbound("BucketPolicy", { policy }, "s3.aws.m.upbound.io/v1beta1"),
  "a bucket of AWS' controller": (policy) =>
    caseOf("ACK", kubernetes("s3.services.k8s.aws/v1alpha1", "Bucket", { spec: { policy } })),
  "a claim of Rook": (policy) =>
    caseOf(
      "Rook",
      kubernetes("objectbucket.io/v1alpha1", "ObjectBucketClaim", { spec: { additionalConfig: { bucketPolicy: policy } } }),
    ),
};
const forms: Readonly<Record<string, (policy: Open) => unknown>> = {
  "as an object": (policy) => policy,
  "as JSON": (policy) => JSON.stringify(policy),
  "as JSON of several lines": (policy) => `\n${JSON.stringify(policy, undefined, 2)}\n`,
  "as JSON with escapes": (policy) => JSON.stringify(policy).replace(/S(?=tatement")/, "\\u0053").replace(/"\*"/, '"\\u002a"'),
};
/** Where a list of a bucket may stand. */
const listPlaces: Readonly<Record<string, (acl: string) => Case>> = {
  "a bucket of AWS": (acl) => pulumi("aws:s3/bucket:Bucket", { acl }),
  "a list of AWS": (acl) => pulumi("aws:s3/bucketAclV2:BucketAclV2", { acl }),
  "an object in it": (acl) => pulumi("aws:s3/bucketObjectv2:BucketObjectv2", { acl }),
  "a bucket of MinIO": (acl) => pulumi("minio:index/s3Bucket:S3Bucket", { acl }),
  "a bucket of another provider": (acl) => pulumi("digitalocean:index/spacesBucket:SpacesBucket", { acl }),
  "a list of Crossplane": (acl) => upbound("BucketACL", { acl }),
  "a bucket of AWS' controller": (acl) =>
    caseOf("ACK", kubernetes("s3.services.k8s.aws/v1alpha1", "Bucket", { spec: { acl } })),
};
const group = (name: string) => `http://acs.amazonaws.com/groups/global/${name}`;
const switches = ["blockPublicAcls", "blockPublicPolicy", "ignorePublicAcls", "restrictPublicBuckets"];

const bucketCases: Cases = {
  policy: "st-bucket-access",
  breaks: [
    ...crossed(openPolicies, policyPlaces, (policy, make, what) =>
      Object.entries(forms).map(([form, write]) => ({ ...make(write(policy)), what: `${what} ${form}` })),
    ).flat(),
    ...crossed(named(["public-read", "public-read-write", "authenticated-read"]), listPlaces, (acl, make, what) => ({
      ...make(acl),
      what,
    })),
    pulumi("minio:index/s3Bucket:S3Bucket", { acl: "public" }),
    ...["PublicRead", "PublicReadWrite", "AuthenticatedRead"].map((accessControl) =>
      pulumi("aws-native:s3:Bucket", { accessControl }),
    ),
    ...["AllUsers", "AuthenticatedUsers"].flatMap((name) => [
      pulumi("aws:s3/bucketAclV2:BucketAclV2", {
        accessControlPolicy: { grants: [{ grantee: { type: "Group", uri: group(name) }, permission: "READ" }] },
      }),
      upbound("BucketACL", { accessControlPolicy: [{ grant: [{ grantee: [{ uri: group(name) }], permission: "READ" }] }] }),
      caseOf(
        "a grant",
        kubernetes("s3.services.k8s.aws/v1alpha1", "Bucket", { spec: { grantRead: `uri="${group(name)}"` } }),
      ),
    ]),
    ...switches.flatMap((key) =>
      [false, "false"].flatMap((value) => [
        pulumi("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", { [key]: value }),
        pulumi("aws:s3/accountPublicAccessBlock:AccountPublicAccessBlock", { [key]: value }),
        pulumi("aws-native:s3:Bucket", { publicAccessBlockConfiguration: { [key]: value } }),
        upbound("BucketPublicAccessBlock", { [key]: value }),
      ]),
    ),
  ],
  keeps: [
    ...crossed(closedPolicies, policyPlaces, (policy, make, what) =>
      Object.entries(forms).map(([form, write]) => ({ ...make(write(policy)), what: `${what} ${form}` })),
    ).flat(),
    ...crossed(named(["private", "log-delivery-write", "bucket-owner-full-control"]), listPlaces, (acl, make, what) => ({
      ...make(acl),
      what,
    })),
    ...["public", "public-read"].flatMap((name) => [
      pulumi("aws:s3/bucket:Bucket", { bucket: name }),
      pulumi("aws:s3/bucket:Bucket", { bucket: "files", tags: { audience: name } }),
      upbound("Bucket", { region: "fsn1", tags: { audience: name } }),
    ]),
    pulumi("aws-native:s3:Bucket", { accessControl: "Private" }),
    ...switches.map((key) => pulumi("aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock", { [key]: true })),
    // A role says who may take it, not who reads a bucket.
    pulumi("aws:iam/role:Role", { assumeRolePolicy: statement({ Principal: { Service: "ec2.amazonaws.com" } }) }),
    caseOf("a policy of an account", kubernetes("v1", "ConfigMap", { data: { "policy.json": JSON.stringify(statement({})) } })),
    caseOf("a page", kubernetes("v1", "ConfigMap", { data: { acl: "public-read is a list of S3" } })),
  ],
};

const chart = (type: string) => (chartName: string, version: unknown): Case =>
  pulumi(`kubernetes:helm.sh/${type}`, { chart: chartName, ...(version !== undefined && { version }) });
/** Where a chart and its version may stand. */
const charts: Readonly<Record<string, (name: string, version: unknown) => Case>> = {
  "a Release": chart("v3:Release"),
  "a Chart": chart("v4:Chart"),
  "an older Chart": chart("v3:Chart"),
  "a HelmChart": (name, version) =>
    caseOf("K3s", kubernetes("helm.cattle.io/v1", "HelmChart", { spec: { chart: name, version } })),
  "a HelmRelease": (name, version) =>
    caseOf("Flux", kubernetes("helm.toolkit.fluxcd.io/v2", "HelmRelease", { spec: { chart: { spec: { chart: name, version } } } })),
  "Flux' HelmChart": (name, version) =>
    caseOf("Flux", kubernetes("source.toolkit.fluxcd.io/v1", "HelmChart", { spec: { chart: name, version } })),
  "an Application": (name, version) =>
    caseOf("Argo", kubernetes("argoproj.io/v1alpha1", "Application", { spec: { source: { chart: name, targetRevision: version } } })),
  "an Application of two sources": (name, version) =>
    caseOf(
      "Argo",
      kubernetes("argoproj.io/v1alpha1", "Application", {
        spec: { sources: [{ repoURL: "https://git.example.org/values", targetRevision: "main" }, { chart: name, targetRevision: version }] },
      }),
    ),
  "an ApplicationSet": (name, version) =>
    caseOf(
      "Argo",
      kubernetes("argoproj.io/v1alpha1", "ApplicationSet", {
        spec: { template: { spec: { source: { chart: name, targetRevision: version } } } },
      }),
    ),
};
const programs = Object.fromEntries(Object.entries(charts).filter(([what]) => /^(?:a Release|a Chart|an older Chart|a HelmChart)$/.test(what)));

function chartCases(seed: number): Cases {
  const part = fc.nat(40);
  const versions = fc.sample(
    fc.tuple(part, part, part, fc.constantFrom("", "-rc.1", "+build.5", "-alpha.1+exp.sha.5114f85")),
    { numRuns: 8, seed },
  );
  const whole = versions.flatMap(([major, minor, patch, end]) =>
    ["", "v"].map((start) => `${start}${major}.${minor}.${patch}${end}`),
  );
  const ranges = versions.flatMap(([major, minor]) => [
    ...["^", "~", ">=", ">", "<", "<=", "!="].map((sign) => `${sign}${major}.${minor}.0`),
    ...[`${major}`, `${major}.${minor}`, `v${major}`, `${major}.x`, `${major}.${minor}.x`, `${major}.${minor}.*`],
    ...[`${major}.${minor}.0 - ${major + 1}.0.0`, `${major}.${minor}.0 || ${major + 1}.0.0`],
  ]);
  const open = [...new Set([...ranges, "*", "x", "latest", "", " ", "HEAD", "main"])];
  const archives = ["https://charts.example.org/app.tgz", "https://charts.example.org/app-latest.tgz", "oci://registry.example.org/app.tgz"];
  const digest = `oci://registry.example.org/app@sha256:${"0123456789abcdef".repeat(4)}`;
  return {
    policy: "helm-chart-version",
    breaks: [
      ...crossed(named(open), charts, (version, make, what) => ({ ...make("app", version), what })),
      ...Object.entries(charts).flatMap(([what, make]) =>
        [undefined, 1, 1.2].map((version) => ({ ...make("app", version), what: `${what}: ${version}` })),
      ),
      ...crossed(named(archives), programs, (name, make, what) => ({ ...make(name, undefined), what })),
      ...crossed(named(["oci://registry.example.org/app", "oci://registry.example.org/app@sha256:0123"]), charts, (name, make, what) => ({
        ...make(name, "1.x"),
        what,
      })),
    ],
    keeps: [
      ...crossed(named([...new Set(whole)]), charts, (version, make, what) => ({ ...make("app", version), what })),
      ...crossed(
        named(["./charts/app", "../app", "/srv/charts/app", "file:///srv/app", "./app.tgz", "app-1.2.3.tgz", digest].concat(
          whole.slice(0, 4).map((version) => `https://charts.example.org/app-${version}.tgz`),
        )),
        programs,
        (name, make, what) => ({ ...make(name, undefined), what }),
      ),
      caseOf("a folder of a repository", kubernetes("argoproj.io/v1alpha1", "Application", { spec: { source: { path: "apps", targetRevision: "main" } } })),
    ],
  };
}

/** Cases of images, charts and buckets. */
export const supplyCases = (seed: number): readonly Cases[] => [digestCases(seed), bucketCases, chartCases(seed)];
