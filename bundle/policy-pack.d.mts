/** What a pack is bundled from. */
export interface PackSources {
  readonly project: string;
  /** Path of the pack's module in the project. */
  readonly module: string;
  /** Packages that are installed beside the pack. */
  readonly external: readonly string[];
}

/**
 * A policy pack as one module, which needs neither hearth's sources nor a compiler.
 * @returns JavaScript
 * @throws where the module can't be built
 */
export function bundlePolicyPack(sources: PackSources): Promise<string>;
