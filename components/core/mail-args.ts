// Written by `npm run generate` from mail-schema.ts: change that.
import type { SecretKey } from "./secret-key-args.ts";

/** How the connection to a mail server is encrypted. */
export const MailSecurity = {
  startTls: "starttls",
  tls: "tls",
  none: "none",
} as const;
export type MailSecurity = (typeof MailSecurity)[keyof typeof MailSecurity];

/** The server that takes mail, and the sender. */
export interface MailArgs {
  /** Host of the mail server, e.g. `smtp.example.org`. */
  host: string;
  /** TCP port. From 1 to 65535. @default 587 */
  port?: number;
  /** Encryption. @default starttls */
  security?: MailSecurity;
  /** Sender of the mail, e.g. `forge@example.org`. */
  from: string;
  /** Name of the sender. Suites write their own. @default the program's */
  displayName?: string;
  /** Address for answers to the forge's mail, e.g. `support@example.org`. @default the sender's */
  replyTo?: string;
  /** User that signs in; needs `password`. @default none: no sign-in */
  user?: string;
  /** Secret key of the user's password, in the namespace of each component that sends mail. @default none */
  password?: SecretKey;
}
