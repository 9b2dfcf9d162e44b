import { dataName } from "@hearth-platform/hearth/core/plan";
import type { BucketPlace, DataNeed } from "./data-needs.ts";
import { placeOf, type QuickFacts } from "./facts.ts";
import { type Finding, findings } from "./finding.ts";

/** Content of a bucket or of a folder in it; `unseen` if the keys at hand don't open it. */
export type Contents = "used" | "empty" | "unseen";

/** Contents by the `bucketKey` of what was looked into. */
export type SeenBuckets = ReadonlyMap<string, Contents>;

/** Key of a place in `SeenBuckets`. */
export function bucketKey({ endpoint, bucket, folder }: BucketPlace): string {
  return `${endpoint} ${bucket}/${folder}`;
}

/** Places whose contents decide whether an update may begin anew what the cluster does not have. */
export function placesToSee(needs: readonly DataNeed[], { objects }: QuickFacts): BucketPlace[] {
  const gone = needs.filter((need) => objects.get(placeOf(need)) === "absent");
  const places = gone.flatMap((need) => [...(need.archive ? [need.archive] : []), ...mattering(need)]);
  return [...new Map(places.map((place) => [bucketKey(place), place])).values()];
}

/** Whether what an update would make, empty, was there before: its archive or its objects are in use. */
export function dataFindings(
  needs: readonly DataNeed[],
  { objects, reserved }: QuickFacts,
  seen: SeenBuckets,
): Finding[] {
  const { ok, unknown } = findings("data");
  const absent = (need: DataNeed) => objects.get(placeOf(need)) === "absent";
  const noDatabase = needs.filter((need) => need.what === "database" && absent(need)).map(({ namespace }) => namespace);
  return needs.map((need) => {
    const subject = `${need.what} ${dataName(need.name, need.namespace)}`;
    const found = objects.get(placeOf(need)) ?? "unseen";
    if (found === "unseen") return unknown(subject, "You may not read it.");
    if (found !== "absent") return ok(subject, "It exists.");
    const volume = need.what === "database" ? undefined : reserved?.get(dataName(need.name, need.namespace));
    if (volume)
      return ok(
        subject,
        `The volume ${volume} is reserved for it: the update makes the claim, which gets that volume.`,
      );
    const refused =
      usedArchive(need, seen) ??
      (noDatabase.includes(need.namespace) && need.what !== "database" ? undefined : usedBuckets(need, seen));
    if (refused) return refused;
    const places = [...(need.archive ? [need.archive] : []), ...mattering(need)];
    const closed = places.filter((place) => (seen.get(bucketKey(place)) ?? "unseen") === "unseen");
    if (closed.length > 0) {
      const names = [...new Set(closed.map(({ bucket }) => bucket))].join(", ");
      return unknown(subject, `It does not exist yet. Your keys can't show whether ${names} is in use.`);
    }
    return ok(subject, "It does not exist yet and the update makes it. No data of an earlier one is left.");
  });
}

function mattering({ recovers, mayBeLost, beside }: DataNeed): readonly BucketPlace[] {
  return recovers || mayBeLost ? [] : beside;
}

/** The operator refuses to write into a used archive, after the database was made. */
function usedArchive({ what, namespace, name, archive, recovers }: DataNeed, seen: SeenBuckets): Finding | undefined {
  if (!archive || seen.get(bucketKey(archive)) !== "used") return undefined;
  const subject = `${what} ${dataName(name, namespace)}`;
  const message = `The cluster has no such Cluster, and the bucket ${archive.bucket} has an archive under its name, ${archive.folder}: an update would make a new database beside it.`;
  const other = "To start empty, name another bucket for its backups; the archive stays.";
  return findings("data").unsafe(
    subject,
    message,
    recovers
      ? `Set another suffix for the recovery. ${other}`
      : `Recover it: run \`pulumi refresh\`, then set recover with keepSource: false (docs/explanation/data.md). ${other}`,
  );
}

function usedBuckets(need: DataNeed, seen: SeenBuckets): Finding | undefined {
  const used = mattering(need).filter((place) => seen.get(bucketKey(place)) === "used");
  if (used.length === 0) return undefined;
  const name = dataName(need.name, need.namespace);
  const message = `The cluster has no such ${need.kind}, and ${used.map(({ bucket }) => bucket).join(", ")} ${used.length === 1 ? "holds" : "hold"} objects that belong to it: an update would make an empty one beside them.`;
  const way =
    need.what === "database"
      ? "Recover it: set recover with keepSource: false (docs/explanation/data.md), or name other buckets."
      : 'Give it its volume back: reserve that for the claim, run `pulumi refresh`, then `pulumi up` (docs/explanation/data.md, "When a volume is gone").';
  return findings("data").unsafe(
    `${need.what} ${name}`,
    message,
    `${way} If its data may be lost, unlock it with \`hearth:allowDataLoss: [${name}]\`.`,
  );
}
