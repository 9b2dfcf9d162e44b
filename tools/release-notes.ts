import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Prints the notes of a release: the section of its version in the CHANGELOG. `node tools/release-notes.ts 0.2.0` */

const root = join(import.meta.dirname, "..");

/**
 * The notes of a version, in Markdown, without their heading.
 * @param changelog as Keep a Changelog has it: `## 0.2.0 - 2026-12-01`
 * @throws Error where the changelog has no such section, or the section says nothing
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^(?=## )/m);
  const section = sections.find((each) => each.startsWith(`## ${version} - `));
  const notes = section?.slice(section.indexOf("\n")).trim();
  if (!notes)
    throw new Error(
      `CHANGELOG.md has no notes of ${version}. Rename "## Unreleased" to "## ${version} - YYYY-MM-DD", and begin a new "## Unreleased" above it.`,
    );
  return notes;
}

if (import.meta.main) {
  const version = process.argv[2] ?? "";
  const { version: packaged } = JSON.parse(readFileSync(join(root, "components/package.json"), "utf8"));
  if (version !== packaged)
    throw new Error(`The tag is of ${version}, components/package.json of ${packaged}. Make both the same.`);
  console.log(releaseNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version));
}
