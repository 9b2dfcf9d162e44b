import { baselinePack } from "../policy/baseline/policies.ts";
import type { Pack } from "../policy/core/policy.ts";
import { limitsPack } from "../policy/limits/policies.ts";

/** Every pack, in the order in which they are shown. */
export const packs: readonly Pack[] = [limitsPack, baselinePack];
