import { join } from "node:path";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type StackImage, stackImages } from "@hearth-platform/stack/delivery/stack-images";
import { describe, expect, it } from "vitest";
import { hearth } from "../../support/caller.ts";

const digest = `sha256:${"ab".repeat(32)}`;

const project = join(import.meta.dirname, "../../..");
const images = (...args: string[]) => hearth(project, "images", ...args);

describe("hearth images list", () => {
  it("prints each image once, with its tag and what runs it", async () => {
    const { status, stdout } = await images("list", "--stack", "dev");
    expect(status).toBe(0);
    expect(
      stdout.match(
        /│ docker.io\/library\/nextcloud +│ \d+\.\d+\.\d+-apache +│ club\/CronJob cloudsuite-config-backup/g,
      ),
    ).toHaveLength(1);
    expect(stdout).toMatch(/│ team\/Deployment cloudsuite +│/);
    expect(stdout).toMatch(/│ ghcr.io\/cloudnative-pg\/postgresql +│ 16\..* │ club\/Cluster cloudsuite-db/);
  });

  it("names images as the nodes pull them, from the stack's mirrors", async () => {
    const { stdout } = await images("list", "--stack", "prod", "--json");
    const listed: StackImage[] = JSON.parse(stdout);
    expect(listed.length).toBeGreaterThan(15);
    for (const { image, repository, tag } of listed) {
      expect(image).toBe(`${repository}:${tag}`);
      expect(repository).toMatch(/^registry\.example\.org\//);
    }
  });

  it.each([
    [["list"], "Required option '--stack <STACK>'"],
    [["pull", "--stack", "dev"], "Unknown command 'pull'"],
  ])("is a usage error with %j", async (args, problem) => {
    const { status, stderr } = await images(...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });

  it("tells of a stack that is not there", async () => {
    const { status, stderr } = await images("list", "--stack", "stage");
    expect([status, stderr]).toEqual([1, expect.stringContaining("Pulumi.stage.yaml does not exist")]);
  });
});

it.each([
  ["127.0.0.1:5000/app", { repository: "127.0.0.1:5000/app" }],
  ["127.0.0.1:5000/a/app:1.2", { repository: "127.0.0.1:5000/a/app", tag: "1.2" }],
  [`app:1@${digest}`, { repository: "app", tag: "1", digest }],
  [`app@${digest}`, { repository: "app", digest }],
])("the image %s is taken apart into repository, tag and digest", (image, parts) => {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", namespace: "b" },
    spec: { containers: [{ image }] },
  };
  const plan = { objects: [{ object: pod as KubernetesObject }], secrets: [] } as never;
  expect(stackImages([plan])).toEqual([{ image, ...parts, usedBy: ["b/Pod a"] }]);
});
