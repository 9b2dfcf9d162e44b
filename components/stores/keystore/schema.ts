import { limits } from "../../catalogue/limits.ts";
import { programs } from "../../catalogue/releases.ts";
import { platform } from "../../core/platform-schema.ts";
import { as, block, choice, count, defaultsTo, flag, text } from "../../core/schema.ts";
import { bytes, namespaceName } from "../../core/value-rules.ts";
import { resources } from "../../kubernetes/resources-schema.ts";
import { keystoreReplicas, keystoreVersion } from "./value-rules.ts";

export const keystoreUse = choice(
  "KeystoreUse",
  { queue: "queue", cache: "cache" },
  "What a keystore is used for; it decides how it writes to disk and what it does when its memory is full.",
  {
    queue:
      "Queues and sessions: every write goes to an append-only file, a full memory refuses writes, nothing is evicted.",
    cache: "Caches, sessions and locks: snapshots only, a full memory evicts keys that have an expiry.",
  },
);

export const keystore = block("KeystoreArgs", "A key-value store (Valkey) of one pod in a namespace.", {
  namespace: text("Namespace it runs in; it exists already.", { rule: namespaceName }),
  version: text(`Tag of the Valkey image, e.g. \`${programs.valkey.deployed}\`; never older than the data.`, {
    rule: keystoreVersion,
  }),
  use: defaultsTo(as(keystoreUse, "What it is used for."), "queue"),
  storageSize: defaultsTo(text("Volume, binary suffix.", { rule: bytes }), limits.keystoreSize),
  resources: resources("Resources of the pod.", "50m", "128Mi", "200m", "256Mi", limits.keystoreResources),
  replicas: defaultsTo(count("Pods: exactly 1.", { rule: keystoreReplicas }), limits.keystoreReplicas),
  password: defaultsTo(
    flag(
      "Clients sign in with a password. An existing Secret in its place has the keys `password` and `password.conf`, the latter with the line `requirepass <password>`.",
    ),
    true,
  ),
  partOf: defaultsTo(text("Application it belongs to, for the label `app.kubernetes.io/part-of`."), "keystore"),
  platform: as(platform, "Settings every component of the stack shares."),
});
