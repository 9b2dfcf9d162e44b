import { phpConfiguration } from "./php.ts";

/** Private address ranges (RFC 1918), where Traefik's pods are. */
const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"] as const;

/**
 * `domain.config.php`: hosts the suite answers to, its own address for links made without a request, and the proxies before it.
 * Read at every request, so a changed domain needs no step by hand; `overwritehost` and `overwriteprotocol` are set by environment.
 */
export function domainConfiguration(domain: string, trustedProxies: readonly string[] = privateRanges): string {
  return phpConfiguration({
    trusted_domains: [domain],
    "overwrite.cli.url": `https://${domain}`,
    trusted_proxies: [...trustedProxies],
  });
}
