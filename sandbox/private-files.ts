/** A program with its arguments. */
export type Command = readonly [program: string, args: readonly string[]];

/** The program, run so that the files it makes are its owner's alone: Pulumi itself leaves that to the mask of who calls it. */
export function withPrivateFiles(program: string, args: readonly string[]): Command {
  return ["/bin/sh", ["-c", 'umask 077 && exec "$0" "$@"', program, ...args]];
}
