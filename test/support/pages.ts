import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** A Markdown page of the project. */
export interface Page {
  /** Its path from the root. */
  readonly file: string;
  readonly text: string;
}

/** Files of the checkout by a pattern of git's, those not yet committed too: nothing that is installed or built. */
export function checkoutFiles(pattern: string): string[] {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", pattern], {
    cwd: root,
    encoding: "utf8",
  });
  return listed.split("\n").filter((file) => file !== "" && existsSync(join(root, file)));
}

/** Every Markdown page of the checkout. */
export function pages(): Page[] {
  return checkoutFiles("*.md").map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
}

/** A page without the lines of its code blocks; the count of lines stays. */
export function withoutCode(text: string): string {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, (block) => block.replaceAll(/[^\n]/g, ""));
}

/** The anchors of a page, as GitHub and GitLab name them; a heading that comes again gets a number. */
export function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = plain.replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`);
  }
  for (const [, id = ""] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}
