import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { lookAtObjectStores } from "@hearth-platform/cli/doctor/look-object-storage";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkFiles, smallStack } from "../../support/stack-files.ts";

/** What the store answers to who asks for a bucket's lifecycle. */
const lifecycleAnswers: Record<string, [number, string]> = {
  "no-rules": [404, "NoSuchLifecycleConfiguration"],
  "not-allowed": [405, "MethodNotAllowed"],
  "no-such-request": [501, "InternalError"],
  "not-implemented": [400, "NotImplemented"],
};

/** An object store as far as the doctor asks it; test/e2e/doctor.test.ts asks a real one. */
const asked: string[] = [];
const server = createServer(({ method, url = "" }, response) => {
  asked.push(`${method} ${url}`);
  const { pathname, searchParams } = new URL(url, "http://store");
  const bucket = pathname.replaceAll("/", "");
  if (method === "HEAD") return void response.writeHead({ gone: 404, foreign: 403, broken: 400 }[bucket] ?? 200).end();
  if (searchParams.has("lifecycle")) {
    const [status, code] = lifecycleAnswers[bucket] ?? [501, "NotImplemented"];
    return void response.writeHead(status).end(`<Error><Code>${code}</Code><Message>Not here.</Message></Error>`);
  }
  response.end('<?xml version="1.0"?><Result/>');
});
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  environment = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: "KEY",
    AWS_SECRET_ACCESS_KEY: "SECRET",
  };
});
afterAll(() => server.close());

/** What is said of the buckets of the stack's store. */
async function look(...buckets: string[]) {
  const { stack } = checkFiles(smallStack());
  if (!stack) throw new Error("The stack has problems.");
  const store = new Map([["fsn1.your-objectstorage.com", buckets]]);
  const [found] = await lookAtObjectStores(stack, store, environment);
  return found;
}

it("a bucket is absent, another's, or there with what its store knows; nothing is written", async () => {
  expect(await look("gone", "foreign", "own")).toMatchObject({
    isElsewhere: true,
    buckets: [
      { name: "gone", state: "absent" },
      { name: "foreign", state: "denied" },
      { name: "own", state: "there", versioning: true, lifecycle: false, multipart: true },
    ],
  });
  expect(asked.filter((request) => !/^(GET|HEAD) /.test(request))).toEqual([]);
});

it.each([
  ["no-rules", true],
  ["not-allowed", false],
  ["no-such-request", false],
  ["not-implemented", false],
])(
  "of a bucket whose lifecycle is answered with %s it is said that its store knows lifecycles: %s",
  async (bucket, lifecycle) => {
    expect(await look(bucket)).toMatchObject({ buckets: [{ name: bucket, lifecycle }] });
  },
);

it("a store that answers otherwise is there, and says what it said", async () => {
  expect(await look("broken")).toMatchObject({ isAway: false, failure: expect.stringMatching(/./), buckets: [] });
});
