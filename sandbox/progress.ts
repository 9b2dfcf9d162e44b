import type { WriteStream } from "node:tty";

/** Where progress goes: a terminal, a pipe or a file. */
export type ProgressStream = NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>;

/** Tells a person what is going on. One step runs at a time. */
export interface Progress {
  /**
   * Starts a step.
   * @param what a phrase such as `Building the Pulumi engine`
   * @param n this step's number and `of` how many there are, where that is known
   */
  step(what: string, n?: number, of?: number): Step;
}

/** A running step: call `done` or `failed`, once. */
export interface Step {
  /** @param result what came of it, where that is worth a word: `3 nodes ready` */
  done(result?: string): void;
  /** The reason is the error's to tell, not the progress line's. */
  failed(): void;
}

const signOfLifeEvery = 30_000;
const redrawEvery = 1_000;

/**
 * In a terminal one live line a step, with the elapsed time; elsewhere a line when a step starts, one when it ends and
 * a sign of life every 30 seconds between. Standard output stays free for results.
 * @param stream default: standard error
 */
export function createProgress(stream: ProgressStream = process.stderr): Progress {
  return {
    step(what, n, of) {
      const started = Date.now();
      const title = n === undefined ? what : `[${n}/${of ?? "?"}] ${what}`;
      const elapsed = () => duration(Date.now() - started);
      const live = stream.isTTY === true;

      const draw = () => {
        const time = Date.now() - started < 1_000 ? " …" : ` … ${elapsed()}`;
        stream.write(`\r\x1b[K${title.slice(0, Math.max(0, (stream.columns || 80) - time.length - 1))}${time}`);
      };
      if (live) draw();
      else stream.write(`${title} …\n`);
      const timer = live
        ? setInterval(draw, redrawEvery)
        : setInterval(() => stream.write(`${title} … ${elapsed()} so far\n`), signOfLifeEvery);
      timer.unref();

      const end = (outcome: string) => {
        clearInterval(timer);
        stream.write(`${live ? "\r\x1b[K" : ""}${title}: ${outcome} (${elapsed()})\n`);
      };
      return {
        done: (result) => end(result ?? "done"),
        failed: () => end("failed"),
      };
    },
  };
}

/** `850 ms`, `12 s` or `3 min 05 s`. */
function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
