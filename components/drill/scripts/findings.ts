/** What a drill has found: decided from what its steps have written. */

/** What the steps wrote about a database; absent where a step did not get there. */
export interface DatabaseAnswers {
  /** `TABLES|ROWS` of the recovered database. */
  readonly count?: string;
  /** Seconds of the newest row at the target, in the recovered database. */
  readonly newest?: string;
  /** The same of the running one, of rows whose log must have been archived. */
  readonly runningNewest?: string;
  /** Rows drawn: `ID|PATH|BYTES`, without bytes where they say nothing of the file's size. */
  readonly drawn?: string;
  /** Those that the running database has unchanged: `PATH|BYTES`. */
  readonly sample?: string;
  /** What was found for them, in the same form. */
  readonly found?: string;
  /** Why a step got no answer. */
  readonly recoveredError?: string;
  readonly runningError?: string;
  readonly filesError?: string;
}

/** What is told of a database. */
export interface DatabaseResult {
  readonly tables: number;
  readonly rows: number;
  /** Of the newest row, in UTC; absent where there is none. */
  readonly newest?: string;
  /** Seconds from it to the target. */
  readonly newestAge?: number;
  /** Sampled rows, and how many of them have their file. */
  readonly sampled: number;
  readonly found: number;
}

/** The result of a drill, as the cluster keeps it. */
export interface DrillResult {
  readonly cluster: string;
  readonly good: boolean;
  /** The pod that made it. */
  readonly pod: string;
  /** When it ended, and the time that was recovered to, in UTC. */
  readonly ended: string;
  readonly target: string;
  readonly seconds: number;
  /** Base backup that it was recovered from; absent where there was none. */
  readonly backup?: string;
  readonly databases: Readonly<Record<string, DatabaseResult>>;
  readonly problems: readonly string[];
}

/** What the rows of each database name. */
const kinds: Readonly<Record<string, string>> = { forge: "repositories", hub: "blobs", cloudsuite: "files" };

/** Files that are named one by one. */
const named = 3;

/** Judges a recovered database. @param target seconds that it was recovered to */
export function judgeDatabase(
  name: string,
  answers: DatabaseAnswers,
  target: number,
): { readonly result?: DatabaseResult; readonly problems: readonly string[] } {
  const [tables = 0, rows = 0] = (answers.count ?? "").trim().split("|").map(Number);
  if (answers.recoveredError !== undefined)
    return { problems: [`Database ${name}: the recovered one gives no answer: ${lineOf(answers.recoveredError)}`] };
  const [newest, runningNewest] = [secondsOf(answers.newest), secondsOf(answers.runningNewest)];
  const sample = linesOf(answers.sample);
  const found = new Map(linesOf(answers.found).map(([path, size]) => [path, size]));
  const missing = sample.filter(([path]) => !found.has(path));
  const resized = sample.filter(([path, size]) => size && found.has(path) && found.get(path) !== size);
  const what = kinds[name] ?? "files";
  return {
    result: {
      tables,
      rows,
      ...(newest !== undefined && { newest: isoOf(newest), newestAge: target - newest }),
      sampled: sample.length,
      found: sample.length - missing.length - resized.length,
    },
    problems: [
      rows > 0 ? undefined : `Database ${name}: ${tables} tables came back, without a row.`,
      answers.runningError === undefined
        ? undefined
        : `Database ${name}: the running one gives no answer: ${lineOf(answers.runningError)}`,
      runningNewest !== undefined && (newest ?? 0) < runningNewest
        ? `Database ${name}: rows are missing. The newest that came back is of ${newest === undefined ? "never" : isoOf(newest)}, the running database has one of ${isoOf(runningNewest)}.`
        : undefined,
      answers.runningError === undefined && linesOf(answers.drawn).length > 0 && sample.length === 0
        ? `Database ${name}: the running one has none of ${linesOf(answers.drawn).length} sampled rows.`
        : undefined,
      answers.filesError === undefined
        ? listed(missing, (all) => `Database ${name}: ${all} of ${sample.length} sampled ${what} are missing`)
        : `Database ${name}: its ${what} can't be read: ${lineOf(answers.filesError)}`,
      listed(
        resized,
        (all) => `Database ${name}: ${all} of ${sample.length} sampled ${what} have another size than their row says`,
      ),
    ].filter((problem) => problem !== undefined),
  };
}

/** The result in a line. */
export function lineOfResult({ cluster, good, databases, problems, target, backup, seconds }: DrillResult): string {
  const all = Object.entries(databases).map(
    ([name, { tables, rows, newestAge, sampled, found }]) =>
      `${name} ${tables} tables, ${rows} rows, newest row ${newestAge === undefined ? "none" : `${newestAge} s before`}, ${found} of ${sampled} ${kinds[name]} found`,
  );
  const what = good ? [...all] : problems;
  return `${cluster}: ${good ? "good" : "FAILED"}, to ${target}${backup ? ` from base backup ${backup}` : ""}, in ${seconds} s: ${what.join("; ").replaceAll("\n", " ")}`;
}

function listed(rows: readonly (readonly string[])[], sentence: (all: number) => string): string | undefined {
  if (rows.length === 0) return undefined;
  const first = rows.slice(0, named).map(([path]) => path);
  return `${sentence(rows.length)}: ${first.join(", ")}${rows.length > named ? ", …" : ""}.`;
}

function linesOf(text = ""): [string, ...string[]][] {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("|") as [string, ...string[]]);
}

function secondsOf(text = ""): number | undefined {
  return text.trim() === "" ? undefined : Number(text);
}

export function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}

/** The first line of a program's complaint. */
function lineOf(text: string): string {
  return text.split("\n").find(Boolean) ?? "it said nothing";
}
