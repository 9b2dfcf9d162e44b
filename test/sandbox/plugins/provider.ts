import type { DiffResult, Properties, ProviderImplementation } from "@hearth-platform/sandbox/plugins/grpc";

/** A provider as one resource sees it: what the engine would ask, without the wire. */
export interface ResourceUnderTest {
  /** The failures of these inputs. */
  check(inputs: Properties): Promise<{ property?: string; reason: string }[]>;
  create(inputs: Properties, options?: { preview?: boolean }): Promise<{ id: string; state: Properties }>;
  diff(state: Properties, inputs: Properties): Promise<DiffResult>;
  update(state: Properties, inputs: Properties): Promise<Properties>;
  import(id: string): Promise<{ id: string; inputs: Properties; state: Properties } | undefined>;
  refresh(state: Properties): Promise<Properties | undefined>;
}

/** @throws when the provider lacks a method that is called */
export function provider(
  implementation: ProviderImplementation,
  { type, name = "name" }: { type: string; name?: string },
): ResourceUnderTest {
  const resource = { urn: `urn:pulumi:stack::project::${type}::${name}`, type, name };
  const method = <K extends "check" | "create" | "diff" | "update" | "read">(key: K) => {
    const found = implementation[key];
    if (!found) throw new Error(`${implementation.name} has no ${key}`);
    return found.bind(implementation) as NonNullable<ProviderImplementation[K]>;
  };
  const request = { ...resource, timeout: 0, preview: false };
  const change = (oldState: Properties, news: Properties) => ({
    ...request,
    id: "id",
    oldState,
    oldInputs: oldState,
    news,
    ignoreChanges: [],
  });
  return {
    async check(news) {
      const result = await method("check")({ ...resource, olds: undefined, news, randomSeed: new Uint8Array(32) });
      return result.failures ?? [];
    },
    create: (inputs, { preview = false } = {}) => method("create")({ ...request, inputs, preview }),
    diff: async (state, inputs) => method("diff")(change(state, inputs)),
    update: async (state, inputs) => method("update")(change(state, inputs)),
    import: (id) => method("read")({ ...request, id, inputs: {}, state: {} }),
    refresh: async (state) => (await method("read")({ ...request, id: "id", inputs: {}, state }))?.state,
  };
}
