import { conflictAdvice, namingConflicts } from "@hearth-platform/hearth/core/field-conflicts";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";

const failed = (conflicts: string) =>
  'the Kubernetes API server reported that "team/web" failed to fully initialize or become live: ' +
  "server-side apply field conflict detected, see https://example.org for troubleshooting help\n" +
  `The resource managed by field manager "pulumi-kubernetes-1a2b3c4d" had an apply conflict: ${conflicts}`;

describe("an update that another program's field stops", () => {
  test.each([
    [
      "with kubectl",
      'Apply failed with 1 conflict: conflict with "kubectl-set" using apps/v1: .spec.template.spec.containers[name="web"].image',
      'Deployment team/web was changed by "kubectl-set", by hand with kubectl.',
    ],
    [
      "by a controller that applies",
      'Apply failed with 1 conflict: conflict with "argocd-controller": .spec.replicas',
      'Deployment team/web was changed by "argocd-controller".',
    ],
    [
      "in several fields by several",
      'Apply failed with 3 conflicts: conflicts with "kubectl-edit" using apps/v1:\n- .spec.a\n- .spec.b\nconflicts with "autoscaler" with subresource "scale" using apps/v1 at 2026-11-26T06:00:00Z:\n- .spec.replicas',
      'Deployment team/web was changed by "autoscaler" and "kubectl-edit", by hand with kubectl.',
    ],
  ])("says who changed it %s, and both ways on", (_, conflicts, words) => {
    const advice = conflictAdvice("Deployment team/web", failed(conflicts));
    expect(advice).toContain(words);
    expect(advice).toContain("`PULUMI_K8S_ENABLE_PATCH_FORCE=true pulumi up --refresh`");
    expect(advice).toContain("To keep what is in the cluster");
  });

  test("is told from any other failure", () => {
    expect(conflictAdvice("Deployment team/web", 'deployments.apps "web" is forbidden')).toBeUndefined();
    expect(
      conflictAdvice("Deployment team/web", "Operation cannot be fulfilled: the object has been modified"),
    ).toBeUndefined();
  });

  test("leaves a program under Pulumi's mocks as it is", async () => {
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    const component = new pulumi.ComponentResource("hearth:index:Test", "test");
    expect(namingConflicts("hearth:index:Test", "test", component)).toBeUndefined();
  });
});
