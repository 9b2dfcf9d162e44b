import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { runInPod } from "@hearth-platform/stack/live/cluster/run-in-pod";
import { afterEach, beforeEach, expect, test } from "vitest";

/** A command in a pod, against a server that speaks Kubernetes' protocol for it and runs the command here. */

let server: Server;
let kubeconfig: string;
const asked: string[] = [];
const sockets: Duplex[] = [];

/** What becomes of a connection: frames of the protocol, by their channel. */
let answer: (command: string[], send: (channel: number, text: string) => void, socket: Duplex) => void;

/** Output and end of the command, as a kubelet sends them. */
const runs: typeof answer = (command, send, socket) => {
  const [program = "", ...rest] = command;
  const { status, stdout, stderr } = spawnSync(program, rest, { encoding: "utf8" });
  if (stdout) send(1, stdout);
  if (stderr) send(2, stderr);
  const causes = [{ reason: "ExitCode", message: String(status) }];
  send(
    3,
    JSON.stringify(
      status === 0 ? { status: "Success" } : { status: "Failure", reason: "NonZeroExitCode", details: { causes } },
    ),
  );
  socket.end(Buffer.from([0x88, 2, 0x03, 0xe8]));
};

function open({ url = "", headers }: IncomingMessage, socket: Duplex): void {
  sockets.push(socket);
  asked.push(`${headers.authorization} ${url.split("?")[0]}`);
  const key = createHash("sha1").update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  socket.write(
    [
      "HTTP/1.1 101 Switching Protocols",
      ...["Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${key.digest("base64")}`],
      ...["Sec-WebSocket-Protocol: v4.channel.k8s.io", "", ""],
    ].join("\r\n"),
  );
  const send = (channel: number, text: string) => {
    const content = Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
    const head = Buffer.from([0x82, 126, content.length >> 8, content.length & 0xff]);
    socket.write(Buffer.concat([content.length < 126 ? Buffer.from([0x82, content.length]) : head, content]));
  };
  answer(new URL(url, "http://server").searchParams.getAll("command"), send, socket);
}

beforeEach(async () => {
  asked.length = 0;
  const folder = mkdtempSync(join(tmpdir(), "hearth-exec-"));
  const authority = await CertificateAuthority.open(folder);
  const { certificate: cert, privateKey } = await authority.issue({
    dnsNames: [],
    ipAddresses: ["127.0.0.1"],
    lifetime: 3_600_000,
    key: { algorithm: "ECDSA", curve: "P-256" },
  });
  server = createServer({ cert, key: privateKey });
  server.on("upgrade", (request, socket) => {
    if (answer === refuses) refuse(socket);
    else if (answer === silent) sockets.push(socket);
    else open(request, socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  kubeconfig = join(folder, "kubeconfig");
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [
        {
          name: "c",
          cluster: {
            server: `https://127.0.0.1:${port}`,
            "certificate-authority-data": Buffer.from(authority.certificate).toString("base64"),
          },
        },
      ],
      users: [{ name: "u", user: { token: "t0ken" } }],
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      "current-context": "c",
    }),
  );
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const refuses: typeof answer = () => undefined;
const silent: typeof answer = () => undefined;
function refuse(socket: Duplex): void {
  socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
}

const place = { namespace: "team", pod: "cloudsuite-0", container: "cloudsuite" };
const run = (command: string[], limit = 20_000) => runInPod({ kubeconfig }, place, command, limit);

test("gives what the command says, each on its own way, and its exit status", async () => {
  answer = runs;
  const text = "x".repeat(1000);
  expect(await run(["sh", "-c", `echo ${text}; echo 'a & b' >&2; exit 7`])).toEqual({
    status: 7,
    stdout: `${text}\n`,
    stderr: "a & b\n",
  });
  expect(await run(["sh", "-c", 'echo "$1"', "sh", "it's me"])).toMatchObject({ status: 0, stdout: "it's me\n" });
  expect(asked[0]).toBe("Bearer t0ken /api/v1/namespaces/team/pods/cloudsuite-0/exec");
});

test.each<[string, typeof answer, number, string]>([
  ["it may not be run", refuses, 20_000, "the API server refuses it (403)"],
  ["the API server does not answer", silent, 500, "the API server does not answer"],
  [
    "what comes is not of the protocol",
    (_, _send, socket) => socket.write(Buffer.from([0xf2, 0])),
    20_000,
    "Invalid WebSocket frame",
  ],
  [
    "its end says neither success nor a status",
    (_, send, socket) => {
      send(3, JSON.stringify({ metadata: {} }));
      socket.end(Buffer.from([0x88, 0]));
    },
    20_000,
    "the API server does not say how it ended",
  ],
  ["it does not end", () => undefined, 500, "it has not ended after 0.5 s"],
  [
    "the connection breaks",
    (_, send, socket) => {
      send(1, "half");
      socket.destroy();
    },
    20_000,
    "the connection broke before it ended",
  ],
  [
    "there is no such program",
    (_, send, socket) => {
      send(3, JSON.stringify({ status: "Failure", message: "exec: php: not found" }));
      socket.end(Buffer.from([0x88, 0]));
    },
    20_000,
    "exec: php: not found",
  ],
])("fails with the reason where %s", async (_, becomes, limit, reason) => {
  answer = becomes;
  await expect(run(["php"], limit)).rejects.toThrow(reason);
});
