import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import type { Deployment, StatefulSet } from "kubernetes-types/apps/v1.d.ts";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import { describe, expect, test } from "vitest";
import { completeForge, minimalForge, objectOf } from "./forge.ts";

test.each([
  ["Europe/Berlin", { timeZone: "Europe/Berlin" }],
  ["Etc/UTC", undefined],
])("the forge's backup is made by the clock of %s where the administration has %j", (timeZone, administration) => {
  const { spec } = objectOf<CronJob>({ ...minimalForge, administration }, "CronJob/forge-backup");
  expect(spec?.timeZone).toBe(timeZone);
});

test("the forge's backup never runs twice at once, is tried twice at most, an hour late at most and for twelve hours, and rests in maintenance", () => {
  const backup = (args: ForgeArgs) => objectOf<CronJob>(args, "CronJob/forge-backup").spec;
  expect(backup(minimalForge)).toMatchObject({
    concurrencyPolicy: "Forbid",
    startingDeadlineSeconds: 3_600,
    jobTemplate: { spec: { backoffLimit: 1, activeDeadlineSeconds: 43_200 } },
  });
  expect(backup(minimalForge)?.suspend).toBeUndefined();
  expect(backup({ ...minimalForge, maintenance: true })?.suspend).toBe(true);
});

describe("the git store's copies of repositories", () => {
  const gitstore = (args: ForgeArgs) => objectOf<StatefulSet>(args, "StatefulSet/forge-gitstore").spec?.template;

  test("are written with the object store's keys, whose new revision rolls the pod", () => {
    const { credentials } = completeForge.objectStore;
    const env = gitstore(completeForge)?.spec?.containers[0]?.env;
    expect(env?.filter(({ name }) => name.startsWith("AWS_"))).toEqual([
      ...["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].map((key) => ({
        name: key,
        valueFrom: { secretKeyRef: { name: credentials, key } },
      })),
      { name: "AWS_REQUEST_CHECKSUM_CALCULATION", value: "when_required" },
    ]);
    const { secrets, ...platform } = completeForge.platform;
    const revised = { ...secrets, revisions: { ...secrets?.revisions, [credentials]: 7 } };
    expect(gitstore({ ...completeForge, platform: { ...platform, secrets: revised } })).not.toEqual(
      gitstore(completeForge),
    );
  });

  test("can be restored also where new ones go into the archive", () => {
    expect(gitstore({ ...completeForge, backup: { repositories: "archive" } })).toEqual(gitstore(completeForge));
  });

  test("are in the same folder for the backup and for the toolbox, which restores", () => {
    const folder = { name: "REPOSITORIES_FOLDER", value: "repositories" };
    const toolbox = objectOf<Deployment>(completeForge, "Deployment/forge-toolbox").spec?.template;
    const backup = objectOf<CronJob>(completeForge, "CronJob/forge-backup").spec?.jobTemplate.spec?.template;
    for (const pod of [toolbox, backup]) expect(pod?.spec?.containers[0]?.env).toContainEqual(folder);
  });
});

test.each<[ForgeArgs["backup"], string, string]>([
  [undefined, "bucket", "true"],
  [{ repositories: "archive", objects: false }, "archive", "false"],
])(
  "with the settings %j of backups repositories go to the %s, and the archive holds objects: %s",
  (backup, repositories, objects) => {
    const { spec } = objectOf<CronJob>({ ...minimalForge, backup }, "CronJob/forge-backup");
    const env = spec?.jobTemplate.spec?.template.spec?.containers[0]?.env;
    expect(env).toContainEqual({ name: "BACKUP_REPOSITORIES", value: repositories });
    expect(env).toContainEqual({ name: "BACKUP_OBJECTS", value: objects });
  },
);
