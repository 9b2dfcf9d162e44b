import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Rails initializers of ours, mounted beside those of the image; each is a file of its own, so that it is tested as what it is. */
const initializer = (name: string, file: string) =>
  ({ [name]: readFileSync(join(import.meta.dirname, file), "utf8") }) as Readonly<Record<string, string>>;

/** Of the web pods: `/-/health` answers what the specification says, from checks of database, keystore and git store. */
export const healthInitializer = initializer("platform_health.rb", "platform-health.rb");

/** Of the job pods: `worker_queue_size`, which no program of the forge gives. */
export const queueSizeInitializer = initializer("platform_queue_size.rb", "platform-queue-size.rb");

/** Names of the initializers. */
export const initializerNames = [healthInitializer, queueSizeInitializer].flatMap(Object.keys);
