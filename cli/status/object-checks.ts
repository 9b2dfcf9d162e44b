import { dataName, type KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { parseQuantity } from "@hearth-platform/hearth/core/quantities";
import { type Conditioned, conditionOf } from "@hearth-platform/stack/live/preflight/facts";
import { findings } from "@hearth-platform/stack/live/preflight/finding";
import { counted } from "@hearth-platform/stack/settings/report";
import { type LiveWorkload, type StatusFacts, standingOf } from "./facts.ts";
import { comeBack, goneTogether, type StatusRow, sizeText } from "./row.ts";

const day = 24 * 60 * 60 * 1000;
/** Days before its end from which on a certificate should long have been renewed: as the alert HearthCertificateExpires has it. */
const lateDays = 14;

interface Certificate extends Conditioned {
  readonly status?: Conditioned["status"] & { readonly notAfter?: string };
}

/** Days that certificates are left: those of public hosts, and the database operator's own. */
export function certificateChecks(facts: StatusFacts): StatusRow[] {
  const { objects, live, now } = facts;
  const { ok, warning, problem } = findings("certificate-ends");
  const present = new Set(live.certificates.map(({ metadata }) => dataName(metadata.name, metadata.namespace)));
  const lost = goneTogether(
    namesOf(objects, "Certificate")
      .map(({ namespace, name }) => dataName(name, namespace))
      .filter((name) => !present.has(name)),
    "certificate",
    (subject, says) => problem(subject, `${says}, or you may not list certificates.`, comeBack),
  );
  const issued = [
    ...(live.certificates as readonly Certificate[]).flatMap(({ metadata, status }) =>
      status?.notAfter === undefined
        ? []
        : [{ name: dataName(metadata.name, metadata.namespace), ends: status.notAfter }],
    ),
    ...objects
      .filter(({ kind }) => kind === "Cluster")
      .map((cluster) => standingOf<LiveWorkload>(facts, cluster))
      .filter((database) => typeof database === "object")
      .flatMap(({ metadata: { namespace }, status }) =>
        Object.entries(status?.certificates?.expirations ?? {}).map(([secret, ends]) => ({
          name: dataName(secret, namespace),
          // Go's own form: `2026-12-01 12:00:00 +0000 UTC`.
          ends: ends.replace(/ \+0000 UTC.*$/, "Z").replace(" ", "T"),
        })),
      ),
  ].map(({ name, ends }) => ({ name, days: Math.floor((Date.parse(ends) - now.valueOf()) / day) }));
  const ending = issued.filter(({ days }) => days < lateDays);
  const rows = ending.map(({ name, days }) => {
    const remedy =
      "See why it is not renewed: kubectl describe certificates.cert-manager.io, or the database operator's log.";
    const subject = `certificate ${name}`;
    return {
      ...(days < 0
        ? problem(subject, `It ended ${-days} days ago.`, remedy)
        : warning(subject, `It ends in ${days} days.`, remedy)),
      numbers: { days },
    };
  });
  const first = issued.toSorted((a, b) => a.days - b.days)[0];
  if (lost.length + rows.length > 0 || !first) return [...lost, ...rows];
  const text = `${counted(issued.length, "is", "are")} issued; the first to end is ${first.name}, in ${first.days} days.`;
  return [{ ...ok("certificates", text), numbers: { days: first.days, certificates: issued.length } }];
}

/** Secrets that are gone, and how many external ones are synced; why one is not synced is told by what it waits for. */
export function secretChecks({ objects, needs, live, secrets }: StatusFacts): StatusRow[] {
  const { ok, unknown, warning, problem } = findings("stack-secrets");
  const closed = [...secrets].flatMap(([namespace, names]) => (names === "unseen" ? [namespace] : []));
  const wanted = [
    ...needs.secrets.map((each) => ({ ...each, remedy: "`pulumi up --refresh` makes it again, with the same value." })),
    ...needs.awaited
      .filter(({ kind }) => kind === "Secret")
      .map((each) => ({ ...each, remedy: "Whoever makes it has to make it again: the settings name it." })),
    ...namesOf(objects, "ExternalSecret").map((each) => ({
      ...each,
      remedy: "External Secrets makes it: see the events of its ExternalSecret.",
    })),
  ];
  const gone = wanted.filter(({ namespace, name }) => {
    const names = secrets.get(namespace);
    return names !== undefined && names !== "unseen" && !names.has(name);
  });
  const rows = [...Map.groupBy(gone, ({ remedy }) => remedy)].flatMap(([remedy, own]) =>
    goneTogether(
      own.map(({ namespace, name }) => dataName(name, namespace)),
      "Secret",
      (subject, says) => problem(subject, `${says}. Pods that start now wait.`, remedy),
    ),
  );
  const unsynced = live.externalSecrets.filter((each) => conditionOf(each, "Ready")?.status !== "True");
  const unseen = closed.length === 0 ? [] : [unknown("Secrets", `You may not list those of ${closed.join(", ")}.`)];
  const waiting = unsynced
    .filter((each) => !conditionOf(each, "Ready"))
    .map(({ metadata }) =>
      warning(
        `Secret ${dataName(metadata.name, metadata.namespace)}`,
        "It is not synced yet.",
        "See whether External Secrets runs: ./hearth doctor.",
      ),
    );
  if (rows.length > 0 || unsynced.length > 0) return [...rows, ...waiting, ...unseen];
  if (unseen.length > 0) return unseen;
  const synced = live.externalSecrets.length;
  const text = `All ${wanted.length} are there${synced === 0 ? "" : `; ${synced} are synced from the secret store`}.`;
  return [{ ...ok("Secrets", text), numbers: { secrets: wanted.length, synced } }];
}

function namesOf(objects: readonly KubernetesObject[], kind: string) {
  return objects
    .filter((object) => object.kind === kind)
    .map(({ metadata: { namespace = "", name } }) => ({ namespace, name }));
}

/** Parts of a volume in use from which on a person should look, and from which on writes are about to fail. */
const fullness = { warning: 0.8, problem: 0.95 };

/** Volumes and their use, where the nodes tell it. */
export function volumeChecks({ live, volumes }: StatusFacts): StatusRow[] {
  const { ok, unknown, warning, problem } = findings("volumes");
  if (live.claims.length === 0) return [];
  const total = live.claims.reduce(
    (sum, { status }) => sum + (parseQuantity(String(status?.capacity?.storage ?? 0)) ?? 0),
    0,
  );
  const all = `${live.claims.length} volumes of ${sizeText(total)} together`;
  const rows = volumes.flatMap(({ namespace, name, usedBytes, capacityBytes }) => {
    const part = usedBytes / capacityBytes;
    if (part < fullness.warning) return [];
    const percent = Math.round(part * 100);
    const remedy = "Raise its size in the settings, where its class lets volumes grow.";
    const made = part < fullness.problem ? warning : problem;
    return [
      {
        ...made(`volume ${dataName(name, namespace)}`, `${percent} % of ${sizeText(capacityBytes)} are used.`, remedy),
        numbers: { usedBytes, capacityBytes },
      },
    ];
  });
  if (volumes.length === 0)
    return [unknown("volumes", `${all}. The nodes do not tell you how full they are (rights on nodes/proxy).`)];
  if (rows.length > 0) return rows;
  const fullest = volumes.toSorted((a, b) => b.usedBytes / b.capacityBytes - a.usedBytes / a.capacityBytes)[0];
  const percent = fullest ? Math.round((fullest.usedBytes / fullest.capacityBytes) * 100) : 0;
  return [
    {
      ...ok(
        "volumes",
        `${all}; the fullest of the ${volumes.length} seen is ${fullest?.namespace}/${fullest?.name}, ${percent} %.`,
      ),
      numbers: { percent },
    },
  ];
}
