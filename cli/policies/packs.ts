import { baselinePack } from "@hearth-platform/policy/baseline/policies";
import type { Pack } from "@hearth-platform/policy/core/policy";
import { limitsPack } from "@hearth-platform/policy/limits/policies";

/** Every pack, in the order in which they are shown. */
export const packs: readonly Pack[] = [limitsPack, baselinePack];
