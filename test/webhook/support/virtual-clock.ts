import type { Clock } from "@hearth-platform/site-webhook/clock";

interface Task {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that moves when told, through every timer on the way. */
export class VirtualClock implements Clock {
  #elapsed = 0;
  #wallOffset: number;
  #tasks: Task[] = [];

  /** @param start - wall clock at the beginning, milliseconds since epoch */
  constructor(start = 1_790_000_000_000) {
    this.#wallOffset = start;
  }

  now(): number {
    return this.#wallOffset + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(milliseconds: number, run: () => void): () => void {
    const task: Task = { at: this.#elapsed + Math.max(0, milliseconds), run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }

  /** Timers that have not run. */
  get waiting(): number {
    return this.#tasks.length;
  }

  /** Steps the wall clock alone, as an administrator or a time server does. */
  step(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }

  /** Moves time on by `milliseconds`. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    await settle();
    for (;;) {
      const next = this.#tasks.reduce<Task | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined);
      if (!next || next.at > end) break;
      this.#tasks = this.#tasks.filter((task) => task !== next);
      this.#elapsed = Math.max(this.#elapsed, next.at);
      next.run();
      await settle();
    }
    this.#elapsed = end;
  }
}

/** Lets everything run that waits for no timer: the longest chain of promises here is far shorter. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 25; turn += 1) await undefined;
}
