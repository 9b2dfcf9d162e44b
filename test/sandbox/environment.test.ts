import { execFileSync } from "node:child_process";
import { delimiter } from "node:path";
import { exportLines } from "@hearth-platform/cli/sandbox/env";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { type Ports, portNames } from "@hearth-platform/sandbox/ports";
import { newRecord } from "@hearth-platform/sandbox/record";
import { describe, expect, it } from "vitest";

const ports = Object.fromEntries(portNames.map((name, index) => [name, 20_000 + index])) as Ports;
const paths = sandboxPaths("unit");
const program = (name: string) => `/cache/${name}/${name}`;
const programs = {
  folder: "/cache/kube",
  kube: program("kube"),
  kubectl: program("kubectl"),
  pulumi: program("pulumi"),
  kwok: program("kwok"),
  kwokctl: program("kwokctl"),
  versitygw: program("versitygw"),
  registry: program("registry"),
  crds: "/cache/crds",
};
const sandbox = { paths, programs, record: newRecord(ports) };

describe("the environment", () => {
  const users = {
    PATH: "/usr/bin",
    KUBECONFIG: "/home/user/.kube/config",
    AWS_PROFILE: "work",
    AWS_SESSION_TOKEN: "token",
    AWS_ENDPOINT_URL: "https://s3.example.com",
    PULUMI_ACCESS_TOKEN: "pul-1",
    PULUMI_CONFIG_PASSPHRASE_FILE: "/home/user/passphrase",
    PULUMI_STACK: "prod",
  };
  const seen: Record<string, string> = { ...users, ...sandboxEnvironment(sandbox, users) };

  it("shadows every setting of the user's", () => {
    for (const [name, value] of Object.entries(users)) {
      if (name !== "PATH") expect([name, seen[name]]).not.toEqual([name, value]);
    }
  });

  it("keeps every file inside the sandbox's folder", () => {
    for (const name of ["KUBECONFIG", "PULUMI_HOME", "AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "DOCKER_CONFIG"])
      expect(seen[name]).toMatch(new RegExp(`^${paths.folder}/`));
    expect(seen.PULUMI_BACKEND_URL).toBe(`file://${paths.pulumiState}`);
  });

  it("leads to the sandbox's servers", () => {
    expect(seen).toMatchObject({
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${ports["object-storage"]}`,
      AWS_ACCESS_KEY_ID: sandbox.record.s3.accessKeyId,
      HEARTH_SANDBOX_REGISTRY: `127.0.0.1:${ports.registry}`,
    });
  });

  it("finds the sandbox's programs before the user's, and the engine before npm's wrapper of it", () => {
    const folders = (seen.PATH ?? "").split(delimiter);
    expect(folders.indexOf("/cache/pulumi")).toBeLessThan(folders.findIndex((folder) => folder.endsWith(".bin")));
    expect(folders.at(-1)).toBe("/usr/bin");
  });

  it("lets the engine download plugins only where the official ones are asked for", () => {
    const automatic = (env: NodeJS.ProcessEnv) =>
      sandboxEnvironment(sandbox, env).PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION;
    expect(automatic({})).toBe("true");
    expect(automatic({ HEARTH_PLUGINS: "official" })).toBe("false");
    expect(() => automatic({ HEARTH_PLUGINS: "offical" })).toThrow(/HEARTH_PLUGINS/);
  });
});

it("export lines give a shell exactly the values, whatever is in them", () => {
  const nasty = 'it\'s $HOME `x` "y" \\ z';
  const script = `${exportLines({ NASTY: nasty })}printf %s "$NASTY"`;
  expect(execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" })).toBe(nasty);
});
