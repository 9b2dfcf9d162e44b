/** A file of a stack that a mistake is in. */
export type File = "Pulumi.prod.yaml" | "suites/example/config.yaml";

/** A mistake in a file of stack `prod`, whose other lines are the committed ones. */
export interface FileMistake {
  readonly file: File;
  /** What becomes what: the mistake. */
  readonly edit: readonly [from: string | RegExp, to: string];
  /** The text that the answer points to; its line is looked up in the file with the mistake. */
  readonly at: string;
  /** What is wrong, in the answer's words. */
  readonly says: string;
  /** What to do. */
  readonly remedy: string;
  /** Whether it is one problem alone. @default true */
  readonly alone?: boolean;
}

/** A mistake on the command line, or in what surrounds it. */
export interface CommandMistake {
  readonly args: readonly string[];
  /** A command that stands in for Pulumi: what it says before it fails. @default there is none */
  readonly pulumi?: string;
  /** What the answer names: file, server, context, option, backend. */
  readonly at: string;
  readonly says: string;
  readonly remedy: string;
}
