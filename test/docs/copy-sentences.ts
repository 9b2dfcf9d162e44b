import { leads, limit, of, others, person, type Sentences } from "./data-sentences.ts";

const copies = of("e2e/copies");
const plan = of("components/copies/plan");
const sources = of("stack/areas/copies");
const versions = of("e2e/former-versions");
const store = of("components/stores/object-storage/object-storage");
const page = of("docs/data-page");
const doctor = of("cli/doctor/checks");

const every = sources("every bucket of a stack is copied but caches and scratch space");
const share = copies("a share of many objects may go, more may not");
const told = copies("says when each bucket was copied");
const kept = page("of every bucket but those of backups, caches and scratch space");

/** The sentences of docs/how-to/copies.md. */
export const copySentences: Sentences = [
  ["Former versions help", leads],
  ["They don't help when", leads],
  ["`hearth:copies` copies every bucket", [every]],
  ["a suite's files, backups", [every]],
  ["the forge's objects and its archives", [every]],
  ["the hub's images", [every]],
  ["backups of the database that forge", [every]],
  ["caches and scratch space", [every]],

  // Set up
  ["Make one bucket at another provider", [sources("copies in the store that they are copies of get a warning")]],
  ["Hetzner, AWS, Ceph, MinIO and Backblaze", [copies("nothing is copied into a bucket without versions")]],
  ["Turn versions on", person],
  ["Let former versions go", person],
  ["That is a lifecycle rule", others],
  ["Without it the copies grow", others],
  ["Make keys for this bucket", person],
  ["They must not delete versions", person],
  ["Make keys that only list", person],
  ["Put them into your", person],
  ["They are in a namespace", [plan("which has the keys of that source and of the copies alone")]],
  ["`copies-s3-credentials` |", [plan("which has the keys of that source and of the copies alone")]],
  ["`source-platform-s3-credentials` |", [plan("which has the keys of that source and of the copies alone")]],
  ["`source-NAME-s3-credentials` |", [plan("which has the keys of that source and of the copies alone")]],
  ["Write the settings", person],
  ["Make the first copy", person],
  ["Each source has a CronJob", [plan("which has the keys of that source and of the copies alone")]],

  // What a copy does
  ["Each bucket becomes a folder", [copies("a new, a changed and a deleted file arrive")]],
  ["What is new or changed", [copies("a new, a changed and a deleted file arrive, and nothing is sent twice")]],
  ["What was deleted", [copies("a new, a changed and a deleted file arrive"), copies("a bucket comes back as it was")]],
  ["A source that was emptied", [copies("an emptied bucket leaves its copy whole"), share]],
  ["Up to 10 objects", [share]],
  ["After `hours` it stops.", [copies("a copy whose time is over"), plan("also with the longest window")]],
  ["The next copy goes on", [copies("a copy that was interrupted goes on")]],
  ["A failed bucket does not", [copies("the Job fails, copies the others")]],
  ["An image that is pushed", limit],
  ["Prometheus reads these metrics", [told]],
  ["They are written beside", [told]],
  ["[Alerts](../reference/alerts.md#hearthcopyold)", [of("components/alerts/alerts")("each fire, stay silent")]],
  ["`hearth_copy_last_success_timestamp_seconds` |", [told]],
  ["`hearth_copy_objects` |", [told]],
  ["`hearth_copy_size_bytes` |", [told]],

  // Tell rclone of both stores
  ["You need keys that read", person],
  ["After a loss of the whole store", [copies("also where all of it is lost, and is copied again")]],

  // Look, bring back
  ["A copy has what there was", leads],
  ["Choose a minute", person],
  ["The first command shows", [copies("looking shows what there was and every version")]],
  ["First see what would happen", person],
  ["Files that are younger", [copies("a folder comes back as it was, and younger files stay")]],
  ["If it breaks off", [versions("brought back twice is the same as once")]],
  ["Stop what writes to it", person],
  ["If its database is lost, too", person],
  ["The last command compares", [copies("a bucket comes back as it was")]],
  ["`0 differences found`.", [copies("a bucket comes back as it was")]],
  ["Then start the pods", person],

  // Let many objects go
  ["The Job fails because", [share]],
  ["Allow it once:", [share]],
  ["They stay as former versions", others],
];

/** The sentences of docs/how-to/former-versions.md. */
export const versionSentences: Sentences = [
  ["Something was deleted", leads],
  [
    "The bucket keeps former versions",
    [store("keep former versions for 30 days"), versions("a bucket comes back as it was")],
  ],
  ["Nothing is lost on the way", [versions("what was overwritten on the way is a former version")]],
  ["users' files of a suite", [kept]],
  ["the forge's objects: artifacts", [kept]],
  ["the hub's images", [kept]],
  ["backups of databases", [kept]],
  ["caches and scratch space", [kept]],
  ["The days are", [store("keep former versions as the settings of all say")]],
  ["They are on by default", [store("of %s keep former versions without being asked to")]],
  ["Hetzner, AWS, Ceph, MinIO.", [store("of %s keep former versions without being asked to")]],
  ["With any other provider", person],
  ["`./hearth doctor` warns", [doctor("is named where none of its buckets keeps former versions")]],
  ["**Look into the program first.**", person],
  ["Nextcloud has a trash bin", others],
  ["They know names", others],
  ["A suite's files are named", others],
  ["**Did a database go back", leads],
  ["Recover the database first", person],
  ["Objects that are younger", others],
  ["You need keys", person],
  ["Tell rclone of the store.", person],
  ["It reads the keys", [versions("looking shows what there was and every version")]],
  ["What there was at 8:30", [versions("looking shows what there was and every version")]],
  ["The time in a former version's name", others],
  ["First see what would happen", person],
  ["Files that are younger", [versions("a folder comes back as it was, and younger files stay")]],
  ["If it breaks off", [versions("brought back twice is the same as once")]],
  ["Stop what writes to it", person],
  ["The last command compares", [versions("a bucket comes back as it was")]],
  ["`0 differences found`.", [versions("a bucket comes back as it was")]],
  ["Then start the pods", person],
];
