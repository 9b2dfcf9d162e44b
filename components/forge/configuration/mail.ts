import { MailSecurity } from "../../core/mail-args.ts";
import { type ForgeConfiguration, type RailsProgram, secretPath } from "../configuration.ts";
import type { ResolvedForge } from "../defaults.ts";
import { readFile, rubyString, type YamlMap } from "./erb.ts";

type Smtp = NonNullable<ResolvedForge["administration"]["smtp"]>;

/** The mail section of gitlab.yml; without a server no mail is sent. */
export function mailSettings({ administration: { smtp } }: ForgeConfiguration): YamlMap {
  if (!smtp) return { email_enabled: false };
  return {
    email_enabled: true,
    email_from: smtp.from,
    email_display_name: smtp.displayName,
    email_reply_to: smtp.replyTo,
  };
}

/** Seconds for the connection and for an answer: the program's 5 are too few for a mail server that checks the sender first. */
const timeouts = { open_timeout: "30", read_timeout: "60" };

/**
 * `smtp_settings.rb`, mounted at /srv/gitlab/config/initializers: how Rails reaches the mail server.
 * (gitlab-org/charts charts/gitlab/templates/_smtp.tpl)
 */
export function smtpSettings(program: RailsProgram, smtp: Smtp, domain: string): string {
  const { security } = smtp;
  const settings: Record<string, string> = {
    address: rubyString(smtp.host),
    port: String(smtp.port),
    domain: rubyString(domain),
    ...(smtp.user &&
      smtp.password && {
        authentication: ":login",
        user_name: rubyString(smtp.user),
        password: readFile(secretPath(program, "smtpPassword")),
      }),
    enable_starttls_auto: String(security === MailSecurity.startTls),
    tls: String(security === MailSecurity.tls),
    openssl_verify_mode: "'peer'",
    ca_file: "'/etc/ssl/certs/ca-certificates.crt'",
    ...timeouts,
  };
  const lines = Object.entries(settings).map(([key, value]) => `  ${key}: ${value},\n`);
  return `Rails.application.config.action_mailer.delivery_method = :smtp
ActionMailer::Base.delivery_method = :smtp
ActionMailer::Base.smtp_settings = {
${lines.join("")}}
`;
}
