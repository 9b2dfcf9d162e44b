import type { CloudSuiteArgs, CloudSuiteOfficeArgs, OfficeEngine } from "@hearth-platform/hearth/cloudsuite/args";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { Probe } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { container, find, type workloads } from "./objects.ts";
import { completeSuite } from "./suite.ts";

/** How the suite's servers and Jobs are started, watched and replaced: what a kubelet makes of their fields. */

const office = (engine: OfficeEngine): CloudSuiteArgs => ({
  ...completeSuite,
  office: { ...(completeSuite.office as CloudSuiteOfficeArgs), engine },
});
const suite: CloudSuiteArgs = { ...completeSuite, push: { enabled: true }, previews: { enabled: true } };

/** Seconds after which a kubelet gives a container up that never answers. */
const patience = ({ periodSeconds = 10, failureThreshold = 3 }: Probe = {}) => periodSeconds * failureThreshold;

test.each<[string, CloudSuiteArgs, string]>([
  ["Collabora", office("collabora"), "office"],
  ["ONLYOFFICE", office("onlyoffice"), "office"],
  ["the whiteboard", completeSuite, "whiteboard"],
])("%s never runs twice: two processes would split those who work on a document", (_, args, name) => {
  const { replicas, strategy } = find<Deployment>(args, "Deployment", name).spec ?? {};
  expect([replicas, strategy]).toEqual([1, { type: "Recreate" }]);
});

describe.each<keyof typeof workloads>(["whiteboard", "push", "previews"])("the server of %s", (workload) => {
  const { startupProbe, readinessProbe, livenessProbe } = container(suite, workload);

  test("has two minutes to start, for a slow disk or a node that is busy", () => {
    expect(patience(startupProbe)).toBe(120);
  });

  test("is started anew after two minutes without an answer, not after a short hang", () => {
    expect(patience(livenessProbe)).toBe(120);
  });

  test("gets no requests after half a minute without an answer, long before it is started anew", () => {
    expect(patience(readinessProbe)).toBe(30);
  });

  test("lives on with answers that take 8 seconds; one that takes longer than the next look is none", () => {
    const { timeoutSeconds = 1, periodSeconds = 10 } = livenessProbe ?? {};
    expect(timeoutSeconds).toBeGreaterThan(8);
    expect(timeoutSeconds).toBeLessThan(periodSeconds);
    expect(timeoutSeconds).toBeGreaterThan(readinessProbe?.timeoutSeconds ?? 1);
  });
});

describe.each(["cloudsuite-cron", "cloudsuite-blocked-users"])("runs of %s", (name) => {
  const signOn = { identifier: "forge", issuer: "https://forge.example.org" };
  const gitlabToken = { name: "gitlab-token", key: "token" };
  const { concurrencyPolicy, failedJobsHistoryLimit, successfulJobsHistoryLimit, jobTemplate } =
    find<CronJob>({ ...completeSuite, signOn: { ...signOn, gitlabToken } }, "CronJob", name).spec ?? {};

  test("are made once: the next is at hand, and a second pod would do half of it again", () => {
    expect(jobTemplate?.spec?.backoffLimit).toBe(0);
    expect(jobTemplate?.spec?.template.spec?.restartPolicy).toBe("Never");
    expect(concurrencyPolicy).toBe("Forbid");
  });

  test("that failed keep their logs, more of them than of those that ended well", () => {
    expect(failedJobsHistoryLimit).toBeGreaterThan(1);
    expect(failedJobsHistoryLimit).toBeGreaterThan(successfulJobsHistoryLimit ?? 3);
    // Each keeps a pod.
    expect(failedJobsHistoryLimit).toBeLessThan(10);
  });
});
