import { setTimeout as startTimer } from "node:timers";

/** Time as the service sees it; tests bring their own. */
export interface Clock {
  /** Wall clock, milliseconds since epoch; may be stepped. */
  now(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  elapsed(): number;
  /** Runs `task` after `milliseconds`; returns what cancels it. */
  after(milliseconds: number, task: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, task) {
    const timer = startTimer(task, Math.ceil(milliseconds));
    return () => clearTimeout(timer);
  },
};
