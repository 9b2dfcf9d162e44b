import { expect, it } from "vitest";
import { sandboxPaths } from "../../sandbox/paths.ts";
import { bundleProcess } from "../../sandbox/site-webhook.ts";

it("without a container tool the bundle of the image is a process, with the account's files and nothing of the person's", () => {
  const paths = sandboxPaths("unit");
  const { program, args, env, cwd, log } = bundleProcess(paths, { WEBHOOK_PORT: "20001" }, "/state/account");
  expect([program, ...args]).toEqual([process.execPath, expect.stringMatching(/\/webhook\/dist\/site-webhook\.mjs$/)]);
  expect(env).toEqual({ PATH: process.env.PATH, WEBHOOK_PORT: "20001", SERVICE_ACCOUNT_FOLDER: "/state/account" });
  for (const place of [cwd, log]) expect(place).toContain(paths.folder);
});
