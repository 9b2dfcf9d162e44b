// What each function is for: record.d.mts. Without TypeScript, which Node takes 40 ms to be ready for.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

export function byContent(file) {
  return readIfThere(file) ?? "";
}

export function byTime(file) {
  const { mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return `${mtimeMs} ${size}`;
}

export function currentRecord(path, folder, mark) {
  const { files, hash } = JSON.parse(readIfThere(path) ?? "{}");
  return files && hash === hashOf(files, folder, mark) ? { files, hash } : undefined;
}

export function recordOf(folder, files, mark) {
  return { files, hash: hashOf(files, folder, mark) };
}

export function writeRecord(path, record) {
  replace(path, JSON.stringify(record));
}

export function replace(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

export function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function hashOf(files, folder, mark) {
  const hash = createHash("sha256").update(folder);
  for (const file of files) hash.update(`\0${file}\0`).update(mark(resolve(folder, file)));
  return hash.digest("hex");
}
