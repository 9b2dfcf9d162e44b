import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { SMTPServer } from "smtp-server";

/** A mail as the server took it. */
export interface Taken {
  readonly from: string;
  readonly to: string[];
  readonly user: string | undefined;
  readonly encrypted: boolean;
  readonly text: string;
}

/** Real mail servers on `localhost`, with TLS of a private authority and a login, and one that asks for nothing. */
export class MailServers {
  readonly password = "p@ss %w0rd'\\";
  readonly taken: Taken[] = [];
  /** File with the authority's certificate. */
  readonly authority: string;
  readonly #servers: SMTPServer[] = [];
  #ports = { starttls: 0, tls: 0, open: 0 };

  private constructor(folder: string) {
    this.authority = join(folder, "ca.crt");
  }

  static async start(folder: string): Promise<MailServers> {
    const servers = new MailServers(folder);
    const ca = await CertificateAuthority.open(join(folder, "authority"));
    const { certificate: cert, privateKey: key } = await ca.issue({
      commonName: "localhost",
      dnsNames: ["localhost"],
      ipAddresses: [],
      lifetime: 86_400_000,
      key: { algorithm: "ECDSA", curve: "P-256" },
    });
    writeFileSync(servers.authority, ca.certificate);
    servers.#ports = {
      starttls: await servers.#serve({ cert, key }),
      tls: await servers.#serve({ cert, key, secure: true }),
      open: await servers.#serve({ authOptional: true, hideSTARTTLS: true, disabledCommands: ["AUTH"] }),
    };
    return servers;
  }

  get ports(): Readonly<Record<"starttls" | "tls" | "open", number>> {
    return this.#ports;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => new Promise<void>((resolve) => server.close(resolve))));
  }

  /** A server that takes mail from its user alone, or, where it is open, from everybody. */
  async #serve(options: ConstructorParameters<typeof SMTPServer>[0]): Promise<number> {
    const server = new SMTPServer({
      ...options,
      onAuth: ({ username, password: given }, _, answer) =>
        given === this.password ? answer(null, { user: username ?? "" }) : answer(new Error("Wrong password")),
      onData: (stream, session, answer) => {
        let text = "";
        stream.setEncoding("utf8");
        stream.on("data", (part: string) => {
          text += part;
        });
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.taken.push({
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map(({ address }) => address),
            user: session.user as string | undefined,
            encrypted: session.secure,
            text,
          });
          answer();
        });
      },
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.server.address() as AddressInfo).port;
  }
}
