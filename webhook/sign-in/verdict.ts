/** Why a token of the forge opens nothing: the label of metrics and the word in logs. */
export const denials = [
  ...(["unknown", "expired", "revoked", "blocked", "kind", "scope", "owner", "bot"] as const),
  ...(["not_signed_on", "session_ended"] as const),
] as const;
export type Denial = (typeof denials)[number];

/** Who does not answer as they should. */
export const missing = ["forge", "core", "administrator", "reading_users"] as const;
export type Missing = (typeof missing)[number];

/** What becomes of a sign-in with a token of the forge. */
export type Verdict =
  /** Core's own answer. */
  | { readonly outcome: "issued"; readonly body: Buffer }
  | { readonly outcome: "denied"; readonly reason: Denial }
  | { readonly outcome: "unavailable"; readonly reason: Missing }
  /** Too many at once. */
  | { readonly outcome: "shed" };

export function denied(reason: Denial): Verdict {
  return { outcome: "denied", reason };
}

export function unavailable(reason: Missing): Verdict {
  return { outcome: "unavailable", reason };
}

/** What a person is told, who reads it in a terminal. */
export function sentence(reason: Denial, hub: string, needed: string): string {
  switch (reason) {
    case "unknown":
      return "The forge does not know this access token.";
    case "expired":
      return "This access token of the forge has expired. Make a new one there.";
    case "revoked":
      return "This access token of the forge was revoked. Make a new one there.";
    case "blocked":
      return "The forge refuses the owner of this access token: the account is blocked, or has something to accept there first.";
    case "kind":
      return "The hub takes personal access tokens of the forge, and this is another kind.";
    case "scope":
      return `This access token of the forge needs the scope ${needed}.`;
    case "owner":
      return "This access token of the forge belongs to another user name.";
    case "bot":
      return "The tokens of a project or a group have no user at the hub. Take a robot of the hub.";
    case "not_signed_on":
      return `The hub does not know you yet: sign in once at ${hub}, then try again.`;
    case "session_ended":
      return `The hub's session with the forge has ended: sign in once at ${hub}, then try again.`;
  }
}
