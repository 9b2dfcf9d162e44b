import { describe, expect, test } from "vitest";
import { type Changes, checkFiles, committedStack, withSettings } from "../../../support/stack-files.ts";

/** All suites tell their push servers what changes on the same channels of a keystore, so no two of them may have one. */

const on = { enabled: true };
const both = { "cloudsuites[0].push": on, "cloudsuites[1].push": on };
const redis = { host: "redis.example.org", port: 6379 };

function errors(changes: Changes): string[] {
  const { problems } = checkFiles(withSettings(committedStack("dev"), changes));
  return problems.filter(({ severity }) => severity === "error").map(({ path, message }) => `${path}: ${message}`);
}

const shared = "keystore: The keystore with push is also the keystore of suites/team/config.yaml.";

describe("two suites with push", () => {
  test("may each have a keystore of their own", () => {
    expect(errors(both)).toEqual([]);
    expect(errors({ ...both, "cloudsuites[1].keystore": redis })).toEqual([]);
  });

  test.each<[what: string, Changes]>([
    ["the same one of others", { "cloudsuites[0].keystore": redis, "cloudsuites[1].keystore": redis }],
    ["one that the other makes", { "cloudsuites[1].keystore": { ...redis, host: "keystore.team.svc" } }],
    ["it by its longer name", { "cloudsuites[1].keystore": { ...redis, host: "keystore.team.svc.cluster.local" } }],
  ])("may not have %s", (_, changes) => {
    expect(errors({ ...both, ...changes })).toEqual([shared]);
    expect(errors({ ...both, ...changes, "cloudsuites[1].push": { enabled: false } })).toEqual([]);
  });

  test("may have keystores of one short name, which is another one in each namespace", () => {
    const short = { ...redis, host: "redis" };
    expect(errors({ ...both, "cloudsuites[0].keystore": short, "cloudsuites[1].keystore": short })).toEqual([]);
  });

  test("are two where the app is set up by hand, too", () => {
    const byHand = { "cloudsuites[1].push": undefined, "cloudsuites[1].apps": { notify_push: {} } };
    expect(errors({ ...both, ...byHand, "cloudsuites[1].keystore": { ...redis, host: "keystore.team.svc" } })).toEqual([
      shared,
    ]);
  });
});
