// Pulumi's launcher of policy packs runs TypeScript through ts-node; Node itself runs it as it is.
import { enableCompileCache, flushCompileCache } from "node:module";

// Most of a start is compiling the SDK. The engine ends the process by a signal, so what was compiled is kept at once.
enableCompileCache();
import("@hearth-platform/hearth/core/sdk-start").then(() => import("./index.ts")).then(() => flushCompileCache());
