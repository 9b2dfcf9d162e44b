import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Name of the Rails initializer by which `/-/health` answers what the specification says, from checks of database, keystore and git store. */
export const healthInitializer = "platform_health.rb";

/** The initializer, a file of its own, so that it is tested as what it is. */
export const healthFile = {
  [healthInitializer]: readFileSync(join(import.meta.dirname, "platform-health.rb"), "utf8"),
} as const;
