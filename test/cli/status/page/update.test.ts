import { type Operation, updateView } from "@hearth-platform/cli/status/page/update";
import { expect, it } from "vitest";

/** What the last update did, from Pulumi's history and state. */

const operation: Operation = {
  kind: "update",
  result: "succeeded",
  startTime: "2026-11-25T12:00:00.000Z",
  endTime: "2026-11-25T12:03:00.000Z",
  message: "Raise the forge to 19.4",
  environment: { "git.head": "0123456789abcdef0123", "git.author": "somebody" },
  resourceChanges: { create: 1, update: 1, delete: 2, same: 300 },
};

const resource = (name: string, created: string, modified = created) => ({
  type: "kubernetes:apps/v1:Deployment",
  urn: `urn:pulumi:prod::hearth::hearth:index:Forge$kubernetes:apps/v1:Deployment::${name}`,
  created,
  modified,
});

it("it counts what changed and names what was made and changed, but for what was before and after", () => {
  const view = updateView(operation, [
    resource("platform/old", "2026-11-24T12:00:00.1Z"),
    resource("platform/new", "2026-11-25T12:00:00.2Z"),
    resource("platform/changed", "2026-11-24T12:00:00.1Z", "2026-11-25T12:03:00.9Z"),
    resource("platform/later", "2026-11-25T12:05:00.9Z"),
    { type: "pulumi:pulumi:Stack", urn: "urn:pulumi:prod::hearth::pulumi:pulumi:Stack::hearth-prod" },
  ]);
  expect(view).toEqual({
    kind: "update",
    result: "succeeded",
    started: "2026-11-25T12:00:00.000Z",
    ended: "2026-11-25T12:03:00.000Z",
    message: "Raise the forge to 19.4",
    commit: "0123456789abcdef0123",
    changes: { create: 1, update: 1, delete: 2 },
    created: ["Deployment platform/new"],
    updated: ["Deployment platform/changed"],
  });
});

it("a refresh without a message has none, and no count", () => {
  const { message: _, environment: __, resourceChanges: ___, ...bare } = operation;
  expect(updateView({ ...bare, kind: "refresh", result: "failed" }, [])).toEqual({
    ...{ kind: "refresh", result: "failed", changes: {}, created: [], updated: [] },
    ...{ started: operation.startTime, ended: operation.endTime },
  });
});
