import { dataName } from "@hearth-platform/hearth/core/plan";
import { findings } from "@hearth-platform/stack/live/preflight/finding";
import { pulumiManager } from "@hearth-platform/stack/live/preflight/taken";
import { type HandChange, handChanges } from "./drift.ts";
import { runningKinds, type StatusFacts, standingOf } from "./facts.ts";
import { comeBack, goneTogether, momentText, type StatusRow, takeBack } from "./row.ts";

/** Kinds whose absence another check tells, with what it means. */
const toldElsewhere: ReadonlySet<string> = new Set([...runningKinds, "Certificate", "CronJob", "Secret"]);
/** Fields of one object that are named. */
const most = 3;

/** What of the stack's objects is gone, and what somebody changed since the last update. */
export function driftChecks(facts: StatusFacts): StatusRow[] {
  const { ok, unknown, warning, problem } = findings("drift");
  const looked = facts.planned.map((each) => ({ planned: each, live: standingOf(facts, each.object) }));
  const lost = looked.filter(({ planned: { object }, live }) => live === "absent" && !toldElsewhere.has(object.kind));
  const gone = [...Map.groupBy(lost, ({ planned: { object } }) => object.kind)].flatMap(([kind, own]) =>
    goneTogether(
      own.map(({ planned: { object } }) => dataName(object.metadata.name, object.metadata.namespace)),
      kind,
      (subject, says) => problem(subject, `${says}.`, comeBack),
    ),
  );
  const present = looked.flatMap(({ planned, live }) => (typeof live === "object" ? [{ planned, live }] : []));
  const changed = present.flatMap(({ planned, live }) => {
    const changes = handChanges(planned, live);
    if (changes.length === 0) return [];
    const { kind, metadata } = planned.object;
    const named = changes.slice(0, most).map(changeText);
    const more = changes.length > most ? [`${changes.length - most} more`] : [];
    const subject = `${kind} ${dataName(metadata.name, metadata.namespace)}`;
    return [
      {
        ...warning(
          subject,
          `By hand: ${[...named, ...more].join("; ")}.`,
          `${takeBack} To keep it, write it into the settings.`,
        ),
        numbers: { fields: changes.length },
      },
    ];
  });
  const kinds = new Set(looked.flatMap(({ planned: { object }, live }) => (live === "unseen" ? [object.kind] : [])));
  const unseen = kinds.size === 0 ? [] : [unknown("drift", `You may not list ${[...kinds].join(", ")}.`)];
  if (gone.length + changed.length + unseen.length > 0) return [...gone, ...changed, ...unseen];
  const applied = present.filter(({ live }) => pulumiManager(live) !== undefined).length;
  if (applied === 0) return [];
  return [
    {
      ...ok("drift", `Nobody changed one of ${applied} objects since the last update.`),
      numbers: { objects: applied },
    },
  ];
}

function changeText({ path, by }: HandChange): string {
  if (!by) return `${path} is gone`;
  return `${path} by ${by.manager}${by.time === undefined ? "" : `, ${momentText(by.time)}`}`;
}
