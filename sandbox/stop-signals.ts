/** Signals that ask a process to end: Ctrl-C, a polite kill, a closed terminal. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Hands every such signal to `heard` while `work` runs, and ends the process by none. The listener stays after the first
 * one: where nobody else listens, the lock's library ends the process.
 */
export async function hearingSignals<T>(heard: (signal: NodeJS.Signals) => void, work: () => Promise<T>): Promise<T> {
  for (const signal of signals) process.on(signal, heard);
  try {
    return await work();
  } finally {
    for (const signal of signals) process.off(signal, heard);
  }
}
