// Pulumi's launcher of policy packs runs TypeScript through ts-node; Node itself runs it as it is.
import { flushCompileCache } from "node:module";
import { load } from "@hearth-platform/bundle/load";

/**
 * Starts a pack.
 * @param {string} pack URL of its module
 */
export async function start(pack) {
  await load(import.meta.resolve("@hearth-platform/hearth/core/sdk-start"), pack);
  // The engine ends the process by a signal, so what was compiled is kept at once.
  flushCompileCache();
}
