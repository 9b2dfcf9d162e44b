// Pulumi's launcher of policy packs runs TypeScript through ts-node; Node itself runs it as it is.
import { flushCompileCache } from "node:module";
import { load } from "@hearth-platform/bundle/load";

// The engine ends the process by a signal, so what was compiled is kept at once.
load(import.meta.resolve("@hearth-platform/hearth/core/sdk-start"), import.meta.resolve("./index.ts")).then(() =>
  flushCompileCache(),
);
