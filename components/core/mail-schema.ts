import { mailAddress, mailRule } from "./mail-rules.ts";
import { as, block, choice, defaultsTo, optional, port, text } from "./schema.ts";
import { secretKey } from "./secret-key-schema.ts";
import { serverName } from "./server-rules.ts";

export const mailSecurity = choice(
  "MailSecurity",
  { startTls: "starttls", tls: "tls", none: "none" },
  "How the connection to a mail server is encrypted.",
);

export const mail = block(
  "MailArgs",
  "The server that takes mail, and the sender.",
  {
    host: text("Host of the mail server, e.g. `smtp.example.org`.", { rule: serverName }),
    port: defaultsTo(port("TCP port."), 587),
    security: defaultsTo(as(mailSecurity, "Encryption."), "starttls"),
    from: text("Sender of the mail, e.g. `forge@example.org`.", { rule: mailAddress }),
    displayName: optional(text("Name of the sender. Suites write their own."), "the program's"),
    replyTo: optional(
      text("Address for answers to the forge's mail, e.g. `support@example.org`.", { rule: mailAddress }),
      "the sender's",
    ),
    user: optional(text("User that signs in; needs `password`."), "none: no sign-in"),
    password: optional(
      as(secretKey, "Secret key of the user's password, in the namespace of each component that sends mail."),
      "none",
    ),
  },
  mailRule,
);
