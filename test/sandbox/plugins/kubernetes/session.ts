import type { Session, Settings } from "@hearth-platform/sandbox/plugins/kubernetes/session";

/** A session without a cluster. */
export function session({ settings = {} }: { settings?: Partial<Settings> } = {}): Session {
  return {
    settings: {
      enablePatchForce: false,
      upsertExistingObjects: false,
      enableConfigMapMutable: false,
      enableSecretMutable: false,
      deleteUnreachable: false,
      ...settings,
    },
    namespace: "default",
    cluster: undefined,
    unreachable: "there is none in this test",
    signal: new AbortController().signal,
  };
}
