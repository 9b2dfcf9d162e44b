import { programs } from "../../catalogue/releases.ts";
import { storePlatform } from "../../core/platform-schema.ts";
import type { Resolved } from "../../core/resolve.ts";
import { as, block, choice, count, defaultsTo, flag, text } from "../../core/schema.ts";
import { namespaceName } from "../../core/value-rules.ts";
import { resources } from "../../kubernetes/resources-schema.ts";
import { storageClasses } from "../../limits/sets.ts";
import { limits } from "../../limits/table.ts";
import { allowedCount, leastSize, singleWriterClass } from "../../limits/value-rules.ts";
import { keystoreVersion } from "./value-rules.ts";

export const keystoreUse = choice(
  "KeystoreUse",
  { queue: "queue", cache: "cache" },
  "Use of a keystore. It decides how the keystore writes to disk, and what happens when its memory is full.",
  {
    queue:
      "Queues and sessions: every write goes to an append-only file. When memory is full, writes are refused; nothing is evicted.",
    cache: "Caches, sessions and locks: snapshots only. When memory is full, keys with an expiry are evicted.",
  },
);

export const keystore = block("KeystoreArgs", "A key-value store (Valkey) of one pod in a namespace.", {
  namespace: text("Namespace of the component; it must exist.", { rule: namespaceName }),
  version: text(`Tag of the Valkey image, e.g. \`${programs.valkey.deployed}\`; never older than the data.`, {
    rule: keystoreVersion,
  }),
  use: defaultsTo(as(keystoreUse, "Use of the keystore."), "queue"),
  storageSize: defaultsTo(
    text("Size of the volume, with a binary suffix.", { rule: leastSize(limits.keystoreSize) }),
    limits.keystoreSize.least(),
  ),
  storageClass: defaultsTo(
    text("Storage class of the volume; in a stack its `storageClass` unless it is set here.", {
      rule: singleWriterClass,
    }),
    storageClasses.replicatedBlock,
  ),
  resources: resources("Resources of the pod.", "50m", "128Mi", "200m", "256Mi", limits.keystoreResources.least()),
  replicas: defaultsTo(
    count("Pods: exactly 1.", { rule: allowedCount(limits.keystoreReplicas) }),
    limits.keystoreReplicas.least(),
  ),
  password: defaultsTo(
    flag(
      "Clients sign in with a password. An existing Secret for it needs the keys `password` and `password.conf`, the latter with the line `requirepass <password>`.",
    ),
    true,
  ),
  partOf: defaultsTo(text("Application it belongs to, for the label `app.kubernetes.io/part-of`."), "keystore"),
  platform: as(storePlatform, "Settings that all components of the stack share."),
});

/** A keystore's arguments with their defaults. */
export interface ResolvedKeystore extends Resolved<typeof keystore> {}
