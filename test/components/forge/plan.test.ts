import { type KubernetesObject, objectId } from "@hearth-platform/hearth/core/plan";
import { inOrder } from "@hearth-platform/hearth/core/references";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { gitstoreShutdownSeconds } from "@hearth-platform/hearth/forge/configuration/gitstore";
import { proxyShutdownSeconds } from "@hearth-platform/hearth/forge/configuration/proxy";
import { shellShutdownSeconds } from "@hearth-platform/hearth/forge/configuration/shell";
import type { Deployment, StatefulSet } from "kubernetes-types/apps/v1.d.ts";
import type { HorizontalPodAutoscaler } from "kubernetes-types/autoscaling/v2.d.ts";
import type { CronJob, Job } from "kubernetes-types/batch/v1.d.ts";
import type { ConfigMap, PodTemplateSpec, Service } from "kubernetes-types/core/v1.d.ts";
import type { Role, RoleBinding } from "kubernetes-types/rbac/v1.d.ts";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { forgeApiProblems } from "../../support/forge-api.ts";
import { planForge, planHub } from "../../support/plans.ts";
import { emptyPaths } from "../cloudsuite/objects.ts";
import { completeHub } from "../hub/hub.ts";
import { completeForge, minimalForge, objectIds, objectOf } from "./forge.ts";

/** The pod of a workload; undefined for other objects. */
function podOf(object: KubernetesObject): PodTemplateSpec | undefined {
  const { spec } = object as unknown as Deployment | StatefulSet | Job;
  return object.kind === "CronJob"
    ? (object as unknown as CronJob).spec?.jobTemplate.spec?.template
    : (spec?.template as PodTemplateSpec | undefined);
}
const podsOf = (args: ForgeArgs) =>
  planForge(args).objects.flatMap(({ object }) => {
    const pod = podOf(object);
    return pod ? [[objectId(object), pod] as const] : [];
  });

describe.each([
  ["complete", completeForge],
  ["minimal", minimalForge],
])("the objects of a %s forge", (_, args) => {
  test("can be made in order", () => {
    expect(inOrder(planForge(args))).toHaveLength(planForge(args).objects.length);
  });

  test("have no empty fields, which the API server would drop", () => {
    for (const { object } of planForge(args).objects) {
      const allowed = /\.(podSelector|grpc\.service|namespaceSelector|apiGroups\.0)$/;
      expect(
        emptyPaths(object).filter((path) => !allowed.test(path)),
        objectId(object),
      ).toEqual([]);
    }
  });

  test("run no container with a command in the place of the image's entrypoint, but the runner's", () => {
    const replaced = podsOf(args).flatMap(([id, { spec }]) =>
      [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].filter(({ command }) => command).map(() => id),
    );
    expect(replaced).toEqual(args.runner ? ["Deployment/forge-runner"] : []);
  });

  test("mount a token of the cluster only where it is used", () => {
    const withToken = podsOf(args).filter(([, { spec }]) => spec?.automountServiceAccountToken);
    expect(withToken.map(([id]) => id.replace(/-[0-9a-f]{8}$/, "")).sort()).toEqual(
      args.runner ? ["Deployment/forge-runner", "Job/forge-runner-registration"] : [],
    );
  });
});

test.each([
  ["Deployment/forge-webservice", ["webservice", "proxy"]],
  ["Deployment/forge-jobs", ["jobs"]],
  ["StatefulSet/forge-gitstore", ["gitstore"]],
  ["Deployment/forge-shell", ["shell"]],
  ["Deployment/forge-pages", ["pages"]],
  ["Deployment/forge-toolbox", ["forge-toolbox"]],
  ["Deployment/forge-runner", ["runner"]],
])("%s runs %j", (id, containers) => {
  const { spec } = objectOf<Deployment>(completeForge, id);
  expect(spec?.template.spec?.containers.map(({ name }) => name)).toEqual(containers);
});

describe("Services", () => {
  test.each([
    ["forge-webservice", [8080, 8181, 8083]],
    ["forge-jobs", [3807]],
    ["forge-gitstore", [8075, 9236]],
    ["forge-shell", [22]],
    ["forge-pages", [8090]],
  ])("%s has the ports of the specification", (name, numbers) => {
    const service = objectOf<Service>(completeForge, `Service/${name}`);
    expect(service.spec?.ports?.map(({ port }) => port)).toEqual(numbers);
  });

  test("toolbox and runner have none", () => {
    expect(objectIds(completeForge).filter((id) => /^Service\/forge-(toolbox|runner)/.test(id))).toEqual([]);
  });
});

describe("the pods of CI jobs", () => {
  /** The runner's template with `platform.images`. */
  const kubernetes = (images: object, version = completeForge.version) => {
    const args = { ...completeForge, version, platform: { ...completeForge.platform, images } };
    const { data } = objectOf<Required<ConfigMap>>(args, "ConfigMap/forge-runner");
    const parsed = parse(data["config.toml"] ?? "") as { runners: { kubernetes: Record<string, unknown> }[] };
    return parsed.runners[0]?.kubernetes;
  };

  test("pull the default image and the runner's helper through the mirrors", () => {
    const mirrors = { "docker.io": "mirror.example.org/hub", "registry.gitlab.com": "mirror.example.org/gitlab" };
    expect(kubernetes({ mirrors })).toMatchObject({
      image: "mirror.example.org/hub/library/alpine:3.22",
      helper_image: "mirror.example.org/gitlab/gitlab-org/gitlab-runner/gitlab-runner-helper:x86_64-v18.5.0",
    });
  });

  test("have the image-pull Secrets of the stack", () => {
    expect(kubernetes({ pullSecrets: ["registry", "other"] })).toMatchObject({
      image_pull_secrets: ["registry", "other"],
    });
  });

  test("have the helper that the runner picks by its architecture, and no Secrets, where nothing is set", () => {
    expect(kubernetes({})).not.toHaveProperty("helper_image");
    expect(kubernetes({})).not.toHaveProperty("image_pull_secrets");
  });
});

test("every Go program of the forge offers the key exchange that its maker tests", () => {
  const values = podsOf(completeForge).flatMap(([, { spec }]) =>
    (spec?.containers ?? []).flatMap(({ name, env }) =>
      (env ?? []).filter((each) => each.name === "GODEBUG").map(({ value }) => `${name} ${value}`),
    ),
  );
  expect(values.sort()).toEqual(["gitstore", "pages", "proxy", "shell"].map((name) => `${name} tlsmlkem=0,tlskyber=0`));
});

describe("the order of a zero-downtime upgrade", () => {
  const earlier = (args: ForgeArgs, id: string) =>
    inOrder(planForge(args)).find(({ planned }) => objectId(planned.object) === id)?.dependsOn ?? [];
  const skip = (args: ForgeArgs, id: string) =>
    podOf(objectOf<KubernetesObject>(args, id))?.spec?.containers[0]?.env?.some(
      ({ name }) => name === "SKIP_POST_DEPLOYMENT_MIGRATIONS",
    );

  test("is git store and regular migrations, new pods, the other migrations", () => {
    const [first, last] = ["Job/forge-migrations-18-5-2", "Job/forge-post-migrations-18-5-2"];
    for (const writer of ["Deployment/forge-webservice", "Deployment/forge-jobs"])
      expect(earlier(completeForge, writer)).toEqual(expect.arrayContaining([first, "StatefulSet/forge-gitstore"]));
    expect(earlier(completeForge, last)).toEqual(
      expect.arrayContaining(["Deployment/forge-webservice", "Deployment/forge-jobs"]),
    );
    expect(skip(completeForge, first)).toBe(true);
    expect(skip(completeForge, last)).toBe(false);
  });

  test("with downtime all migrations run at once", () => {
    const args = { ...completeForge, downtime: true };
    expect(objectIds(args).filter((id) => id.includes("migrations-"))).toEqual(["Job/forge-migrations-18-5-2"]);
    expect(skip(args, "Job/forge-migrations-18-5-2")).toBe(false);
  });
});

test("every certificate of forge and hub is awaited until it is issued, in a Secret of its own name", () => {
  const certificates = [planForge(completeForge), planHub(completeHub)].flatMap(({ objects }) =>
    objects.filter(({ object: { kind } }) => kind === "Certificate").map(({ object }) => object),
  );
  expect(certificates.map(({ metadata: { name, annotations } }) => [name, annotations])).toEqual(
    ["forge-tls", "forge-pages-tls", "hub-tls"].map((name) => [name, { "pulumi.com/waitFor": "condition=Ready" }]),
  );
  for (const { metadata, spec } of certificates as (KubernetesObject & { spec: object })[])
    expect(spec).toMatchObject({ secretName: metadata.name, issuerRef: { kind: "ClusterIssuer" } });
});

describe("a change of a setting", () => {
  const changed = (before: ForgeArgs, now: ForgeArgs) => {
    const texts = (args: ForgeArgs) =>
      new Map(planForge(args).objects.map(({ object }) => [objectId(object), JSON.stringify(object)]));
    const [old, young] = [texts(before), texts(now)];
    const all = [...new Set([...old.keys(), ...young.keys()])];
    return all
      .filter((id) => old.get(id) !== young.get(id))
      .map((id) => (old.has(id) ? (young.has(id) ? `~ ${id}` : `- ${id}`) : `+ ${id}`))
      .map((line) => line.replace(/-[0-9a-f]{8}$/, "-…"))
      .sort();
  };

  test.each<[string, Partial<ForgeArgs>, string[]]>([
    ["replicas", { replicas: { webservice: 3 } }, ["~ Deployment/forge-webservice"]],
    ["a larger volume", { repositorySize: "80Gi" }, ["~ PersistentVolumeClaim/data-forge-gitstore-0"]],
    ["the schedule of backups", { backup: { schedule: "0 2 * * *" } }, ["~ CronJob/forge-backup"]],
    ["where repositories are backed up", { backup: { repositories: "archive" } }, ["~ CronJob/forge-backup"]],
    [
      "concurrent CI jobs",
      { runner: { ...completeForge.runner, concurrent: 3 } },
      ["~ ConfigMap/forge-runner", "~ Deployment/forge-runner"],
    ],
    [
      "who may sign up",
      { administration: { ...completeForge.administration, signUp: true } },
      expect.arrayContaining(["+ Job/forge-settings-…", "- Job/forge-settings-…", "~ ConfigMap/forge-settings"]),
    ],
    [
      "the entry point of SSH",
      { ssh: { entryPoint: "git", domain: "ssh.example.org", port: 2222 } },
      ["~ IngressRouteTCP/forge-shell"],
    ],
  ])("%s touches only what it must", (_, change, expected) => {
    expect(changed(completeForge, { ...completeForge, ...change })).toEqual(expected);
  });

  test("of mail rolls Rails' pods, and neither git store nor shell nor pages", () => {
    const { smtp, ...administration } = completeForge.administration ?? {};
    const lines = changed(completeForge, {
      ...completeForge,
      administration: { ...administration, smtp: smtp && { ...smtp, host: "smtp.example.org" } },
    });
    expect(lines).toEqual(expect.arrayContaining(["~ Deployment/forge-jobs", "~ Deployment/forge-webservice"]));
    expect(lines.filter((line) => /gitstore|shell|pages|forge-runner$/.test(line))).toEqual([]);
  });
});

describe("the settings the forge keeps in its database", () => {
  const settings = (args: ForgeArgs) => {
    const { data } = objectOf<{ data: Record<string, string> }>(args, "ConfigMap/forge-settings");
    const body = JSON.parse(data["settings.json"] ?? "");
    // GitLab's own client does not have it yet; its docs do (api/settings).
    const { gitlab_product_usage_data_enabled: _, ...judged } = body;
    expect(forgeApiProblems({ operation: "UpdateSettings", body: judged })).toEqual([]);
    return body;
  };
  const silent = {
    usage_ping_enabled: false,
    version_check_enabled: false,
    update_runner_versions_enabled: false,
    gravatar_enabled: false,
  };

  test("are set where the stack names them and else left to administrators", () => {
    const ssh = { entryPoint: "ssh" };
    expect(settings({ ...minimalForge, ssh })).toEqual({ enabled_git_access_protocol: "", ...silent });
    const administration = { signUp: false, defaultProjectVisibility: "internal" } as const;
    expect(settings({ ...minimalForge, ssh, administration })).toEqual({
      ...silent,
      enabled_git_access_protocol: "",
      signup_enabled: false,
      default_project_visibility: "internal",
    });
  });

  test("without SSH show no clone address of it", () => {
    expect(settings(minimalForge)).toEqual({ enabled_git_access_protocol: "http", ...silent });
  });

  const withPrivacy = (privacy: object, version?: string) =>
    ({ ...minimalForge, version, platform: { ...minimalForge.platform, privacy } }) as ForgeArgs;
  test.each([
    ["forgeServicePing", { usage_ping_enabled: true }],
    ["forgeVersionCheck", { version_check_enabled: true }],
    ["forgeRunnerReleases", { update_runner_versions_enabled: true }],
    ["forgeGravatar", { gravatar_enabled: true }],
    ["forgeUsageEvents", { gitlab_product_usage_data_enabled: true }],
  ])("turn on what %s names, and nothing else", (name, told) => {
    expect(settings(withPrivacy({ [name]: true }))).toMatchObject({ ...silent, ...told });
  });

  test("turn events of use off before 18.9, where no variable does", () => {
    const usage = (version: string) => {
      const pod = objectOf<Deployment>(withPrivacy({}, version), "Deployment/forge-jobs");
      const { env = [] } = pod.spec?.template.spec?.containers[0] ?? {};
      const variable = env.find(({ name }) => name === "GITLAB_PRODUCT_USAGE_DATA_ENABLED")?.value;
      return [variable, settings(withPrivacy({}, version)).gitlab_product_usage_data_enabled];
    };
    expect(usage("18.8.11")).toEqual([undefined, false]);
    expect(usage("18.9.8")).toEqual(["false", undefined]);
  });
});

describe("maintenance", () => {
  test("is no web, job and runner pods, while git store and toolbox stay", () => {
    const args = { ...completeForge, maintenance: true, replicas: { autoscaleFactor: 3 } };
    const replicas = (name: string) => objectOf<Deployment>(args, `Deployment/${name}`).spec?.replicas;
    expect(["forge-webservice", "forge-jobs", "forge-runner"].map(replicas)).toEqual([0, 0, 0]);
    expect(replicas("forge-toolbox")).toBe(1);
    expect(objectOf<StatefulSet>(args, "StatefulSet/forge-gitstore").spec?.replicas).toBe(1);
    expect(objectIds(args).filter((id) => id.startsWith("HorizontalPodAutoscaler"))).toEqual([]);
  });
});

describe("pods that end", () => {
  const deployment = (name: string) => objectOf<Deployment>(completeForge, `Deployment/${name}`);
  const grace = (name: string) => deployment(name).spec?.template.spec?.terminationGracePeriodSeconds ?? 30;

  test("have longer than their programs take to finish what is under way", () => {
    // The blackout and a request of the web server; the proxy's time for requests after the blackout.
    expect(grace("forge-webservice")).toBeGreaterThan(10 + proxyShutdownSeconds);
    expect(grace("forge-jobs")).toBeGreaterThan(25);
    expect(grace("forge-shell")).toBeGreaterThan(shellShutdownSeconds);
    const gitstore = objectOf<StatefulSet>(completeForge, "StatefulSet/forge-gitstore").spec?.template?.spec;
    expect(gitstore?.terminationGracePeriodSeconds).toBeGreaterThan(gitstoreShutdownSeconds);
  });

  test("leave a roll-out time for it, also where the old one has to go first", () => {
    for (const name of [
      "forge-webservice",
      "forge-jobs",
      "forge-shell",
      "forge-pages",
      "forge-toolbox",
      "forge-runner",
    ])
      expect(deployment(name).spec?.progressDeadlineSeconds ?? 600, name).toBeGreaterThan(grace(name));
  });

  test("never leave web, jobs, SSH or sites with fewer than the wanted", () => {
    for (const name of ["forge-webservice", "forge-jobs", "forge-shell", "forge-pages"]) {
      expect(deployment(name).spec?.strategy).toEqual({
        type: "RollingUpdate",
        rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
      });
      expect(deployment(name).spec?.template.spec?.topologySpreadConstraints).toHaveLength(1);
      expect(objectIds(completeForge)).toContain(`PodDisruptionBudget/${name}`);
    }
  });
});

describe("autoscaling", () => {
  const args: ForgeArgs = { ...completeForge, replicas: { autoscaleFactor: 3 } };

  test.each(["forge-webservice", "forge-jobs", "forge-shell"])("of %s leaves the count to it", (name) => {
    const { spec } = objectOf<HorizontalPodAutoscaler>(args, `HorizontalPodAutoscaler/${name}`);
    expect(spec).toMatchObject({ minReplicas: 2, maxReplicas: 6, scaleTargetRef: { kind: "Deployment", name } });
    const planned = planForge(args).objects.find(({ object }) => objectId(object) === `Deployment/${name}`);
    expect(planned?.ignoreChanges).toEqual(["spec.replicas"]);
  });

  test("adds a pod at least, also where the factor is less than a whole one", () => {
    const single: ForgeArgs = { ...completeForge, replicas: { webservice: 1, autoscaleFactor: 1.5 } };
    const { spec } = objectOf<HorizontalPodAutoscaler>(single, "HorizontalPodAutoscaler/forge-webservice");
    expect(spec).toMatchObject({ minReplicas: 1, maxReplicas: 2 });
  });

  test("is none unless asked for", () => {
    expect(objectIds(completeForge).filter((id) => id.startsWith("HorizontalPodAutoscaler"))).toEqual([]);
  });
});

describe("rights", () => {
  test("are bound to accounts and roles that there are: those of jobs lie in their namespace, the runner's account in the forge's", () => {
    const args: ForgeArgs = { ...completeForge, runner: { ...completeForge.runner, jobNamespace: "builds" } };
    const { objects } = planForge(args);
    const places = objects.map(({ object: { kind, metadata } }) => `${kind} ${metadata.namespace}/${metadata.name}`);
    const bindings = objects
      .map(({ object }) => object as KubernetesObject & RoleBinding)
      .filter(({ kind }) => kind === "RoleBinding");
    for (const { metadata, roleRef, subjects = [] } of bindings) {
      expect(places).toContain(`Role ${metadata.namespace}/${roleRef.name}`);
      for (const { kind, namespace, name } of subjects) expect(places).toContain(`${kind} ${namespace}/${name}`);
    }
    const bound = bindings.map(({ metadata, subjects }) => [
      metadata.namespace,
      subjects?.map((each) => each.namespace),
    ]);
    expect(bound).toContainEqual(["builds", [completeForge.namespace]]);
  });

  test("the Job that makes the runner may write one Secret, which exists", () => {
    const { rules } = objectOf<Role>(completeForge, "Role/forge-runner-registration");
    expect(rules).toEqual([
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["forge-runner-token"], verbs: ["get", "patch"] },
    ]);
    expect(planForge(completeForge).secrets.map(({ name }) => name)).toContain("forge-runner-token");
  });

  test("the runner has rights in its jobs' namespace alone", () => {
    expect(objectOf<Role>(completeForge, "Role/forge-runner").metadata?.namespace).toBe("platform-jobs");
  });
});
