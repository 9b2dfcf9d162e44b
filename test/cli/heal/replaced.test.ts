import type { Export } from "@hearth-platform/cli/heal/deployment";
import { describe, expect, it } from "vitest";
import {
  heal,
  inBackend,
  killed,
  provider,
  resource,
  sent,
  sentTo,
  service,
  there,
  whole,
  withState,
} from "./world.ts";

inBackend();

/** What a killed update had begun to replace or to delete. */

describe("hearth heal", () => {
  it("puts what was deleted to be made anew back in its place, and doubles nothing that is there", async () => {
    const state = killed(service);
    const old = { ...service, id: "team/web" };
    const live = there(service.inputs ?? {});
    const replaced = {
      ...state,
      deployment: { ...state.deployment, resources: [provider, { ...old, pendingReplacement: true }] },
    };
    const { imported } = await heal(replaced, { live });
    expect(imported?.resources?.map(({ pendingReplacement }) => pendingReplacement)).toEqual([undefined, undefined]);
  });

  it("puts an adopted object in the place of the one that was deleted for it, before what depends on it", async () => {
    const dependent = { ...resource("kubernetes:core/v1:Service", "team/after", sent("Service")), id: "team/after" };
    const old = { ...service, id: "team/web", outputs: { __inputs: {} } };
    const { imported } = await heal(
      withState([provider, { ...old, pendingReplacement: true }, whole(dependent)], service),
      {
        live: there(service.inputs ?? {}),
      },
    );
    expect(imported?.resources?.map(({ urn }) => urn)).toEqual([provider.urn, service.urn, dependent.urn]);
    expect(imported?.resources?.[1]).not.toHaveProperty("pendingReplacement");
  });

  it("has the old object deleted where the new one of another namespace was made first", async () => {
    const old = whole({ ...service, id: "old/web", inputs: sentTo("old") });
    const { imported } = await heal(withState([provider, old], service), { live: there(service.inputs ?? {}) });
    expect(imported?.resources?.slice(1)).toMatchObject([{ id: "team/web" }, { ...old, delete: true }]);
    const kept = await heal(withState([provider, { ...old, protect: true }], service), {
      live: there(service.inputs ?? {}),
    });
    expect(kept.imported?.resources).toEqual([provider, { ...old, protect: true }]);
  });

  it("drops what a later update ended, and adopts an object once that was begun twice", async () => {
    const old = whole({ ...service, id: "team/web" });
    const live = there(service.inputs ?? {});
    const { status, stderr, imported } = await heal(withState([provider, old], service), { live });
    expect([status, imported]).toEqual([0, { resources: [provider, old], pending_operations: [] }]);
    expect(stderr).toContain("forget  Service team/web: The state has it already.");
    const twice = await heal(killed(service, service), { live });
    expect(twice.imported?.resources).toHaveLength(2);
  });

  it("has an object made anew whose delete ended, and leaves one that is still there to the next update", async () => {
    const old = whole({ ...service, id: "team/web" });
    const state: Export = {
      version: 3,
      deployment: { resources: [provider, old], pending_operations: [{ type: "deleting", resource: old }] },
    };
    const gone = await heal(state);
    expect(gone.providers).toEqual([provider.inputs]);
    expect(gone.imported).toEqual({
      resources: [provider, { ...old, pendingReplacement: true }],
      pending_operations: [],
    });
    expect(gone.stderr).toContain("It was deleted; the next up makes it anew");
    const stays = await heal(state, { live: there(service.inputs ?? {}) });
    expect(stays.imported).toEqual({ resources: [provider, old], pending_operations: [] });
  });
});
