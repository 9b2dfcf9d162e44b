import * as pulumi from "@pulumi/pulumi";

/** What an update stops at when somebody else has changed a field of an object, and the ways on. */

/** A server's refusal to apply a field that another manager owns, in the words of Kubernetes' API server. */
const conflict = /Apply failed with \d+ conflicts?: (?<fields>.*)/s;
const manager = /conflicts? with ("[^"]+")/g;

/**
 * What to do about an error of Pulumi's Kubernetes provider; undefined where it is no conflict over fields.
 * @param object as `Kind namespace/name`
 */
export function conflictAdvice(object: string, error: string): string | undefined {
  const { fields } = conflict.exec(error)?.groups ?? {};
  if (fields === undefined) return undefined;
  const owners = [...new Set([...fields.matchAll(manager)].map(([, name = ""]) => name))].sort();
  const byHand = owners.some((owner) => owner.startsWith('"kubectl')) ? ", by hand with kubectl" : "";
  return (
    `${object} was changed by ${owners.join(" and ")}${byHand}. The error of this object names the fields.\n` +
    "- To take them back, run `PULUMI_K8S_ENABLE_PATCH_FORCE=true pulumi up --refresh`, once.\n" +
    "- To keep what is in the cluster, have the program say the same, or give the fields back: set them to what the program says."
  );
}

/**
 * Hooks for the objects of a component, which say what to do where an update stops at such a conflict. None where nobody
 * takes them: Pulumi's mocks and SDKs before 3.219 lack the call.
 * @param type the component's type token; with `name` it makes the hook's name unique in the program
 */
export function namingConflicts(
  type: string,
  name: string,
  component: pulumi.ComponentResource,
): pulumi.CustomResourceOptions["hooks"] {
  const monitor = pulumi.runtime.getMonitor() as object | undefined;
  if (!monitor || !("registerErrorHook" in monitor)) return undefined;
  const hook = new pulumi.ErrorHook(`${type}/${name}/conflicts`, async ({ newInputs, errors: [error = ""] }) => {
    const { kind, metadata } = (newInputs ?? {}) as { kind?: string; metadata?: { name?: string; namespace?: string } };
    const place = [metadata?.namespace, metadata?.name].filter(Boolean).join("/");
    const advice = conflictAdvice(`${kind} ${place}`, error);
    if (advice !== undefined) await pulumi.log.error(advice, component);
    return false;
  });
  return { onError: [hook] };
}
