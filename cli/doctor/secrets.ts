import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Finding, findings } from "@hearth-platform/stack/preflight/finding";

interface ExternalSecret extends KubernetesObject {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

/** Which Secrets of the stack the store could not give; of those that are not there yet nothing is known. */
export function secretFindings(live: readonly KubernetesObject[]): Finding[] {
  const { ok, problem } = findings("secrets");
  const failed = (live as readonly ExternalSecret[]).flatMap(({ metadata, status }) => {
    const ready = status?.conditions?.find(({ type }) => type === "Ready");
    return ready?.status === "False" ? [{ metadata, message: ready.message || "no reason given" }] : [];
  });
  if (failed.length > 0)
    return failed.map(({ metadata: { namespace, name }, message }) =>
      problem(
        `Secret ${namespace}/${name}`,
        `The secret store does not provide it: ${message}.`,
        "Add all its keys to the secret store.",
      ),
    );
  return live.length === 0 ? [] : [ok("secrets", `The secret store provided all ${live.length} existing Secrets.`)];
}
