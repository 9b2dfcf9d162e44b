import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { type Fault, misbehave, status } from "./api-faults.ts";

interface StoredSite {
  annotations: Record<string, string>;
  resourceVersion: number;
  /** Each change of an annotation, with the wall clock in milliseconds when it was made. */
  readonly changes: { readonly value: string; readonly at: number }[];
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

const sitePath = /^\/apis\/pages\.kup6s\.com\/v1beta1\/namespaces\/([^/]+)\/staticsites\/([^/]+)$/;

/** A Kubernetes API server for one resource, over TLS: merge patch, dry run, tokens, no-op writes; and any fault. */
export class FakeApiServer {
  /** A ServiceAccount's mounted files: `token`, `ca.crt`. */
  readonly serviceAccountFolder: string;
  readonly sites = new Map<string, StoredSite>();
  readonly requests: SeenRequest[] = [];
  readonly tokens = new Set(["first-token"]);
  /** Chooses the fault of each request; none by default. */
  faultOf: (request: IncomingMessage) => Fault | undefined = () => undefined;
  /** Added to each answer, in milliseconds. */
  latency = 0;
  /** Each answer waits for it. */
  held: Promise<void> | undefined;
  /** Connections open now, and the most there were. */
  connections = 0;
  mostConnections = 0;
  /** TLS connections ever made. */
  handshakes = 0;
  #server: Server;
  #port = 0;
  #sockets = new Set<Socket>();

  private constructor(folder: string, server: Server) {
    this.serviceAccountFolder = folder;
    this.#server = server;
  }

  static async start(): Promise<FakeApiServer> {
    const folder = await mkdtemp(join(tmpdir(), "site-webhook-"));
    const fake = new FakeApiServer(folder, createServer(await FakeApiServer.#identity(folder)));
    await writeFile(join(folder, "token"), "first-token");
    fake.#attach();
    await fake.listen();
    return fake;
  }

  static async #identity(folder: string): Promise<{ cert: string; key: string }> {
    const authority = await CertificateAuthority.open(await mkdtemp(join(folder, "ca-")));
    const { certificate, privateKey } = await authority.issue({
      dnsNames: ["kubernetes.default.svc"],
      ipAddresses: ["127.0.0.1"],
      lifetime: 3_600_000,
      key: { algorithm: "ECDSA", curve: "P-256" },
    });
    await writeFile(join(folder, "ca.crt"), authority.certificate);
    return { cert: certificate, key: privateKey };
  }

  get port(): number {
    return this.#port;
  }

  addSite(namespace: string, name: string): StoredSite {
    const site: StoredSite = { annotations: {}, resourceVersion: 1, changes: [] };
    this.sites.set(`${namespace}/${name}`, site);
    return site;
  }

  /** Takes requests again after `kill`, on the same port. */
  async listen(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Ends at once, with all its connections. */
  async kill(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Ends for good; its folder goes with it. */
  async remove(): Promise<void> {
    await this.kill();
    await rm(this.serviceAccountFolder, { recursive: true });
  }

  /** Comes back with a certificate of a new authority, whose certificate is put where the service reads it. */
  async changeAuthority(): Promise<void> {
    await this.kill();
    this.#server = createServer(await FakeApiServer.#identity(this.serviceAccountFolder));
    this.#attach();
    await this.listen();
  }

  /** Closes the kept connections, as a load balancer does. */
  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async changeToken(token: string): Promise<void> {
    await writeFile(join(this.serviceAccountFolder, "token"), token);
    this.tokens.clear();
    this.tokens.add(token);
  }

  #attach(): void {
    this.#server.keepAliveTimeout = 60_000;
    this.#server.on("secureConnection", () => {
      this.handshakes += 1;
    });
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      this.connections += 1;
      this.mostConnections = Math.max(this.mostConnections, this.connections);
      socket.on("error", () => {});
      socket.on("close", () => {
        this.#sockets.delete(socket);
        this.connections -= 1;
      });
    });
    this.#server.on("request", (request: IncomingMessage, response: ServerResponse) =>
      this.#receive(request, response),
    );
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("error", () => {});
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      this.requests.push({ method: request.method ?? "", url: request.url ?? "", body, headers: request.headers });
      if (this.held) void this.held.then(() => this.#answer(request, response, body));
      else if (this.latency > 0) setTimeout(() => this.#answer(request, response, body), this.latency);
      else this.#answer(request, response, body);
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const fault = this.faultOf(request);
    const { socket } = request;
    if (!this.tokens.has((request.headers.authorization ?? "").replace("Bearer ", ""))) {
      status(response, 401, "Unauthorized");
      return;
    }
    if (misbehave(fault, response)) return;
    if (fault === "close after") response.setHeader("connection", "close");
    const answer = this.#patch(request, response, body, fault === "annotation dropped");
    if (fault === "reset after writing") socket.destroy();
    else if (answer) response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }

  #patch(
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
    dropAnnotation: boolean,
  ): object | undefined {
    const url = new URL(request.url ?? "", "https://api");
    const path = sitePath.exec(url.pathname);
    if (!path) return void status(response, 404, "NotFound", {});
    if (request.method !== "PATCH") return void status(response, 403, "Forbidden");
    if (request.headers["content-type"] !== "application/merge-patch+json") {
      return void status(response, 415, "UnsupportedMediaType");
    }
    const [, namespace = "", name = ""] = path;
    const stored = this.sites.get(`${namespace}/${name}`);
    if (!stored) return void status(response, 404, "NotFound", { name, group: "pages.kup6s.com", kind: "staticsites" });
    const patch = JSON.parse(body) as { metadata: { annotations: Record<string, unknown> } };
    const values = Object.entries(patch.metadata.annotations);
    if (values.some(([, value]) => typeof value !== "string")) return void status(response, 400, "BadRequest");
    const annotations = dropAnnotation
      ? {}
      : { ...stored.annotations, ...(Object.fromEntries(values) as Record<string, string>) };
    const changed = Object.entries(annotations).filter(([key, value]) => stored.annotations[key] !== value);
    const dryRun = url.searchParams.get("dryRun") === "All";
    if (changed.length > 0 && !dryRun) {
      stored.annotations = annotations;
      stored.resourceVersion += 1;
      for (const [, value] of changed) stored.changes.push({ value, at: Date.now() });
    }
    const metadata = { name, namespace, resourceVersion: String(stored.resourceVersion), annotations };
    return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };
  }
}
