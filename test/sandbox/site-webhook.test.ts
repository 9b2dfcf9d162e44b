import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { bundleProcess } from "@hearth-platform/sandbox/site-webhook";
import { expect, it } from "vitest";

it("without a container tool the bundle of the image is a process, with the account's files and nothing of the person's", () => {
  const paths = sandboxPaths("unit");
  const volumes = {
    "/var/run/secrets/kubernetes.io/serviceaccount": "/state/account",
    "/secret": "/state/secrets/hook",
  };
  const variables = { WEBHOOK_PORT: "20001", WEBHOOK_SECRET_FILE: "/secret/secret", API_PATH: "/secrets" };
  const { program, args, env, cwd, log } = bundleProcess(paths, variables, volumes);
  expect([program, ...args]).toEqual([process.execPath, expect.stringMatching(/\/webhook\/dist\/site-webhook\.mjs$/)]);
  expect(env).toEqual({
    PATH: process.env.PATH,
    SERVICE_ACCOUNT_FOLDER: "/state/account",
    WEBHOOK_PORT: "20001",
    WEBHOOK_SECRET_FILE: "/state/secrets/hook/secret",
    API_PATH: "/secrets",
  });
  for (const place of [cwd, log]) expect(place).toContain(paths.folder);
});
