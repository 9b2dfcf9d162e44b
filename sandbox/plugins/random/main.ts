/**
 * Stands in for `pulumi-resource-random`: the same types, defaults, checks, replacements and secrets, values from Node's
 * cryptographic generator.
 *
 * Not simulated: `seed` (refused: it would have to repeat Go's generator), versions of UUID other than 4, the
 * official provider's longer lists of pet names, upgrades of state written by its older versions.
 */
import sdk from "@pulumi/random/package.json" with { type: "json" };
import { generatedProvider } from "../generated.ts";
import { serveProvider } from "../serve.ts";
import { resources } from "./resources.ts";

/** The provider, for {@link serveProvider}. */
export const randomProvider = () => generatedProvider({ name: "random", version: sdk.version }, resources);

if (import.meta.main) await serveProvider(randomProvider);
