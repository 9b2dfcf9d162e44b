import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { declaresTooLarge, drainBody } from "@hearth-platform/site-webhook/body";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A call whose body comes as the test writes it. */
function incoming(headers: IncomingMessage["headers"] = { "transfer-encoding": "chunked" }) {
  const stream = new PassThrough();
  return Object.assign(stream, { headers }) as unknown as IncomingMessage & PassThrough;
}

/** Drains up to ten bytes; what was handed on of them. */
function drained(call: IncomingMessage) {
  const seen: string[] = [];
  const ends: (string | undefined)[] = [];
  void drainBody(call, (part) => seen.push(part.toString()), 10)?.then((end) => ends.push(end));
  return { seen, ends };
}

const turn = () => new Promise((done) => setImmediate(done));

test("a body has eight seconds to come, and what has come by then is over", async () => {
  const call = incoming();
  const { ends } = drained(call);
  call.write("x");
  await vi.advanceTimersByTimeAsync(7_999);
  expect(ends).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toEqual(["late"]);
});

test("a body of exactly the limit is complete, and one byte more is too large", async () => {
  for (const [size, end] of [
    [10, "complete"],
    [11, "too_large"],
  ] as const) {
    const call = incoming();
    const { ends } = drained(call);
    call.end("x".repeat(size));
    await turn();
    await turn();
    expect(ends).toEqual([end]);
  }
});

test("every part of a body of exactly the limit is handed on, also the last", async () => {
  const call = incoming();
  const { seen } = drained(call);
  for (const part of ["12345", "67890"]) {
    call.write(part);
    await turn();
  }
  expect(seen).toEqual(["12345", "67890"]);
});

test("parts beyond the limit are handed to nobody, and a body that is late beyond it is too large", async () => {
  const call = incoming();
  const { seen, ends } = drained(call);
  for (const part of ["12345", "67890", "x", "y"]) {
    call.write(part);
    await turn();
  }
  await vi.advanceTimersByTimeAsync(8_000);
  expect(seen).toEqual(["12345", "67890"]);
  expect(ends).toEqual(["too_large"]);
});

test("a caller that goes away leaves a broken body", async () => {
  const call = incoming();
  const { ends } = drained(call);
  call.destroy();
  await turn();
  await turn();
  expect(ends).toEqual(["broken"]);
});

test("a call without a body has nothing to wait for, and one that says its size is judged by it", () => {
  expect(drainBody(incoming({}))).toBeUndefined();
  expect(drainBody(incoming({ "content-length": "0" }))).toBeUndefined();
  expect(declaresTooLarge(incoming({ "content-length": "10" }), 10)).toBe(false);
  expect(declaresTooLarge(incoming({ "content-length": "11" }), 10)).toBe(true);
});
