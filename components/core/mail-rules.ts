import type { MailArgs } from "./mail-args.ts";
import { error, type Problem, warning } from "./problems.ts";

/** An address of mail, without a name around it. */
export function mailAddress(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[^@\s<>"\\]+@[^@\s<>"'`\\]+$/.test(value)) return [];
  return [error("mail-address", path, "The value is not an address.", "Write it like team@example.org.")];
}

/** A user and a password come together, and not in the clear. */
export function mailRule(path: string, mail: MailArgs | undefined): Problem[] {
  const { user, password, security } = mail ?? {};
  const half = (has: string, lacks: string, remedy: string) =>
    error("mail-half", `${path}.${lacks}`, `Mail has ${has} but no ${lacks}.`, remedy);
  return [
    ...(user !== undefined && password === undefined
      ? [half("a user", "password", "Name the Secret that holds it, or leave the user out.")]
      : []),
    ...(password !== undefined && user === undefined
      ? [half("a password", "user", "Name the user it belongs to, or leave the password out.")]
      : []),
    ...(security === "none" && user !== undefined
      ? [
          warning(
            "mail-plain",
            `${path}.security`,
            "The password would pass the network readable by all.",
            "Write starttls or tls.",
          ),
        ]
      : []),
  ];
}
