import { request } from "node:http";
import { statusCommand } from "@hearth-platform/cli/status/command";
import { servePage } from "@hearth-platform/cli/status/page/serve";
import { expect, it, onTestFinished } from "vitest";
import { call } from "../../../support/caller.ts";

/** The page's server and its options; what it shows has tests of its own. */

const root = `${import.meta.dirname}/../../../..`;

/** The page at a port of its own until the test ends. @returns its address, and what stops it */
async function served(port = 0) {
  const stop = Promise.withResolvers<void>();
  const printed = Promise.withResolvers<string>();
  const caller = { folder: root, project: root, terminal: false, columns: 100, error: () => {} };
  const ended = servePage({ stack: "dev", sandbox: false, port }, { ...caller, output: printed.resolve }, stop.promise);
  onTestFinished(async () => {
    stop.resolve();
    await ended;
  });
  const text = await Promise.race([printed.promise, ended.then(() => "")]);
  return { text, url: /http:\S+/.exec(text)?.[0] ?? "", stop: stop.resolve, ended };
}

/** Status and text of an answer. @param host as the browser calls the server */
function get(url: string, host?: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = host === undefined ? {} : { host };
  request(url, { headers, agent: false }, (answer) => {
    let text = "";
    answer.setEncoding("utf8").on("data", (more) => {
      text += more;
    });
    answer.on("end", () => resolve(`${answer.statusCode} ${text}`));
  })
    .on("error", reject)
    .end();
  return promise;
}

it("it answers on 127.0.0.1 to its own names, and ends when it is told to", async () => {
  const { text, url, stop, ended } = await served();
  expect(text).toMatch(/^The page of stack dev: http:\/\/127\.0\.0\.1:\d+\/ \(until Ctrl-C\)\n$/);
  const { port } = new URL(url);
  expect(await get(`${url}healthz`)).toBe("200 ok");
  expect(await get(`${url}healthz`, `localhost:${port}`)).toBe("200 ok");
  expect(await get(`${url}healthz`, `evil.example.org:${port}`)).toBe("421 This host is not served.");
  stop();
  expect(await ended).toBe(0);
  await expect(get(`${url}healthz`)).rejects.toThrow("ECONNREFUSED");
});

it("a port that is taken is told", async () => {
  const { url } = await served();
  const port = Number(new URL(url).port);
  const caller = { folder: root, project: root, terminal: false, columns: 100, error: () => {}, output: () => {} };
  await expect(servePage({ stack: "dev", sandbox: false, port }, caller)).rejects.toThrow(
    `The page can't be served at port ${port} of 127.0.0.1: `,
  );
});

it.each([
  [["--page", "--json"], "option '--page' cannot be used with option '--json'"],
  [["--page", "--watch"], "option '--page' cannot be used with option '--watch'"],
  [["--port", "8000"], "Option '--port' is that of the page: name --page."],
  [["--page", "--port", "0"], "It takes a port, 1 to 65535."],
  [["--page", "--port", "http"], "It takes a whole number."],
])("the options %j make no sense", async (options, message) => {
  const { status, stderr } = await call(statusCommand, root, ["--stack", "dev", ...options]);
  expect([status, stderr]).toEqual([2, expect.stringMatching(new RegExp(message, "i"))]);
});

it("a stack without a file is told, with those that have one", async () => {
  const { status, stderr } = await call(statusCommand, root, ["--stack", "prdo", "--page"]);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining("There is no Pulumi.prdo.yaml. The stacks here: dev, prod"),
  ]);
});
