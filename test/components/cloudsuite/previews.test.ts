import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { edges } from "@hearth-platform/hearth/cloudsuite/network";
import { cloudSuiteProblems } from "@hearth-platform/hearth/cloudsuite/rules";
import type { PrometheusRule } from "@hearth-platform/hearth/kubernetes/custom-resources/prometheus-rule";
import type { ConfigMap, Service } from "kubernetes-types/core/v1.d.ts";
import { expect, test } from "vitest";
import { resolvedSuite } from "../../support/plans.ts";
import { container, find, ids, ownPlan, pod, suitePods, variable } from "./objects.ts";
import { minimalSuite, onPlatform } from "./suite.ts";

const withPreviews: CloudSuiteArgs = { ...minimalSuite, previews: { enabled: true } };
const off: CloudSuiteArgs = { ...minimalSuite, previews: { enabled: false } };
const key = { name: "previews-credentials", key: "key" };

test("Imaginary runs beside the suite, restricted, with a place to write and the key that Nextcloud has", () => {
  const { image, env, securityContext, volumeMounts, startupProbe, readinessProbe, livenessProbe } = container(
    withPreviews,
    "previews",
  );
  expect(image).toBe("ghcr.io/nextcloud-releases/aio-imaginary:20260817_082005");
  expect(env?.map(({ name }) => name)).toEqual(["IMAGINARY_SECRET", "PORT"]);
  expect(variable(withPreviews, "previews", "IMAGINARY_SECRET")).toEqual(key);
  expect(securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  expect(pod(withPreviews, "previews").securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65534 });
  expect(volumeMounts).toEqual([{ name: "scratch", mountPath: "/tmp" }]);
  // It answers /health to those with the key alone.
  for (const probe of [startupProbe, readinessProbe, livenessProbe]) expect(probe?.tcpSocket).toEqual({ port: "http" });
  expect(find<Service>(withPreviews, "Service", "previews").spec?.ports).toMatchObject([
    { port: 9000, targetPort: "http" },
  ]);
  expect(ownPlan(withPreviews).secrets.find(({ name }) => name === key.name)?.data).toEqual({ key: { password: 48 } });
});

test("fetches nothing from a URL, whatever it is asked", () => {
  const { command, args } = container(withPreviews, "previews");
  expect([command, args]).toEqual([undefined, undefined]);
});

test("every pod of the suite knows where it is, and reads its key from the Secret", () => {
  for (const workload of suitePods) {
    expect(variable(withPreviews, workload, "NC_preview_imaginary_url")).toBe("http://previews.team.svc:9000");
    expect(variable(withPreviews, workload, "NC_preview_imaginary_key")).toEqual(key);
  }
});

test("a new key rolls it and the web", () => {
  const rolled = onPlatform(withPreviews, {
    secrets: { existing: { "cloudsuite-s3-credentials": "s3" }, revisions: { "previews-credentials": 1 } },
  });
  const annotations = (name: string) =>
    find<{ spec: { template: { metadata: { annotations?: object } } } }>(rolled, "Deployment", name).spec.template
      .metadata.annotations;
  for (const name of ["previews", "cloudsuite"])
    expect(annotations(name)).toMatchObject({ "hearth/secret-revisions": "previews-credentials=1" });
});

test("it takes the place of Nextcloud's own programs for pictures, and of no other", () => {
  const files = find<ConfigMap>(withPreviews, "ConfigMap", "cloudsuite-config").data;
  const list = [...(files?.["previews.config.php"] ?? "").matchAll(/'OC\\\\Preview\\\\(\w+)'/g)].map(
    ([, name]) => name,
  );
  expect(list).toEqual(["Imaginary", "ImaginaryPDF", "XBitmap", "Krita", "MarkDown", "OpenDocument", "TXT"]);
  expect(files?.["previews.config.php"]).toContain("'enabledPreviewProviders' => [");
});

test("Nextcloud calls it, and it calls nobody", () => {
  const own = edges(resolvedSuite(withPreviews)).filter(({ from, to }) => [from, to].includes("previews"));
  expect(own).toEqual([
    { from: "nextcloud", to: "previews", ports: [9000], reason: "Files, of which it makes previews." },
  ]);
});

test("the Job learns that they are on or off, and knows nothing where the settings say nothing", () => {
  const job = (args: CloudSuiteArgs) => [
    variable(args, "configure", "PREVIEWS"),
    container(args, "configure").command?.at(-1),
  ];
  expect(job(withPreviews)).toEqual(["on", "/hearth/configure-further.sh"]);
  expect(job(off)).toEqual(["off", "/hearth/configure-further.sh"]);
  expect(job(minimalSuite)).toEqual([undefined, "/hearth/configure.sh"]);
  const scripts = (args: CloudSuiteArgs) =>
    Object.keys(find<ConfigMap>(args, "ConfigMap", "cloudsuite-scripts").data ?? {}).includes("configure-further.sh");
  expect([withPreviews, off, minimalSuite].map(scripts)).toEqual([true, true, false]);
});

test("off, they leave no trace but the Job's", () => {
  const withoutJob = (args: CloudSuiteArgs) => ids(args).filter((id) => !id.startsWith("Job/"));
  expect(withoutJob(off)).toEqual(withoutJob(minimalSuite));
  const alertsOf = (args: CloudSuiteArgs) => find<PrometheusRule>(args, "PrometheusRule", "cloudsuite-alerts").spec;
  expect(alertsOf(off)).toEqual(alertsOf(minimalSuite));
  expect(alertsOf(withPreviews)).not.toEqual(alertsOf(minimalSuite));
  for (const workload of suitePods)
    expect(variable(off, workload, "NC_preview_imaginary_url"), workload).toBeUndefined();
  const files = find<ConfigMap>(off, "ConfigMap", "cloudsuite-config").data;
  expect(files).toEqual(find<ConfigMap>(minimalSuite, "ConfigMap", "cloudsuite-config").data);
});

test("less memory than a large picture takes is warned of", () => {
  const resources = (memory: string) => ({ requests: { cpu: "50m", memory }, limits: { cpu: "500m", memory } });
  const said = (memory: string) =>
    cloudSuiteProblems({ ...minimalSuite, previews: { enabled: true, resources: resources(memory) } }).map(
      ({ code, path }) => `${code} ${path}`,
    );
  expect(said("512Mi")).toEqual([]);
  expect(said("256Mi")).toEqual(["resources-low previews.resources.limits.memory"]);
});
