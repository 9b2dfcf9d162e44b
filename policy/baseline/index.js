// Pulumi's launcher of policy packs runs TypeScript through ts-node; Node itself runs it as it is.
import "./index.ts";
