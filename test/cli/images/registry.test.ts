import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dockerCredentials } from "@hearth-platform/cli/images/credentials";
import { registryDigest } from "@hearth-platform/cli/images/registry";
import { expect, it } from "vitest";
import { type Behaviour, digestFor, startRegistry } from "./registry-server.ts";

const login = Buffer.from("ci:secret").toString("base64");
const patience = () => AbortSignal.timeout(30_000);

/** What a registry of that behaviour says of an image, signed in to with `auth`. */
async function digestFrom(
  behaviour: Behaviour,
  { auth, signal = patience() }: { auth?: string; signal?: AbortSignal },
) {
  await using registry = await startRegistry(behaviour);
  const credentials = (host: string) => (host === registry.host ? auth : undefined);
  try {
    return await registryDigest(`${registry.host}/team/app:1.2`, credentials, signal);
  } catch (error) {
    return (error as Error).message.replace(registry.host, "HOST");
  }
}

it.each<[string, Behaviour, string | undefined]>([
  ["an open registry", {}, undefined],
  ["a token for everyone", { signIn: "token" }, undefined],
  ["a token for who has signed in", { signIn: "token", only: login }, login],
  ["a password", { signIn: "password", only: login }, login],
  [
    "a token for the right that the registry names",
    { signIn: "token", scope: "repository:team/app:pull,push" },
    undefined,
  ],
  ["a token where the registry names no right", { signIn: "token", scope: "" }, undefined],
  ["a token in the field of OAuth 2", { signIn: "token", tokenField: "access_token" }, undefined],
  ["a registry that names no digest", { problems: { app: "no-header" } }, undefined],
])("the digest is had from %s", async (_, behaviour, auth) => {
  expect(await digestFrom(behaviour, { auth })).toBe(digestFor("team/app:1.2"));
});

it.each<[string, Behaviour, string]>([
  ["has no such image", { problems: { app: "gone" } }, "is not in HOST"],
  ["refuses to show it", { problems: { app: "forbidden" } }, "needs a sign-in: run docker login HOST"],
  ["has a manifest of more than 4 MiB", { problems: { app: "large" } }, "has a manifest that is too large"],
  [
    "wants the password without TLS",
    { signIn: "token", realm: "ftp://127.0.0.1:1/token" },
    "can't be resolved: HOST requires the password to be sent without TLS",
  ],
  [
    "has its tokens from a server that is not there",
    { signIn: "token", realm: "https://127.0.0.1:1/token" },
    "can't be resolved: bad port",
  ],
  ["gives no token", { signIn: "token", tokenField: "none" }, "can't be resolved: HOST gave no token"],
  ["fails", { problems: { app: "broken" } }, "can't be resolved: HOST answered 503"],
  ["ends the connection", { problems: { app: "reset" } }, "can't be resolved: other side closed"],
  ["names no digest's form", { problems: { app: "bad-digest" } }, "has a digest other than sha256"],
  [
    "gives no token to who has not signed in",
    { signIn: "token", only: login },
    "needs a sign-in: run docker login HOST",
  ],
  ["wants a password", { signIn: "password", only: login }, "needs a sign-in: run docker login HOST"],
])("a registry that %s is told", async (_, behaviour, problem) => {
  expect(await digestFrom(behaviour, {})).toBe(problem);
});

it("a registry of this machine is asked without TLS by its name, too", async () => {
  await using registry = await startRegistry();
  const image = `${registry.host.replace("127.0.0.1", "localhost")}/team/app:1.2`;
  expect(await registryDigest(image, () => undefined, patience())).toBe(digestFor("team/app:1.2"));
});

it("a registry that does not answer is waited for no longer than allowed", async () => {
  const signal = AbortSignal.timeout(50);
  const told = await digestFrom({ problems: { app: "hang" } }, { signal });
  expect(told).toBe("can't be resolved: its registry does not answer in time");
});

it("an image without a tag is not asked for, and a registry that is not there is told", async () => {
  await expect(registryDigest("127.0.0.1:1/app", () => undefined, patience())).rejects.toThrow("has no tag");
  await expect(registryDigest("127.0.0.1:1/app:1", () => undefined, patience())).rejects.toThrow("can't be resolved");
});

it("the credentials are those of docker login, and none where nobody has signed in", () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-docker-"));
  try {
    expect(dockerCredentials({ DOCKER_CONFIG: folder })("docker.io")).toBeUndefined();
    const auths = { "https://index.docker.io/v1/": { auth: login }, "registry.example.org": {} };
    writeFileSync(join(folder, "config.json"), JSON.stringify({ auths }));
    const credentials = dockerCredentials({ DOCKER_CONFIG: folder });
    expect(["docker.io", "registry.example.org", "ghcr.io"].map(credentials)).toEqual([login, undefined, undefined]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
