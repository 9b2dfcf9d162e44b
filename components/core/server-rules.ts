import { error, type Problem } from "./problems.ts";
import { hostName } from "./value-rules.ts";

/** A server's host: unlike a public one its port has a setting. */
export function serverName(path: string, host: string | undefined): Problem[] {
  if (!/^[^:]+:\d+$/.test(host ?? "")) return hostName(path, host);
  return [error("server-port", path, "The value has a port.", "Write the host alone, and the port as `port`.")];
}
