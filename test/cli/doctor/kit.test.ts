import { type KitFacts, kitFindings } from "@hearth-platform/cli/doctor/kit";
import { type KitNote, notedSecret, noteIn, noteObject } from "@hearth-platform/cli/kit/note";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import { expect, it } from "vitest";

const secret = (name: string, more: object = {}) => ({ namespace: "platform", name, uid: name, written: "1", ...more });
const secrets = [secret("hub-encryption-key"), secret("forge-rails-secrets")];
const note: KitNote = { made: "2026-11-01T12:00:00.000Z", sha256: "00", recipients: ["age1a", "age1b"], secrets };
const now = new Date("2026-11-22T12:00:00Z");

it.each<[string, Partial<KitFacts>, string[]]>([
  [
    "that has all is fine",
    {},
    ["ok: The newest is of 2026-11-01, for 2 keys, with all 2 Secrets that must never change."],
  ],
  [
    "that there is not",
    { note: "absent" },
    [
      "warning: There is none. These Secrets must never change, and no kit has them: platform/hub-encryption-key, platform/forge-rails-secrets.",
    ],
  ],
  [
    "that lacks a Secret",
    { secrets: [...secrets, secret("hub-admin")] },
    [
      "warning: The newest is of 2026-11-01. These Secrets must never change, and were made or written after it: platform/hub-admin.",
    ],
  ],
  [
    "with a Secret that was written since",
    { secrets: [secret("hub-encryption-key", { written: "2" })] },
    [
      "warning: The newest is of 2026-11-01. These Secrets must never change, and were made or written after it: platform/hub-encryption-key.",
    ],
  ],
  [
    "with a Secret that was made anew",
    { secrets: [secret("hub-encryption-key", { uid: "other" })] },
    [
      "warning: The newest is of 2026-11-01. These Secrets must never change, and were made or written after it: platform/hub-encryption-key.",
    ],
  ],
  [
    "that is older than thirty days",
    { note: { ...note, made: "2026-10-22T12:00:00.000Z" } },
    ["warning: The newest is 31 days old, of 2026-10-22."],
  ],
  ["is not asked for in development", { isWanted: false, note: "absent" }, []],
  ["is not asked for before the first update", { secrets: [], note: "absent" }, []],
  [
    "that may not be read is unknown",
    { secrets: "unseen" },
    ["unknown: You may not read ConfigMap hearth-kit or the Secrets that must never change."],
  ],
])("a recovery kit %s", (_, facts, says) => {
  const found = kitFindings({ isWanted: true, note, secrets, ...facts }, now);
  expect(found.map(({ status, message }) => `${status}: ${message}`)).toEqual(says);
});

it("a note is read as it was written, and another ConfigMap is none", () => {
  expect(noteIn(noteObject("platform", note) as ConfigMap)).toEqual(note);
  expect(noteIn({ data: { made: "yesterday" } })).toBeUndefined();
  expect(noteIn({ data: { ...(noteObject("platform", note) as ConfigMap).data, secrets: "{" } })).toBeUndefined();
});

it("a Secret was written when one of its managers last wrote its data", () => {
  const fields = (time: string, fieldsV1: object) => ({ manager: "m", time, fieldsV1 });
  const managedFields = [
    fields("2026-11-01T00:00:00Z", { "f:data": { "f:a": {} } }),
    fields("2026-11-02T00:00:00Z", { "f:data": { "f:b": {} } }),
    fields("2026-11-03T00:00:00Z", { "f:metadata": {} }),
  ];
  const metadata = { name: "a", namespace: "b", uid: "c", creationTimestamp: "2026-10-01T00:00:00Z" };
  expect(notedSecret({ ...metadata, managedFields }).written).toBe("2026-11-02T00:00:00Z");
  expect(notedSecret(metadata).written).toBe("2026-10-01T00:00:00Z");
});
