/** What an archive of Barman must have for a recovery: decided from its list of files and the notes of its base backups. */

export interface Archive {
  /** A line a file: path below the archive and bytes, as rclone lists them. */
  readonly files: string;
  /** `backup.info` of each base backup, by its id. (barman 3.19.1, barman/infofile.py) */
  readonly notes: Readonly<Record<string, string>>;
  /** Why it could not be read. */
  readonly error?: string;
}

export interface Wanted {
  /** Seconds since the epoch. @default the end of the log */
  readonly target?: number;
  /** Identifier that PostgreSQL gave the running database when it was made. @default not judged */
  readonly systemId?: string;
}

export interface ArchiveJudgement {
  /** Id of the base backup that a recovery starts from: the newest that ended before the target. */
  readonly backup?: string;
  /** What a recovery would fail on or, worse, pass over. */
  readonly problems: readonly string[];
}

/** Missing segments that are named one by one. */
const named = 3;

/** Judges an archive. PostgreSQL itself takes a missing segment for the end of the log where no later time is wanted. */
export function judgeArchive({ files, notes, error }: Archive, { target, systemId }: Wanted = {}): ArchiveJudgement {
  if (error !== undefined) return { problems: [storeProblem(error)] };
  const paths = files.split("\n").flatMap((line) => line.split("|")[0] || []);
  if (paths.length === 0)
    return { problems: ["The archive is empty: the bucket has neither a base backup nor a log there."] };
  const backups = Object.entries(notes)
    .map(([id, text]) => ({ id, note: fieldsOf(text) }))
    .filter(({ note }) => note.status === "DONE" && (target === undefined || secondsOf(note.end_time) <= target))
    .sort((a, b) => secondsOf(a.note.end_time) - secondsOf(b.note.end_time));
  const chosen = backups.at(-1);
  if (!chosen)
    return {
      problems: [
        `The archive has no complete base backup${target === undefined ? "" : " from before the target time"}.`,
      ],
    };
  const { id, note } = chosen;
  const isFile = new RegExp(`^base/${id}/data(_\\d+)?\\.tar`);
  return {
    backup: id,
    problems: [
      systemProblem(note.systemid, systemId),
      paths.some((path) => isFile.test(path)) ? undefined : `Base backup ${id} has no file of data.`,
      ...logProblems(paths, note),
    ].filter((problem) => problem !== undefined),
  };
}

/** Says that a database is another one than the running one. */
export function systemProblem(found: string | undefined, running: string | undefined): string | undefined {
  if (found === undefined || running === undefined || found === running) return undefined;
  return `The archive is another cluster's: its system identifier is ${found}, the running database's ${running}.`;
}

function storeProblem(error: string): string {
  const line = error.split("\n").find(Boolean) ?? "";
  if (/\b403\b|AccessDenied|Forbidden|InvalidAccessKeyId|SignatureDoesNotMatch/.test(error))
    return `The object store refuses the key: ${line}`;
  return `The archive can't be read: ${line}`;
}

/** Gaps of the log from the base backup to its end. After a failover a segment may be of a later timeline. */
function logProblems(paths: readonly string[], note: Readonly<Record<string, string>>): string[] {
  const { begin_wal: first = "", end_wal: last = "", xlog_segment_size: size = String(2 ** 24) } = note;
  const perLog = 2 ** 32 / Number(size);
  const number = (segment: string) =>
    Number.parseInt(segment.slice(8, 16), 16) * perLog + Number.parseInt(segment.slice(16), 16);
  const timeline = first.slice(0, 8);
  const there = new Set(
    paths.flatMap((path) => {
      const [, segment] = /^wals\/[0-9A-F]{16}\/([0-9A-F]{24})(?:\.\w+)?$/.exec(path) ?? [];
      return segment && segment.slice(0, 8) >= timeline ? [number(segment)] : [];
    }),
  );
  const end = Math.max(number(last), ...there);
  const missing: string[] = [];
  for (let each = number(first); each <= end; each++)
    if (!there.has(each)) missing.push(nameOf(each, timeline, perLog));
  if (missing.length === 0) return [];
  const more = missing.length > named ? ` and ${missing.length - named} more` : "";
  const which = missing.length === 1 ? "Segment" : "Segments";
  const is = missing.length === 1 ? "is" : "are";
  return [`${which} ${missing.slice(0, named).join(", ")}${more} of the write-ahead log ${is} missing.`];
}

function nameOf(segment: number, timeline: string, perLog: number): string {
  const hex = (part: number) => part.toString(16).toUpperCase().padStart(8, "0");
  return `${timeline}${hex(Math.floor(segment / perLog))}${hex(segment % perLog)}`;
}

/** The lines `key=value` of a note. */
function fieldsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, key, value] = /^(\w+)=(.*)$/.exec(line.trim()) ?? [];
      return key !== undefined && value !== undefined && value !== "None" ? [[key, value]] : [];
    }),
  );
}

/** Python's time, such as `2026-11-24 08:31:19.123456+00:00`, or the older `Tue Nov 24 08:31:19 2026`, in UTC. */
function secondsOf(time = ""): number {
  const iso = Date.parse(time.replace(" ", "T").replace(/(\.\d{3})\d+/, "$1"));
  return Math.floor((Number.isNaN(iso) ? Date.parse(`${time} UTC`) : iso) / 1000);
}
