import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { databaseImage } from "@hearth-platform/hearth/catalogue/images";
import { clusterPrograms, type Line, programs } from "@hearth-platform/hearth/catalogue/releases";
import { compareVersions } from "@hearth-platform/hearth/core/versions";
import { runnerVersion, shellVersion } from "@hearth-platform/hearth/forge/versions";
import { limits } from "@hearth-platform/hearth/limits/table";
import { stackPlans } from "@hearth-platform/stack/parts";
import { runtime } from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { registered } from "../../support/pulumi-mocks.ts";
import { checkFiles, committedStack, type StackFiles, wholePlatform, withSettings } from "../../support/stack-files.ts";

/** No image is outside the table of releases: of the stacks' and examples' objects here, of Dockerfiles and judges in releases.test.ts. */

const project = join(import.meta.dirname, "../../..");
const registries = ["docker.io", "ghcr.io", "gcr.io", "registry.gitlab.com", "registry.example.org"];
const reference = new RegExp(`(?:${registries.join("|").replaceAll(".", "\\.")})/[\\w./-]+:[\\w.-]+`, "g");

/** Every image that objects name, in a field or within a file. */
function imagesIn(objects: readonly object[]): string[] {
  return [...new Set(JSON.stringify(objects).match(reference))].sort();
}

function objectsOf(files: StackFiles): object[] {
  const { stack } = checkFiles(files);
  if (!stack) throw new Error("The stack is not valid.");
  return stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object));
}

/** Programs by the ends of their images' names, which mirrors keep. */
const rows: readonly (readonly [image: RegExp, program: keyof typeof programs])[] = [
  [/\/cng\/(gitlab-(webservice|workhorse|sidekiq|toolbox)-(ee|ce)|gitaly|gitlab-pages|certificates)$/, "gitlab"],
  [/\/goharbor\/(harbor-(core|jobservice|portal|registryctl)|registry-photon)$/, "harbor"],
  [/\/library\/nextcloud$/, "nextcloud"],
  [/\/cloudnative-pg\/postgresql$/, "postgresql"],
  [/\/cloudnative-pg\/pgbouncer$/, "pgbouncer"],
  [/\/valkey\/valkey$/, "valkey"],
  [/\/collabora\/code$/, "collabora"],
  [/\/nextcloud-releases\/whiteboard$/, "whiteboard"],
  [/\/nextcloud\/notify_push$/, "notifyPush"],
  [/\/nextcloud-releases\/aio-imaginary$/, "imaginary"],
  [/\/rclone\/rclone$/, "rclone"],
  [/\/oliver006\/redis_exporter$/, "redisExporter"],
  [/\/library\/node$/, "node"],
  [/\/library\/alpine$/, "alpine"],
];

/** Images without a line of their own: the tag that they have to have, and why. */
const companions: readonly (readonly [image: RegExp, tag: RegExp, why: string])[] = [
  [
    /\/cng\/gitlab-shell$/,
    exactly(`v${shellVersion({})}`),
    "Each release of the forge names the one it was published with.",
  ],
  [/\/gitlab\/gitlab-runner$/, exactly(`alpine-v${runnerVersion({})}`), "It goes with the forge's minor."],
  [/\/gitlab-runner-helper$/, exactly(`x86_64-v${runnerVersion({})}`), "It is the runner's own."],
  [/\/hearth\/site-webhook$/, /^[0-9a-f]{16}$/, "Ours: the tag is a hash of what it is built from, its base among it."],
];

function exactly(tag: string): RegExp {
  return new RegExp(`^${tag.replaceAll(".", "\\.")}$`);
}

/** What is wrong with an image; undefined where the table has it. */
function faultOf(image: string): string | undefined {
  const [name = "", tag = ""] = image.split(/:(?=[^:/]+$)/);
  const [, wanted] = companions.find(([end]) => end.test(name)) ?? [];
  if (wanted) return wanted.test(tag) ? undefined : `${image}: its tag is not ${wanted}`;
  const [, program] = rows.find(([end]) => end.test(name)) ?? [];
  if (!program) return `${image}: no row of components/catalogue/releases.ts is for it`;
  const lines: readonly Line[] = programs[program].lines;
  return lines.some(({ line }) => compareVersions(line, tag) === 0)
    ? undefined
    : `${image}: ${program} has no line for it`;
}

describe.each([
  ["dev", committedStack("dev")],
  ["prod", committedStack("prod")],
  [
    "with every part",
    withSettings(wholePlatform(), {
      "cloudsuites[0].push": { enabled: true },
      "cloudsuites[0].previews": { enabled: true },
    }),
  ],
])("a stack, %s,", (_, files) => {
  it("has no image outside the table", () => {
    const images = imagesIn(objectsOf(files));
    expect(images.length).toBeGreaterThan(15);
    expect(images.flatMap((image) => faultOf(image) ?? [])).toEqual([]);
  });
});

describe("an example", () => {
  const examples = join(project, "examples");
  const programs = readdirSync(examples).filter((name) => existsSync(join(examples, name, "index.ts")));

  /** Runs an example with what `pulumi new` offers for its settings. */
  async function imagesOf(name: string): Promise<string[]> {
    const { template } = parse(readFileSync(join(examples, name, "Pulumi.yaml"), "utf8"));
    const offered = Object.entries<{ default: string }>(template?.config ?? {});
    runtime.setAllConfig(Object.fromEntries(offered.map(([key, value]) => [`hearth:${key}`, value.default])));
    // A program runs once for all tests of a process, but for each query anew.
    return imagesIn(await registered(() => import(`${join(examples, name, "index.ts")}?images`)));
  }

  it.each(programs.filter((name) => name !== "packs-alone"))("%s has no image outside the table", async (name) => {
    const images = await imagesOf(name);
    expect(images).not.toEqual([]);
    expect(images.flatMap((image) => faultOf(image) ?? [])).toEqual([]);
  });

  it("packs-alone, whose workload is to be reported by the packs, has no other image", async () => {
    expect(await imagesOf("packs-alone")).toEqual(["docker.io/library/python:latest"]);
  });
});

it("an image that is not in the table is told by its name", () => {
  expect(faultOf("docker.io/library/redis:7.2")).toContain("no row");
  expect(faultOf("docker.io/library/nextcloud:29.0.1-apache")).toContain("nextcloud has no line for it");
  expect(faultOf("registry.gitlab.com/gitlab-org/build/cng/gitlab-shell:v14.0.0")).toContain("its tag is not");
});

describe("the image of a database", () => {
  /** Majors whose image is not of the newest minor: which it is, why, and until when that is good enough. */
  const behind: Readonly<Record<string, { readonly minor: string; readonly why: string }>> = {
    13: { minor: "13.22", why: "13.23 has no image, and there will be none: 13 has ended." },
  };

  it.each(programs.postgresql.lines)("of $line has the newest minor, or its reason", ({ line, newest }) => {
    const minor = /:(\d+\.\d+)-/.exec(databaseImage(Number(line)))?.[1];
    expect(minor).toBe(behind[line]?.minor ?? newest);
  });

  it("is there for every major that a suite or the platform may have", () => {
    const { databaseMajor, sharedDatabaseMajor } = limits;
    const most = Math.max(databaseMajor.most(), sharedDatabaseMajor.most());
    for (let major = databaseMajor.least(); major <= most; major++) expect(() => databaseImage(major)).not.toThrow();
  });
});

describe("a judge of the tests", () => {
  const modules: Readonly<Record<keyof typeof clusterPrograms, readonly [folder: string, module: string]>> = {
    kubernetes: ["kube", "k8s.io/kubernetes"],
    cloudnativePg: ["cloudnative-pg", "github.com/cloudnative-pg/cloudnative-pg"],
    barmanPlugin: ["crds", "github.com/cloudnative-pg/plugin-barman-cloud"],
    traefik: ["traefik", "github.com/traefik/traefik/v3"],
    certManager: ["cert-manager", "github.com/cert-manager/cert-manager"],
    externalSecrets: ["external-secrets", "github.com/external-secrets/external-secrets"],
    prometheusOperator: ["crds", "github.com/prometheus-operator/prometheus-operator"],
    argoCd: ["argo-cd", "github.com/argoproj/argo-cd/v3"],
  };

  it.each(Object.entries(modules))("of %s is the version that the tests build", (name, [folder, module]) => {
    const text = readFileSync(join(project, "sandbox/programs", folder, "go.mod"), "utf8");
    const line = text.split("\n").find((each) => each.trim().startsWith(`${module} v`));
    expect(line).toContain(` v${clusterPrograms[name as keyof typeof clusterPrograms].judged}`);
  });
});
