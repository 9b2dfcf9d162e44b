import { spawnSync } from "node:child_process";

/** The repository that CI builds in, or else the one that the checkout was cloned from, as a web address; undefined where there is none. */
export function repositoryUrl(): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, CI_PROJECT_URL } = process.env;
  if (GITHUB_SERVER_URL && GITHUB_REPOSITORY) return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  // What GitLab's jobs cloned from has their token in its address.
  if (CI_PROJECT_URL) return CI_PROJECT_URL;
  const cwd = import.meta.dirname;
  const { status, stdout } = spawnSync("git", ["remote", "get-url", "origin"], { cwd, encoding: "utf8" });
  const [, host, path] = /^(?:https:\/\/|ssh:\/\/git@|git@)([\w.-]+)[:/]([^@]+?)(?:\.git)?$/.exec(stdout.trim()) ?? [];
  return status === 0 && host !== undefined ? `https://${host}/${path}` : undefined;
}
