import { copiesComponent } from "@hearth-platform/hearth/copies/component";
import { planOf, problemsOf } from "@hearth-platform/hearth/core/component";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { PodTemplateSpec } from "kubernetes-types/core/v1.d.ts";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.d.ts";
import { describe, expect, it } from "vitest";
import { copiesArgs } from "./copies.ts";

const objects = (...changes: Parameters<typeof copiesArgs>) =>
  planOf({ component: copiesComponent, args: copiesArgs(...changes) }).objects.map(({ object }) => object);
const kind = <T>(name: string, ...changes: Parameters<typeof copiesArgs>) =>
  objects(...changes).filter((object) => object.kind === name) as unknown as T[];
const secretsOf = (template: PodTemplateSpec | undefined) => [
  ...new Set(
    template?.spec?.containers.flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ),
  ),
];
const problems = (...changes: Parameters<typeof copiesArgs>) =>
  problemsOf(copiesComponent, copiesArgs(...changes)).map(({ path, code }) => `${path}: ${code}`);
const [platform, team] = copiesArgs().sources;

describe("copies", () => {
  it("are made by a Job for each source, which has the keys of that source and of the copies alone", () => {
    const jobs = kind<CronJob>("CronJob");
    expect(jobs.map(({ metadata, spec }) => [metadata?.name, secretsOf(spec?.jobTemplate.spec?.template)])).toEqual([
      ["copy-platform", ["source-platform-s3-credentials", "copies-s3-credentials"]],
      ["copy-team", ["source-team-s3-credentials", "copies-s3-credentials"]],
    ]);
    const [metrics] = kind<Deployment>("Deployment");
    expect(secretsOf(metrics?.spec?.template)).toEqual(["copies-s3-credentials"]);
  });

  it("run one at a time, and end before the next begins also with the longest window", () => {
    for (const { spec } of kind<CronJob>("CronJob", { hours: 23 })) {
      expect(spec?.concurrencyPolicy).toBe("Forbid");
      expect(spec?.jobTemplate.spec?.backoffLimit).toBe(0);
      expect(spec?.jobTemplate.spec?.template.spec?.restartPolicy).toBe("Never");
      expect(spec?.jobTemplate.spec?.activeDeadlineSeconds).toBeGreaterThan(23 * 3600);
      expect(spec?.jobTemplate.spec?.activeDeadlineSeconds).toBeLessThan(24 * 3600);
    }
  });

  it("trust a private authority beside the public ones", () => {
    const args = copiesArgs();
    const trusting = { platform: { ...args.platform, privateCa: { configMap: "company-ca" } } };
    for (const { spec } of kind<CronJob>("CronJob", trusting)) {
      const pod = spec?.jobTemplate.spec?.template.spec;
      expect(pod?.volumes).toContainEqual(
        expect.objectContaining({ configMap: { name: "company-ca", defaultMode: 0o444 } }),
      );
      expect(pod?.containers[0]?.volumeMounts).toContainEqual(
        expect.objectContaining({ mountPath: "/etc/ssl/certs/private-ca.crt", subPath: "ca.crt" }),
      );
    }
  });

  it("reach the ports of all stores, and nothing reaches them but Prometheus", () => {
    const to = { ...copiesArgs().to, endpoint: "https://s3.example.org:9443" };
    const policies = kind<NetworkPolicy>("NetworkPolicy", { to, networkPolicies: true });
    const copy = policies.find(({ metadata }) => metadata?.name === "allow-copies");
    expect(copy?.spec?.egress?.flatMap(({ ports }) => ports?.map(({ port }) => port))).toEqual([443, 443, 9443]);
    const lets = policies.flatMap(({ metadata, spec }) =>
      (spec?.ingress ?? []).map((rule) => [metadata?.name, rule.from]),
    );
    expect(lets).toEqual([
      [
        "allow-copies-metrics",
        [{ namespaceSelector: {}, podSelector: { matchLabels: { "app.kubernetes.io/name": "prometheus" } } }],
      ],
    ]);
  });

  it("take the bucket into the host only at AWS's own endpoints, or where that is said", () => {
    const style = (to: Parameters<typeof copiesArgs>[0] & object) =>
      kind<Deployment>("Deployment", to)[0]?.spec?.template.spec?.containers[0]?.env?.find(
        ({ name }) => name === "RCLONE_CONFIG_COPIES_FORCE_PATH_STYLE",
      )?.value;
    const aws = { endpoint: "https://s3.eu-central-1.amazonaws.com", region: "eu-central-1", bucket: "copies-a1b2" };
    expect(style({ to: aws })).toBe("false");
    expect(style({})).toBe("true");
    expect(style({ to: { ...copiesArgs().to, pathStyle: false } })).toBe("false");
  });
});

describe("copies are refused", () => {
  it("without a source", () => expect(problems({ sources: [] })).toEqual(["sources: nothing-to-copy"]));

  it("of two sources of one name", () =>
    expect(problems({ sources: [platform, platform].flatMap((each) => each ?? []) })).toEqual([
      "sources[1].name: shared",
    ]));

  it("into a bucket that is copied itself; one of that name in another store is another bucket", () => {
    const bucket = team?.buckets[0] ?? "";
    expect(problems({ to: { endpoint: team?.endpoint ?? "", region: "fsn1", bucket } })).toEqual([
      "to.bucket: copy-target",
    ]);
    expect(problems({ to: { ...copiesArgs().to, bucket } })).toEqual([]);
  });

  it.each([
    [{ name: "n".repeat(48) }, "copy-source"],
    [{ name: "Team" }, "dns-label"],
    [{ endpoint: "http://s3.example.org" }, "endpoint"],
    [{ buckets: ["a b"] }, "bucket-name"],
  ])("with a source with %o", (changes, code) => {
    const [path] = Object.keys(changes);
    const at = path === "buckets" ? "buckets[0]" : path;
    expect(problems({ sources: [{ ...team, ...changes } as never] })).toEqual([`sources[0].${at}: ${code}`]);
  });
});
