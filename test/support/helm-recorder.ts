import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What a stand-in for helm or kubectl was called with: the program with its words, and what it read. */
export interface HelmCall {
  readonly words: readonly string[];
  readonly input: string;
}

/** Stand-ins for helm and kubectl. */
export interface HelmRecorder {
  /** The folder with them. */
  readonly bin: string;
  /** A PATH that begins with it. */
  readonly path: string;
  /** Their calls, in order. */
  readonly calls: () => HelmCall[];
}

/**
 * Makes stand-ins for helm and kubectl that write down what they are told.
 * @param folder an own one, which is made
 * @param failing the release that helm can't install
 */
export function helmRecorder(folder: string, failing = "none"): HelmRecorder {
  const bin = join(folder, "bin");
  const log = join(folder, "calls");
  for (const each of [bin, log]) mkdirSync(each, { recursive: true });
  for (const program of ["helm", "kubectl"]) {
    const script = `#!/bin/sh
call=$(mktemp ${log}/$(ls ${log} | wc -l | sed 's/^ *//; s/^.$/0&/')-XXXXXX)
printf '%s\\n' ${program} "$@" > "$call"
echo --- >> "$call"
case "$*" in *" - "* | *" -") cat >> "$call" ;; esac
case "$*" in *"--install ${failing} "*) ;; *) exit 0 ;; esac
{ echo "Error: context deadline exceeded" >&2; exit 7; }
`;
    writeFileSync(join(bin, program), script);
    chmodSync(join(bin, program), 0o755);
  }
  return {
    bin,
    path: `${bin}${delimiter}${process.env.PATH}`,
    calls: () =>
      readdirSync(log)
        .sort()
        .map((file) => {
          const [words = "", input = ""] = readFileSync(join(log, file), "utf8").split("---\n");
          return { words: words.trimEnd().split("\n"), input };
        }),
  };
}

/** The release that a call of helm installs. */
export function releaseOf({ words }: HelmCall): string | undefined {
  return words[words.indexOf("--install") + 1];
}
