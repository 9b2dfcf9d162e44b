import { servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { type CloudSuiteArgs, type CloudSuiteOfficeArgs, OfficeEngine } from "@hearth-platform/hearth/cloudsuite/args";
import { objectId } from "@hearth-platform/hearth/core/plan";
import type { IngressRoute } from "@hearth-platform/hearth/kubernetes/custom-resources/ingress-route";
import type { Job } from "kubernetes-types/batch/v1.d.ts";
import type { ConfigMap, Service } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { container, emptyPaths, find, ownObjects, ownPlan, pod, variable } from "./objects.ts";
import { completeSuite, minimalSuite } from "./suite.ts";

test("the ports of the two engines differ in name, or the Service could not go from one to the other", () => {
  const port = (engine: OfficeEngine) => {
    const office = { ...(completeSuite.office as CloudSuiteOfficeArgs), engine };
    const [found] = find<Service>({ ...completeSuite, office }, "Service", "office").spec?.ports ?? [];
    expect(container({ ...completeSuite, office }, "office").ports).toMatchObject([{ name: found?.name }]);
    return found;
  };
  const [one, other] = [port(OfficeEngine.collabora), port(OfficeEngine.onlyoffice)];
  expect(one?.port).not.toBe(other?.port);
  expect(one?.name).not.toBe(other?.name);
});

describe("configuration of the apps", () => {
  const settings = (args: CloudSuiteArgs) =>
    JSON.parse(find<ConfigMap>(args, "ConfigMap", "cloudsuite-apps").data?.["apps.json"] ?? "").apps;

  test("comes after web, office and whiteboard", () => {
    const job = ownObjects(completeSuite).find(({ object }) => object.kind === "Job");
    expect(job?.after).toEqual(["Deployment/office", "Deployment/whiteboard", "Deployment/cloudsuite"]);
  });

  test("turns on what is enabled and off what is not", () => {
    expect(variable(completeSuite, "configure", "APPS_ON")).toBe("richdocuments whiteboard");
    expect(variable(completeSuite, "configure", "APPS_OFF")).toMatch(/^onlyoffice\b/);
    expect(variable(minimalSuite, "configure", "APPS_ON")).toBeUndefined();
    const all = servedApps.flatMap(({ nextcloudApps, staysOn }) => (staysOn ? [] : nextcloudApps));
    expect(variable(minimalSuite, "configure", "APPS_OFF")).toBe([...all, "survey_client"].join(" "));
    const platform = { ...minimalSuite.platform, privacy: { suiteSurvey: true } };
    expect(variable({ ...minimalSuite, platform }, "configure", "APPS_ON")).toBe("survey_client");
  });

  test("sends Nextcloud to the office inside the cluster and browsers to its public name", () => {
    expect(settings(completeSuite).richdocuments).toEqual({
      wopi_url: "http://office.team.svc:9980",
      public_wopi_url: "https://office.cloud.example.org",
    });
  });

  test("gives the whiteboard's secret by the name of a variable, filled in by the Job", () => {
    expect(settings(completeSuite).whiteboard).toEqual({
      collabBackendUrl: "https://cloud.example.org/whiteboard",
      jwt_secret_key: `\${WHITEBOARD_JWT_SECRET}`,
    });
    const secret = { name: "whiteboard-credentials", key: "jwt-secret" };
    expect(variable(completeSuite, "configure", "WHITEBOARD_JWT_SECRET")).toEqual(secret);
    expect(variable(completeSuite, "whiteboard", "JWT_SECRET_KEY")).toEqual(secret);
  });

  test("is a Job of another name whenever it would do something else, and of the same name otherwise", () => {
    const name = (args: CloudSuiteArgs) => find<Job>(args, "Job", /^cloudsuite-configure-/).metadata?.name;
    expect(name({ ...completeSuite })).toBe(name(completeSuite));
    const newer = { ...completeSuite, versions: { ...completeSuite.versions, cloudsuite: "31.0.9-apache" } };
    expect(name(newer)).not.toBe(name(completeSuite));
    expect(name({ ...completeSuite, whiteboard: undefined })).not.toBe(name(completeSuite));
    expect(name(completeSuite)).toMatch(/^cloudsuite-configure-[0-9a-f]{8}$/);
  });
});

describe("office", () => {
  const onlyoffice: CloudSuiteArgs = completeSuite.office
    ? { ...completeSuite, office: { ...completeSuite.office, engine: "onlyoffice" } }
    : completeSuite;

  test("is Collabora with the four capabilities of its document jails, and no root", () => {
    expect(container(completeSuite, "office")).toMatchObject({
      image: "docker.io/collabora/code:25.04.5.1.1",
      securityContext: {
        allowPrivilegeEscalation: true,
        capabilities: { drop: ["ALL"], add: ["CHOWN", "FOWNER", "MKNOD", "SYS_CHROOT"] },
      },
    });
    expect(pod(completeSuite, "office").securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1001 });
    expect(variable(completeSuite, "office", "aliasgroup1")).toBe("https://cloud.example.org:443");
    expect(variable(completeSuite, "office", "server_name")).toBe("office.cloud.example.org");
  });

  test("keeps the key that Collabora signs with over its starts, beside the configuration that it writes itself", () => {
    const secret = ownPlan(completeSuite).secrets.find(({ name }) => name === "office-credentials");
    expect(secret?.data).toMatchObject({
      proof_key: { privateKey: "RSA", form: "pem" },
      "proof_key.pub": { publicKeyOf: "proof_key" },
    });
    // Turning the office off is to delete it: another key loses nothing.
    expect(secret?.neverChanges).toBeUndefined();
    const [volume] = pod(completeSuite, "office").volumes ?? [];
    expect(volume?.secret).toMatchObject({ secretName: "office-credentials", defaultMode: 0o440 });
    expect(container(completeSuite, "office").volumeMounts).toEqual(
      ["proof_key", "proof_key.pub"].map((file) => ({
        name: volume?.name,
        mountPath: `/etc/coolwsd/${file}`,
        subPath: file,
        readOnly: true,
      })),
    );
    expect(pod(onlyoffice, "office").volumes).toBeUndefined();
  });

  test("is OnlyOffice where the settings say so, with its secret shared with the app", () => {
    expect(container(onlyoffice, "office").image).toBe("docker.io/onlyoffice/documentserver:25.04.5.1.1");
    const secret = { name: "office-credentials", key: "jwt-secret" };
    expect(variable(onlyoffice, "office", "JWT_SECRET")).toEqual(secret);
    expect(variable(onlyoffice, "configure", "OFFICE_JWT_SECRET")).toEqual(secret);
    expect(variable(onlyoffice, "configure", "APPS_ON")).toBe("onlyoffice whiteboard");
    for (const { object } of ownObjects(onlyoffice))
      expect(
        emptyPaths(object).filter((path) => !/\.(podSelector|namespaceSelector)$/.test(path)),
        objectId(object),
      ).toEqual([]);
  });

  test("lets in what its clients need, and nothing else", () => {
    const rule = (args: CloudSuiteArgs) => find<IngressRoute>(args, "IngressRoute", "office").spec.routes[0]?.match;
    const allowed = /^Host\(`office\.cloud\.example\.org`\) && \((?:PathRegexp\(`\^[^`]+\$`\)(?: \|\| )?)+\)$/;
    for (const args of [completeSuite, onlyoffice]) expect(rule(args)).toMatch(allowed);
    expect(rule(onlyoffice)).not.toBe(rule(completeSuite));
  });

  test("leaves no trace where it is off, nor does the whiteboard", () => {
    const found = JSON.stringify(ownObjects(minimalSuite).map(({ object }) => [object.kind, object.metadata]));
    expect(found).not.toMatch(/office|whiteboard/);
    expect(ownPlan(minimalSuite).secrets.map(({ name }) => name)).toEqual(["cloudsuite-admin"]);
  });
});
