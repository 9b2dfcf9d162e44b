import { expect, onTestFinished, test } from "vitest";
import { claimsOf, issuer, startBetween } from "./running.ts";

/** `SIGN_IN_SOAK_SECONDS=600` is the long run. */
const seconds = Number(process.env.SIGN_IN_SOAK_SECONDS ?? 2);
const users = 12;
/** Another repository each time, or the answer of before would be given again. */
const pull = (round: number) => `repository:apps/web${round}:pull`;

/** What may be wrong with forge and core; a slow one answers in milliseconds. */
const faults = [
  {},
  { forge: "cut" },
  { forge: 500 },
  { core: "cut" },
  { forge: 429 },
  { core: 500 },
  { forge: 502, core: 503 },
  { forgeLatency: 40, coreLatency: 40 },
  { forge: 404 },
  { core: 404 },
] as const satisfies readonly {
  forge?: number | "cut";
  core?: number | "cut";
  forgeLatency?: number;
  coreLatency?: number;
}[];

test(`sign-ins for ${seconds} s while forge and core fail in every way: each gets its own user's token or is told to try again`, {
  timeout: (seconds * 2 + 60) * 1000,
}, async () => {
  const running = await startBetween();
  const { forge, core } = running;
  onTestFinished(() => running.stop());
  const token = (index: number) => `glpat-soak-canary-${String(index).padStart(6, "0")}`;
  for (let index = 0; index < users; index += 1) {
    const username = `user${index}`;
    const may = { apps: ["pull"] };
    core.users.push({
      id: index + 3,
      name: username,
      subiss: `${index + 50}${issuer}`,
      secret: `Cli-canary-${index}`,
      may,
    });
    forge.tokens.set(token(index), { id: index + 50, username, scopes: ["api"] });
  }
  const outcomes = new Map<number, number>();
  const wrong: string[] = [];
  const ends = performance.now() + seconds * 1000;
  for (let round = 0; round < faults.length || performance.now() < ends; round += 1) {
    const fault: { forge?: number | "cut"; core?: number | "cut"; forgeLatency?: number; coreLatency?: number } =
      faults[round % faults.length] ?? {};
    forge.fails = fault.forge;
    core.fails = fault.core;
    forge.latency = fault.forgeLatency ?? 0;
    core.latency = fault.coreLatency ?? 0;
    const replies = await Promise.all(
      Array.from({ length: users }, (_, index) => running.signIn(`user${index}`, token(index), pull(round))),
    );
    for (const [index, reply] of replies.entries()) {
      outcomes.set(reply.status, (outcomes.get(reply.status) ?? 0) + 1);
      if (reply.status === 200 && claimsOf(reply).sub !== `user${index}`)
        wrong.push(`user${index} is ${claimsOf(reply).sub}`);
    }
  }
  console.log(`answers by status: ${JSON.stringify(Object.fromEntries(outcomes))}`);
  expect(wrong).toEqual([]);
  expect([...outcomes.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(outcomes.get(200)).toBeGreaterThan(users);
  expect(outcomes.get(503)).toBeGreaterThan(users);

  // Nothing of the faults stays.
  for (const part of [forge, core]) {
    delete part.fails;
    part.latency = 0;
  }
  for (let index = 0; index < users; index += 1)
    expect((await running.signIn(`user${index}`, token(index), pull(-1))).status).toBe(200);
  expect(running.lines.join("\n")).not.toMatch(/canary/);
  expect([...core.problems, ...forge.problems]).toEqual([]);
});
