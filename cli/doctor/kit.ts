import { dataName } from "@hearth-platform/hearth/core/plan";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { look } from "@hearth-platform/stack/live/preflight/facts";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import { counted } from "@hearth-platform/stack/settings/report";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import type { ConfigMap, Secret } from "kubernetes-types/core/v1.d.ts";
import { constantSecrets } from "../kit/kept.ts";
import { type KitNote, type NotedSecret, notedSecret, noteIn, noteName } from "../kit/note.ts";

/** The newest recovery kit, and the Secrets that it has to have. */
export interface KitFacts {
  /** Whether the stack is one whose loss matters. */
  readonly isWanted: boolean;
  readonly note: KitNote | "absent" | "unseen";
  /** Those that never change and are in the cluster. */
  readonly secrets: readonly NotedSecret[] | "unseen";
}

/** Metadata alone: PartialObjectMetadata of k8s.io/apimachinery pkg/apis/meta/v1/types.go. */
const metadataOnly = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

/** Looks at what the cluster knows of the newest kit. No value of a Secret is read. */
export async function lookForKit(stack: Stack, cluster: Pick<LiveCluster, "read">): Promise<KitFacts> {
  const isWanted = stack.settings.profile === "production" || stack.settings.kit !== undefined;
  const [first, ...others] = isWanted ? constantSecrets(stack) : [];
  if (!first) return { isWanted: false, note: "absent", secrets: [] };
  const secret = ({ namespace, name }: typeof first) =>
    look<Secret>(cluster, `/api/v1/namespaces/${namespace}/secrets/${name}`, metadataOnly);
  const [found, ...secrets] = await Promise.all([
    look<ConfigMap>(cluster, `/api/v1/namespaces/${first.namespace}/configmaps/${noteName}`),
    ...[first, ...others].map(secret),
  ]);
  return {
    isWanted,
    note: typeof found === "string" ? found : (noteIn(found) ?? "absent"),
    secrets: secrets.includes("unseen")
      ? "unseen"
      : secrets.flatMap((each) => (typeof each === "string" ? [] : [notedSecret(each.metadata ?? {})])),
  };
}

/** From how many days on a kit is old: by then settings and state have changed. */
const oldDays = 30;

/** Whether there is a recovery kit with every Secret that must never change. */
export function kitFindings({ isWanted, note, secrets }: KitFacts, now: Date): Finding[] {
  if (!isWanted || secrets.length === 0) return [];
  const { ok, unknown, warning } = findings("kit");
  const subject = "recovery kit";
  if (note === "unseen" || secrets === "unseen")
    return [unknown(subject, `You may not read ConfigMap ${noteName} or the Secrets that must never change.`)];
  const named = (of: readonly NotedSecret[]) => of.map(({ namespace, name }) => dataName(name, namespace)).join(", ");
  if (note === "absent")
    return [
      warning(subject, `There is none. These Secrets must never change, and no kit has them: ${named(secrets)}.`, make),
    ];
  const outside = secrets.filter(
    ({ namespace, name, uid, written }) =>
      !note.secrets.some(
        (each) => each.namespace === namespace && each.name === name && each.uid === uid && each.written === written,
      ),
  );
  const day = note.made.slice(0, 10);
  if (outside.length > 0)
    return [
      warning(
        subject,
        `The newest is of ${day}. These Secrets must never change, and were made or written after it: ${named(outside)}.`,
        make,
      ),
    ];
  const days = Math.floor((now.valueOf() - Date.parse(note.made)) / 86_400_000);
  if (days > oldDays) return [warning(subject, `The newest is ${days} days old, of ${day}.`, make)];
  const keys = counted(note.recipients.length, "key");
  return [
    ok(subject, `The newest is of ${day}, for ${keys}, with all ${secrets.length} Secrets that must never change.`),
  ];
}

const make = "Make one after each update: `./hearth kit --stack STACK --out FILE` (docs/how-to/recovery-kit.md).";
