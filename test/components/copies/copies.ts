import type { CopiesArgs } from "@hearth-platform/hearth/copies/args";
import { platform } from "../../support/platform.ts";

/** Copies of the buckets of a forge and a suite. */
export function copiesArgs(changes: Partial<CopiesArgs> = {}): CopiesArgs {
  const store = { endpoint: "https://fsn1.your-objectstorage.com", region: "fsn1", pathStyle: true };
  return {
    sources: [
      { name: "platform", ...store, buckets: ["lfs-a1b2-platform", "registry-a1b2-platform"] },
      { name: "team", ...store, buckets: ["data-team-a1b2"] },
    ],
    to: { endpoint: "https://s3.eu-central-003.backblazeb2.com", region: "eu-central-003", bucket: "copies-a1b2" },
    platform: { ...platform, secrets: { store: { name: "hearth" } } },
    ...changes,
  };
}
