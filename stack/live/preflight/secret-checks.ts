import { dataName } from "@hearth-platform/hearth/core/plan";
import { createCommand } from "@hearth-platform/hearth/core/secrets";
import { placeOf, type QuickFacts } from "./facts.ts";
import { type Finding, findings } from "./finding.ts";
import type { AwaitedNeed, SecretNeed } from "./needs.ts";
import { type Held, missingKeys } from "./references.ts";

/** Whether a Secret or ConfigMap is there that somebody else makes, with the keys that are read of it. */
export function awaitedFinding(need: AwaitedNeed, { objects }: QuickFacts): Finding {
  const { ok, unknown, warning, missing } = findings("awaited");
  const { kind, namespace, name, keys } = need;
  const subject = `${kind} ${dataName(name, namespace)}`;
  const listed = `${keys.length === 1 ? "key" : "keys"} ${keys.join(", ")}`;
  const found = objects.get(placeOf(need)) ?? "unseen";
  if (found === "unseen") return unknown(subject, "You may not read it.");
  if (found === "absent") {
    const message = `It does not exist, and the stack does not create it. Pods wait for it${keys.length > 0 ? ` (${listed})` : ""}.`;
    const command = `\`${createCommand({ namespace, kind, name, keys })}\``;
    // Nobody can make it before its namespace, which the update makes.
    if (objects.get(placeOf({ kind: "Namespace", name: namespace })) === "absent")
      return warning(subject, message, `Create it as soon as the namespace exists: ${command}.`);
    return missing(subject, message, `Create it: ${command}.`);
  }
  const lacking = missingKeys(found as Held, keys);
  if (lacking.length > 0)
    return missing(
      subject,
      `It has no ${lacking.length === 1 ? "key" : "keys"} ${lacking.join(", ")}, so pods can't start.`,
      "Add what is missing, with kubectl edit or where the object is made.",
    );
  return ok(subject, keys.length > 0 ? `It exists and has ${listed}.` : "It exists.");
}

/**
 * Secrets of the stack that somebody has deleted. An update does not see it: the state still has them.
 * @param known names as in `madeNames`, among them the Secrets that were made
 */
export function goneSecrets(
  needs: readonly SecretNeed[],
  { objects, secrets }: QuickFacts,
  known: ReadonlySet<string> = new Set(),
): Finding[] {
  const { warning } = findings("gone-secrets");
  return needs.flatMap(({ namespace, name }) => {
    const found = secrets?.get(namespace) ?? "unseen";
    const own = `Secret ${dataName(name, namespace)}`;
    if (found === "unseen" || found.has(name) || !known.has(own)) return [];
    // With its namespace everything is gone, which other checks tell.
    if (objects.get(placeOf({ kind: "Namespace", name: namespace })) === "absent") return [];
    return [
      warning(
        own,
        "It is gone from the cluster, and the stack made it.",
        "`pulumi up --refresh` makes it again, with the same value.",
      ),
    ];
  });
}
