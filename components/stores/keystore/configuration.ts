import { ports } from "../../catalogue/ports.ts";
import { parseQuantity } from "../../core/quantities.ts";
import { KeystoreUse } from "./args.ts";

/** Where the pod finds its files. */
export const keystorePaths = {
  data: "/data",
  configuration: "/etc/keystore",
  /** Folder with the fragment that sets the password. */
  password: "/etc/keystore-password",
} as const;

/** Key of the password Secret that holds the fragment `requirepass …` for the configuration file. */
export const passwordFragment = "password.conf";

/** Share of the pod's memory for keys: the rest is for the copy of changed pages while a snapshot or append-only file is written. */
const keyMemoryShare = 0.6;

/** Inputs of the configuration file. */
export interface KeystoreConfiguration {
  readonly use: KeystoreUse;
  /** Memory limit of the pod, a Kubernetes quantity. */
  readonly memoryLimit: string;
  readonly password: boolean;
}

/** Content of `keystore.conf`. It holds no secret: the password is in a fragment that it includes. */
export function keystoreConfiguration({ use, memoryLimit, password }: KeystoreConfiguration): string {
  const maxMemory = Math.floor(((parseQuantity(memoryLimit) ?? 0) * keyMemoryShare) / 2 ** 20);
  const lines = [
    `port ${ports.keystore}`,
    `dir ${keystorePaths.data}`,
    "databases 16",
    "save 3600 1 300 100 60 10000",
    ...(use === KeystoreUse.queue ? ["appendonly yes", "appendfsync everysec"] : ["appendonly no"]),
    `maxmemory ${maxMemory}mb`,
    `maxmemory-policy ${use === KeystoreUse.queue ? "noeviction" : "volatile-lru"}`,
    "tcp-keepalive 60",
    password ? `include ${keystorePaths.password}/${passwordFragment}` : "protected-mode no",
  ];
  return `${lines.join("\n")}\n`;
}
