import { systemClock } from "./clock.ts";
import { SettingsError } from "./environment.ts";
import { LineBuffer } from "./line-buffer.ts";
import { startService } from "./service.ts";
import { readSettings } from "./settings.ts";
import { startSignIn } from "./sign-in/service.ts";
import { readSignInSettings } from "./sign-in/settings.ts";

const lines = new LineBuffer((text) => process.stdout.write(text));

/** Says why the process ends, as a log line, and ends it. */
function fail(fault: unknown): never {
  const line = {
    ts: new Date().toISOString(),
    level: "error",
    msg: fault instanceof Error ? fault.message : String(fault),
    faults: fault instanceof SettingsError ? fault.faults : undefined,
    stack: fault instanceof Error && !(fault instanceof SettingsError) ? fault.stack : undefined,
  };
  lines.write(`${JSON.stringify(line)}\n`);
  lines.flush();
  process.exit(1);
}

// As PID 1 the process gets no default handlers; a signal may come before the service has started.
const asked = new Promise<void>((resolve) => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
});
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

try {
  const write = (line: string): void => lines.write(line);
  // One image for both services: without a word it is the webhook.
  const service =
    process.argv[2] === "sign-in"
      ? await startSignIn(readSignInSettings(process.env), systemClock, write)
      : await startService(readSettings(process.env), systemClock, write);
  await asked;
  await service.stop();
} catch (fault) {
  fail(fault);
}
lines.flush();
process.exit(0);
