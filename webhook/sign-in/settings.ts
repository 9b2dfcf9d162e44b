import { isIP } from "node:net";
import { type Environment, EnvironmentReader } from "../environment.ts";
import type { ServiceSettings } from "../servers.ts";

/** Everything that can be set; each comes from the environment variable named in its comment. */
export interface SignInSettings extends ServiceSettings {
  /** `CORE_URL`: the hub's core inside the cluster. */
  readonly core: URL;
  /** `FORGE_URL`: the forge inside the cluster. */
  readonly forge: URL;
  /** `FORGE_ISSUER`: how the forge names itself to the hub at sign-on, to the letter. */
  readonly issuer: string;
  /** `HUB_URL`: the hub's public address, where people are sent to. */
  readonly hub: string;
  /** `HUB_ADMINISTRATOR`: name of the hub's administrator. */
  readonly administrator: string;
  /** `HUB_PASSWORD_FILE`: holds the administrator's password. */
  readonly passwordFile: string;
  /** `TRUSTED_PROXIES`: addresses and ranges (CIDR), with commas between them, of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
}

/** Reads the settings. Ports and `SIGN_IN_HOST` are for tests. Throws a SettingsError. */
export function readSignInSettings(environment: Environment): SignInSettings {
  const reader = new EnvironmentReader(environment);
  const address = (name: string, what: string) =>
    reader.text(name, undefined, what, (value) => /^https?:\/\/[^/?#@]+$/.test(value) && URL.canParse(value));
  const something = (value: string) => value.trim() !== "";
  const core = address("CORE_URL", "the hub's core, such as http://hub-core:8080");
  const forge = address("FORGE_URL", "the forge inside the cluster, such as http://forge-webservice:8181");
  const settings = {
    host: environment.SIGN_IN_HOST || undefined,
    port: reader.integer("SIGN_IN_PORT", 8080, 0, 65_535),
    operationsPort: reader.integer("OPERATIONS_PORT", 9090, 0, 65_535),
    issuer: address("FORGE_ISSUER", "the forge's public address, such as https://forge.example.org"),
    hub: address("HUB_URL", "the hub's public address, such as https://hub.example.org"),
    administrator: reader.text("HUB_ADMINISTRATOR", undefined, "the name of the hub's administrator", something),
    passwordFile: reader.text("HUB_PASSWORD_FILE", undefined, "the file with the administrator's password", something),
    trustedProxies: ranges(
      reader.text("TRUSTED_PROXIES", "", "addresses or ranges like 10.0.0.0/8, with commas between them", (value) =>
        ranges(value).every(isRange),
      ),
    ),
    drainSeconds: reader.integer("DRAIN_SECONDS", 5, 0, 300),
  };
  reader.end();
  return { ...settings, core: new URL(core), forge: new URL(forge) };
}

function ranges(list: string): string[] {
  return list.split(",").filter((range) => range !== "");
}

function isRange(range: string): boolean {
  const [address = "", prefix = "0", ...more] = range.split("/");
  const longest = [Number.NaN, 32, 128][[0, 4, 6].indexOf(isIP(address))] ?? Number.NaN;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest && more.length === 0;
}
