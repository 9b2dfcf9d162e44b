import { readFile } from "node:fs/promises";
import { join } from "node:path";
import lang from "@pulumi/pulumi/proto/language_pb.js";
import { expect, test } from "vitest";
import { programInfo, startHost, type TestHost } from "./host.ts";

const record = `
  const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("PULUMI_")));
  const seen = { execArgv: process.execArgv, script: __filename, args: process.argv.slice(2), cwd: process.cwd(), given };
  require("fs").writeFileSync("seen.json", JSON.stringify(seen));
`;

function run({ client }: TestHost, request: lang.RunRequest): Promise<lang.RunResponse> {
  return new Promise((resolve, reject) =>
    client.run(request, (error, response) => (error ? reject(error) : resolve(response))),
  );
}

function runRequest(folder: string, options = {}): lang.RunRequest {
  return new lang.RunRequest().setInfo(programInfo(folder, options)).setMonitorAddress("127.0.0.1:2");
}

test("Run gives a program the official host's arguments, environment and folder", async () => {
  await using host = await startHost(["--tracing", "http://127.0.0.1:3/", "127.0.0.1:1"], { run: record });
  const request = runRequest(host.program, {
    typescript: false,
    nodeargs: "--trace-warnings --title='a b'",
    packagemanager: "npm",
  });
  request.setOrganization("organization").setProject("project").setStack("dev").setParallel(16).setDryrun(true);
  request.getConfigMap().set("project:name", "value").set("aws:config:region", "r").set("kubernetes:context", "c");
  request.setConfigsecretkeysList(["project:name"]).setArgsList(["one", "two"]);

  const response = await run(host, request);

  expect(response.getError()).toBe("");
  const seen = JSON.parse(await readFile(join(host.program, "seen.json"), "utf8"));
  expect(seen).toEqual({
    execArgv: ["--trace-warnings", "--title=a b"],
    script: join(host.program, "node_modules/@pulumi/pulumi/cmd/run/index.js"),
    args: [
      ...["--monitor", "127.0.0.1:2"],
      ...["--engine", "127.0.0.1:1"],
      ...["--organization", "organization"],
      ...["--project", "project"],
      ...["--root-directory", host.program],
      ...["--stack", "dev"],
      ...["--pwd", host.program],
      "--dry-run",
      ...["--parallel", "16"],
      ...["--tracing", "http://127.0.0.1:3/"],
      "index.ts",
      "one",
      "two",
    ],
    cwd: host.program,
    given: {
      PULUMI_CONFIG: JSON.stringify({
        "aws:config:region": "r",
        "kubernetes:config:context": "c",
        "project:config:name": "value",
      }),
      PULUMI_CONFIG_SECRET_KEYS: '["project:name"]',
    },
  });
});

test("without options a program runs under ts-node, as with the official host", async () => {
  await using host = await startHost(["127.0.0.1:1"], { run: record });

  await run(host, runRequest(host.program, { tsconfig: "tsconfig.run.json" }));

  const { given, args } = JSON.parse(await readFile(join(host.program, "seen.json"), "utf8"));
  expect(given).toMatchObject({
    PULUMI_NODEJS_TYPESCRIPT: "true",
    PULUMI_NODEJS_TSCONFIG_PATH: "tsconfig.run.json",
    PULUMI_CONFIG: "{}",
    PULUMI_CONFIG_SECRET_KEYS: "[]",
  });
  expect(args).not.toContain("--dry-run");
  expect(args).not.toContain("--tracing");
});

test("a wrong option in Pulumi.yaml fails the run, as with the official host", async () => {
  await using host = await startHost(["127.0.0.1:1"], { run: record });

  const response = await run(host, runRequest(host.program, { typescript: "no" }));

  expect(response.getError()).toBe("typescript option must be a boolean");
});

test("exit code 32 says that the user was told already, others are an error", async () => {
  await using told = await startHost(["127.0.0.1:1"], { run: "process.exit(32)" });
  await using failed = await startHost(["127.0.0.1:1"], { run: "process.exit(3)" });

  const bail = await run(told, runRequest(told.program));
  const error = await run(failed, runRequest(failed.program));

  expect(bail.getBail()).toBe(true);
  expect(bail.getError()).toBe("");
  expect(error.getBail()).toBe(false);
  expect(error.getError()).toBe("Program exited with non-zero exit code: 3");
});

test("a program without the SDK is told to install it", async () => {
  await using host = await startHost(["127.0.0.1:1"], {});

  const response = await run(host, runRequest(host.program));

  expect(response.getError()).toBe("It looks like the Pulumi SDK has not been installed. Have you run pulumi install?");
});

test("the host ends when the engine is gone, and its program with it", async () => {
  const script = `require("fs").writeFileSync("pid", String(process.pid)); console.log("started"); setInterval(() => {}, 1000)`;
  await using host = await startHost(["127.0.0.1:1"], { run: script });
  const started = new Promise((resolve) => host.process.stdout?.once("data", resolve));
  run(host, runRequest(host.program)).catch(() => undefined);
  await started;
  const pid = Number(await readFile(join(host.program, "pid"), "utf8"));
  const exited = new Promise((resolve) => host.process.once("exit", resolve));

  host.process.stdin?.end();
  await exited;

  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
