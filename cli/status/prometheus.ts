import type { FiringAlert } from "./facts.ts";

/** Longest time that Prometheus is waited for, in milliseconds. */
const patience = 10_000;

/** An alert of Prometheus' HTTP API. (prometheus/prometheus web/api/v1/api.go, AlertDiscovery) */
interface AlertAnswer {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly state: string;
  readonly activeAt?: string;
}

/** The alerts that fire in these namespaces. @param url of Prometheus' root, e.g. `http://127.0.0.1:9090` */
export async function firingAlerts(
  url: string,
  namespaces: readonly string[],
): Promise<readonly FiringAlert[] | { readonly failure: string }> {
  try {
    const answer = await fetch(`${url.replace(/\/$/, "")}/api/v1/alerts`, {
      signal: AbortSignal.timeout(patience),
      // A sign-in page of somewhere else is no answer.
      redirect: "error",
    });
    if (!answer.ok) return { failure: `${url} answers ${answer.status}.` };
    const { data } = (await answer.json()) as { data?: { alerts?: readonly AlertAnswer[] } };
    if (!data?.alerts) return { failure: `${url} does not answer as Prometheus does.` };
    return data.alerts.filter((each) => isOurs(each, namespaces)).map(alertOf);
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    return { failure: `${url} can't be asked: ${cause?.message || message}.` };
  }
}

function isOurs({ state, labels }: AlertAnswer, namespaces: readonly string[]): boolean {
  return state === "firing" && namespaces.includes(labels.namespace ?? "");
}

function alertOf({ labels, annotations = {}, activeAt = "" }: AlertAnswer): FiringAlert {
  const { alertname = "", namespace = "", severity = "" } = labels;
  return { name: alertname, namespace, severity, summary: annotations.summary ?? "", since: activeAt };
}
