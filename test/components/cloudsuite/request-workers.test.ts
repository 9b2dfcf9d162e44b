import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requestWorkers } from "@hearth-platform/hearth/cloudsuite/request-workers";
import { scripts } from "@hearth-platform/hearth/cloudsuite/scripts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../support/free-ports.ts";
import { systemProgram } from "../../support/system-programs.ts";

test.each([
  ["512Mi", 5],
  ["1Gi", 10],
  ["2Gi", 24],
  ["4Gi", 53],
  ["16Gi", 150],
])("a web pod of %s serves %d requests at once", (memory, workers) => {
  expect(requestWorkers(memory)).toBe(workers);
});

test("all requests of a pod at once fit into its memory, each with the 72 MB it was seen to take", () => {
  for (let memory = 1024; memory <= 8192; memory += 64) {
    const workers = requestWorkers(`${memory}Mi`);
    expect(workers * 72 + 256, `${memory}Mi`).toBeLessThanOrEqual(memory);
  }
});

const modules = "/usr/lib/apache2/modules";
const ended: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(ended.map((end) => end())));

/** The image's Apache: prefork, 150 processes, and then our file. Its one "page" is never ended by the client. */
async function apache(workers: number): Promise<{ port: number; pid: number }> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-apache-"));
  const port = await freePort();
  mkdirSync(join(folder, "pages"));
  writeFileSync(join(folder, "pages/index.txt"), "hello");
  writeFileSync(join(folder, "hearth.conf"), scripts["apache.conf"]);
  writeFileSync(
    join(folder, "apache2.conf"),
    `ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
DefaultRuntimeDir ${folder}
DocumentRoot ${folder}/pages
Timeout 60
LoadModule mpm_prefork_module ${modules}/mod_mpm_prefork.so
LoadModule authz_core_module ${modules}/mod_authz_core.so
<IfModule mpm_prefork_module>
  StartServers 5
  MinSpareServers 5
  MaxSpareServers 10
  MaxRequestWorkers 150
</IfModule>
KeepAlive On
Include ${folder}/hearth.conf
`,
  );
  const child = spawn(systemProgram("apache2"), ["-D", "FOREGROUND", "-f", join(folder, "apache2.conf")], {
    env: { ...process.env, REQUEST_WORKERS: String(workers) },
    stdio: "ignore",
    // At its end it tells its whole process group.
    detached: true,
  });
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  ended.push(async () => {
    child.kill("SIGTERM");
    await exit;
  });
  await expect.poll(() => answer(port), { timeout: 20_000 }).toContain("hello");
  return { port, pid: child.pid ?? 0 };
}

function open(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

const request = "GET /index.txt HTTP/1.1\r\nHost: localhost\r\n";

/** All that the server says before it closes the connection. */
function answer(port: number): Promise<string> {
  return said(open(port).end(`${request}\r\n`));
}

function said(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.on("close", () => resolve(text));
  });
}

/** Processes that Apache runs to serve requests. */
function workersOf(pid: number): number {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").length;
}

test("Apache runs no more processes than it is told, and a request beyond them waits for its turn", async () => {
  const { port, pid } = await apache(3);
  // Each holds a process, since its headers don't end.
  const slow = Array.from({ length: 3 }, () => open(port));
  for (const socket of slow) socket.write(request);
  const next = answer(port);
  await expect.poll(() => slow.every((socket) => socket.readyState === "open")).toBe(true);
  expect(workersOf(pid)).toBe(3);
  const [first] = slow as [Socket];
  const firstAnswer = said(first);
  first.write("\r\n");
  expect(await firstAnswer).toContain("Connection: close");
  expect(await next).toContain("hello");
  expect(workersOf(pid)).toBe(3);
});
