import { Serial } from "@hearth-platform/site-webhook/sign-in/serial";
import { expect, test } from "vitest";

/** Tasks of one key take turns; a task ends when the test says so. */
function taskOf(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const run = async () => {
    log.push(name);
    return promise;
  };
  return { run, end: () => resolve(name), fail: () => reject(new Error(name)) };
}
const turn = () => new Promise((done) => setImmediate(done));

test("tasks of one key run one after the other, and those of another do not wait for them", async () => {
  const log: string[] = [];
  const serial = new Serial(10);
  const [first, second, other] = [taskOf(log, "first"), taskOf(log, "second"), taskOf(log, "other")];
  const done = [serial.run(1, first.run), serial.run(1, second.run)];
  void serial.run(2, other.run);
  await turn();
  expect(log).toEqual(["first", "other"]);
  first.end();
  await turn();
  expect(log).toEqual(["first", "other", "second"]);
  second.end();
  expect(await Promise.all(done)).toEqual(["first", "second"]);
  expect(serial.keys).toBe(1);
  other.end();
  await turn();
  expect(serial.keys).toBe(0);
});

test("a task that fails fails alone: the next runs", async () => {
  const log: string[] = [];
  const serial = new Serial(10);
  const [bad, good] = [taskOf(log, "bad"), taskOf(log, "good")];
  const failed = expect(serial.run(1, bad.run)).rejects.toThrow("bad");
  const done = serial.run(1, good.run);
  bad.fail();
  good.end();
  await failed;
  expect(await done).toBe("good");
  expect([log, serial.keys]).toEqual([["bad", "good"], 0]);
});

test("of a key exactly so many wait beside the one that runs; one more is refused at once, and later one may come again", async () => {
  const log: string[] = [];
  const serial = new Serial(2);
  const tasks = ["runs", "waits", "waits too"].map((name) => taskOf(log, name));
  const done = tasks.map(({ run }) => serial.run(1, run));
  const more = taskOf(log, "more");
  expect(await serial.run(1, more.run)).toBeUndefined();
  tasks[0]?.end();
  await turn();
  const again = serial.run(1, more.run);
  for (const { end } of [...tasks, more]) end();
  expect(await Promise.all([...done, again])).toEqual(["runs", "waits", "waits too", "more"]);
  expect(log).toEqual(["runs", "waits", "waits too", "more"]);
});
