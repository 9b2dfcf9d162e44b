/**
 * Stands in for `pulumi-resource-tls`: keys from Node's generator, certificates really signed, the official types,
 * defaults, replacements, renewals and secrets.
 *
 * Not simulated: write-only private keys (`…Wo`), signing with curve P224, functions such as `getCertificate`,
 * Microsoft's and Netscape's key usages.
 */
import sdk from "@pulumi/tls/package.json" with { type: "json" };
import { generatedProvider } from "../generated.ts";
import { serveProvider } from "../serve.ts";
import { resources } from "./resources.ts";

/** The provider, for {@link serveProvider}. */
export const tlsProvider = () => generatedProvider({ name: "tls", version: sdk.version }, resources);

if (import.meta.main) await serveProvider(tlsProvider);
