import { forgeBuckets } from "@hearth-platform/hearth/forge/buckets";
import {
  applicationEnvironment,
  applicationPath,
  backupEnvironment,
  configurationPaths,
  forgePrograms,
  ldapPasswordFile,
  mountedSecrets,
  readsSignOn,
  repositoriesPath,
  runnerEnvironment,
  scriptsPath,
  type secretFiles,
  secretPath,
  secretsPath,
  signInFile,
} from "@hearth-platform/hearth/forge/configuration";
import { describe, expect, test } from "vitest";
import { completeConfiguration, completeForge, minimalConfiguration, minimalForge } from "./forge.ts";

describe("secrets of the forge's programs", () => {
  test.each(forgePrograms)("%s finds each below one folder, which is not that of its templates", (program) => {
    const paths = mountedSecrets(program, completeConfiguration).map((file) => secretPath(program, file));
    expect(new Set(paths).size).toBe(paths.length);
    for (const path of paths) expect(path.startsWith(`${secretsPath(program)}/`)).toBe(true);
    expect(configurationPaths[program]).not.toBe(secretsPath(program));
  });

  test("a program without Rails has no secrets of Rails", () => {
    for (const program of ["proxy", "gitstore", "shell", "pages", "runner"] as const)
      expect(mountedSecrets(program, completeConfiguration)).not.toContain("railsSecrets");
  });

  test("the proxy's and the shell's secrets are only where Rails may read them", () => {
    const readers = (file: keyof typeof secretFiles) =>
      forgePrograms.filter((program) => mountedSecrets(program, completeConfiguration).includes(file));
    expect(readers("proxySecret")).toEqual(["webservice", "proxy"]);
    expect(readers("shellSecret")).toEqual(["webservice", "toolbox", "gitstore", "shell"]);
    expect(forgePrograms.filter(readsSignOn)).toEqual(["webservice", "jobs", "toolbox"]);
  });

  test("what is not set up has no file", () => {
    const mounted = new Set(forgePrograms.flatMap((program) => mountedSecrets(program, minimalConfiguration)));
    for (const file of ["pagesSecret", "smtpPassword", "keystorePassword"] as const)
      expect(mounted).not.toContain(file);
  });

  test("a file that a program never mounts has no path in it", () => {
    expect(() => secretPath("shell", "databasePassword")).toThrow("shell does not mount postgres/psql-password");
  });
});

describe("paths and variables", () => {
  test("no mount lies within another", () => {
    for (const program of forgePrograms) {
      const mounts = [
        configurationPaths[program],
        secretsPath(program),
        scriptsPath,
        applicationPath,
        repositoriesPath,
      ];
      for (const mount of mounts)
        expect(mounts.filter((other) => other === mount || other.startsWith(`${mount}/`))).toEqual([mount]);
    }
  });

  test("settings of external sign-in are told apart by their names", () => {
    const { providers = [], ldap = [] } = completeForge.administration?.signOn ?? {};
    const files = [...providers.map(({ name }) => signInFile(name)), ...ldap.map(({ name }) => ldapPasswordFile(name))];
    expect(files).toEqual(["omniauth/openid_connect/provider", "omniauth/saml/provider", "ldap/main/password"]);
    expect(minimalForge.administration).toBeUndefined();
  });

  test("Jobs' variables have names of their own", () => {
    const variables = [applicationEnvironment, runnerEnvironment, backupEnvironment].flatMap(Object.values);
    expect(new Set(variables).size).toBe(variables.length);
  });
});

describe("buckets of the forge", () => {
  test("each object type has its own, and all names end with the namespace", () => {
    const { objects, ...others } = forgeBuckets("a1b2", "platform", { version: "18.11.11" });
    expect(Object.keys(objects)).toHaveLength(9);
    const all = [...Object.values(objects), ...Object.values(others)];
    expect(new Set(all).size).toBe(12);
    for (const bucket of all) expect(bucket).toMatch(/^[a-z-]+-a1b2-platform$/);
    expect(objects.artifacts).toBe("artifacts-a1b2-platform");
  });

  test("are more from 19.1 on, which keeps plans of agents, and from 19.4 on, which keeps the catalogue's components", () => {
    const types = (version: string) => Object.entries(forgeBuckets("a1b2", "platform", { version }).objects);
    expect(types("19.0.8")).toEqual(types("18.11.11"));
    expect(types("19.1.0")).toEqual([...types("19.0.8"), ["agent_plan_content", "agent-plans-a1b2-platform"]]);
    expect(types("19.4.0")).toEqual([...types("19.3.0"), ["ci_catalog_bundles", "ci-catalog-a1b2-platform"]]);
  });
});
