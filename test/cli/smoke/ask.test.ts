import { mkdtempSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { askPlainly, greetingOf, httpsCaller, seeCertificate, type Ways } from "@hearth-platform/cli/smoke/ask";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { PublicPlatform } from "./platform.ts";

/** How hosts are reached: whom they trust, how long they are waited for, and how much of an answer is read. */

let platform: PublicPlatform;
let ways: Ways;
let other: CertificateAuthority;
const host = "forge.example.org";

beforeAll(async () => {
  platform = await PublicPlatform.start();
  ways = platform.means.ways;
  other = await CertificateAuthority.open(mkdtempSync(join(tmpdir(), "hearth-ask-")));
});
afterAll(() => platform.close());

describe("a host", () => {
  it("is trusted by the authority that is named", async () => {
    expect(await seeCertificate(host, ways)).toMatchObject({ refusal: undefined });
    expect(await seeCertificate(host, { ...ways, authority: other.certificate })).toMatchObject({
      refusal: expect.stringMatching(/./),
    });
  });

  it("is trusted, too, by those that this machine trusts anyway, whichever is named", async () => {
    const trusted = getCACertificates("default");
    onTestFinished(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([...trusted, ways.authority ?? ""]);
    for (const authority of [undefined, other.certificate])
      expect(await seeCertificate(host, { ...ways, authority })).toMatchObject({ refusal: undefined });
  });

  it("that was trusted is asked nothing once it has another certificate", async () => {
    const { send, close } = httpsCaller(host, { ...ways, authority: other.certificate }, true);
    onTestFinished(close);
    platform.asked.length = 0;
    expect(await send("GET", "/", {})).toEqual({ failure: expect.stringMatching(/certificate/) });
    expect(platform.asked).toEqual([]);
  });

  it("is judged by the first 256 KiB of an answer that is longer", async () => {
    platform.replies.set(`${host} /large`, { status: 200, body: "x".repeat(2 ** 20) });
    const { send, close } = httpsCaller(host, ways, true);
    onTestFinished(close);
    const answer = await send("GET", "/large", {});
    expect(answer).toMatchObject({ status: 200, body: expect.stringMatching(/^x+$/) });
    const { length } = "body" in answer ? answer.body : "";
    expect(length).toBeGreaterThan(2 ** 18);
    expect(length).toBeLessThan(2 ** 20);
    // What is left of it does not spoil the next answer.
    expect(await send("GET", "/-/liveness", {})).toMatchObject({ status: 200 });
  });
});

describe("a server that never says anything", () => {
  const sockets: Socket[] = [];
  let silent: Server;
  beforeAll(async () => {
    silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it("does not answer, and is not waited for without end", async () => {
    const port = (silent.address() as { port: number }).port;
    const limits: number[] = [];
    const { timeout } = AbortSignal;
    const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((limit) => {
      limits.push(limit);
      return timeout.call(AbortSignal, 100);
    });
    onTestFinished(() => spy.mockRestore());
    const here = { ...ways, https: port, http: port, ssh: port };
    const { send, close } = httpsCaller(host, here, true);
    onTestFinished(close);
    const found = await Promise.all([
      seeCertificate(host, here),
      send("GET", "/", {}),
      askPlainly(host, here),
      greetingOf(host, here),
    ]);
    expect(found).toEqual(Array(4).fill({ failure: "it does not answer" }));
    expect(limits).toEqual(Array(4).fill(15_000));
  });
});
