import { ensurePrograms } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { resetSandbox, startSandbox } from "@hearth-platform/sandbox/sandbox";

/** Name of the sandbox the end-to-end tests share: never the one a person uses. */
const name = "e2e";

/** Starts the tests' own sandbox from nothing, and deletes it afterwards unless `HEARTH_KEEP_SANDBOX` is set. */
export async function setup(): Promise<() => Promise<void>> {
  process.env.HEARTH_SANDBOX = name;
  const progress = createProgress();
  await ensurePrograms(progress);
  await resetSandbox(name);
  const sandbox = await startSandbox(name, progress);
  process.env.HEARTH_E2E_KUBECONFIG = sandbox.paths.kubeconfig;
  return async () => {
    if (!process.env.HEARTH_KEEP_SANDBOX) await resetSandbox(name);
  };
}
