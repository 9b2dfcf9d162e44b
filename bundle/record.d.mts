/** What a record says of something that was made of files. */
export interface FileRecord {
  readonly files: readonly string[];
  /** Of the files' marks, and of the folder where their paths start: a copied folder brings its record along. */
  readonly hash: string;
}

/** What tells a file from what it was: empty content, or no time, where there is none. */
export type Mark = (file: string) => string;

/** For what is deployed. */
export const byContent: Mark;

/** Time of the last change, and size: a quarter of the time that the content takes. */
export const byTime: Mark;

/** Reads a record; undefined where a file has changed since, or there is no record. */
export function currentRecord(path: string, folder: string, mark: Mark): FileRecord | undefined;

/** The record of files as they are now. @param folder where the paths of the files start */
export function recordOf(folder: string, files: readonly string[], mark: Mark): FileRecord;

export function writeRecord(path: string, record: FileRecord): void;

/** Writes a file in one step: another process may be reading it. */
export function replace(file: string, text: string): void;

export function readIfThere(file: string): string | undefined;
