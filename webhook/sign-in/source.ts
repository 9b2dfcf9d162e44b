import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Tells where calls come from. */
export class Sources {
  readonly #proxies = new BlockList();

  /** @param proxies addresses and ranges (CIDR) whose `X-Forwarded-For` is believed @throws Error of a value that is neither */
  constructor(proxies: readonly string[]) {
    for (const range of proxies) {
      const [address = "", prefix] = range.split("/");
      const family = isIP(address) === 6 ? "ipv6" : "ipv4";
      this.#proxies.addSubnet(address, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
    }
  }

  /**
   * The last address of `X-Forwarded-For` that is no proxy's; its first one where all are; without the header, the address that connects.
   * Of IPv6 it is the network of 64 bits, which one caller usually has to itself.
   */
  of({ headers, socket }: IncomingMessage): string {
    const named = String(headers["x-forwarded-for"] ?? "")
      .split(",")
      .map(plain)
      .filter((address) => isIP(address) !== 0);
    const source =
      named.findLast((address) => !this.#isProxy(address)) ?? named[0] ?? plain(socket.remoteAddress ?? "");
    return isIP(source) === 6 ? network(source) : source;
  }

  #isProxy(address: string): boolean {
    return this.#proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  }
}

/** Without spaces and zone, and in the form of IPv4 where it is one. */
function plain(address: string): string {
  return address
    .trim()
    .replace(/%.*$/, "")
    .replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The first four groups of an address, written out. */
function network(address: string): string {
  const [before = "", after] = address.toLowerCase().split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [first, last] = [groups(before), groups(after ?? "")];
  const zeros = after === undefined ? [] : Array(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
