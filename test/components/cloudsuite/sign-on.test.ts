import { groupExpression } from "@hearth-platform/hearth/cloudsuite/apps/sign-on";
import type { CloudSuiteArgs, CloudSuiteSignOnArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteChanges } from "@hearth-platform/hearth/cloudsuite/changes";
import { cloudSuiteComponent } from "@hearth-platform/hearth/cloudsuite/component";
import { problemsOf } from "@hearth-platform/hearth/core/component";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { ConfigMap } from "kubernetes-types/core/v1.d.ts";
import { describe, expect, test } from "vitest";
import { find, ids, ownPlan, suitePods, variable } from "./objects.ts";
import { minimalSuite, onPlatform } from "./suite.ts";

/** Sign-on with the forge, or with another provider: what is decided of it. What its scripts do is in sign-on-scripts.test.ts. */

const ofForge: CloudSuiteSignOnArgs = {
  identifier: "forge",
  issuer: "https://forge.example.org",
  groupsClaim: "groups_direct",
  application: { namespace: "platform", secret: "forge-application-suite-team" },
};
const ofProvider: CloudSuiteSignOnArgs = {
  issuer: "https://id.example.org/realms/club",
  clientId: { name: "client", key: "id" },
  clientSecret: { name: "client", key: "secret" },
};
const suite = (signOn: CloudSuiteSignOnArgs | undefined, rest: Partial<CloudSuiteArgs> = {}): CloudSuiteArgs => ({
  ...minimalSuite,
  ...rest,
  signOn,
});

/** What the Job is told of the provider. */
const options = (signOn: CloudSuiteSignOnArgs) =>
  String(variable(suite(signOn), "configure", "SIGN_ON_OPTIONS"))
    .split("\n")
    .map((option) => option.split(/^--([a-z-]+)=/).slice(1) as [string, string]);
const option = (signOn: CloudSuiteSignOnArgs, name: string) => new Map(options(signOn)).get(name);

const problems = (args: CloudSuiteArgs) => problemsOf(cloudSuiteComponent, args).map(({ path, code }) => [path, code]);

describe("a suite without sign-on", () => {
  test("has none of its objects, and leaves an app that somebody set up by hand", () => {
    expect(ids(minimalSuite).filter((id) => /sign-on|blocked/.test(id))).toEqual([]);
    expect(ownPlan(minimalSuite).secrets.map(({ name }) => name)).not.toContain("cloudsuite-sign-on");
    expect(variable(minimalSuite, "configure", "APPS_OFF")).not.toContain("user_oidc");
    expect(variable(minimalSuite, "configure", "SIGN_ON")).toBeUndefined();
  });
});

describe("sign-on with the forge", () => {
  test("reads a Secret of the suite's own, with the values of the forge's", () => {
    const from = { namespace: "platform", name: "forge-application-suite-team" };
    expect(ownPlan(suite(ofForge)).secrets.find(({ name }) => name === "cloudsuite-sign-on")).toMatchObject({
      namespace: "team",
      data: {
        "client-id": { copyOf: { ...from, key: "client-id" } },
        "client-secret": { copyOf: { ...from, key: "client-secret" } },
      },
    });
    const secret = { name: "cloudsuite-sign-on", key: "client-secret" };
    expect(variable(suite(ofForge), "configure", "SIGN_ON_CLIENT_SECRET")).toEqual(secret);
  });

  test("sets the provider up anew once the forge's Secret has other values", () => {
    const job = (args: CloudSuiteArgs) => ids(args).find((id) => id.startsWith("Job/cloudsuite-configure-"));
    const raised = onPlatform(suite(ofForge), {
      secrets: { ...minimalSuite.platform.secrets, revisions: { "forge-application-suite-team": 1 } },
    });
    expect(job(raised)).not.toBe(job(suite(ofForge)));
  });

  test("reads the groups that GitLab puts into its ID token", () => {
    expect(option(ofForge, "mapping-groups")).toBe("groups_direct");
  });
});

describe("sign-on with another provider", () => {
  test("reads its client from the Secret that is named, and makes none", () => {
    const args = suite(ofProvider);
    expect(ownPlan(args).secrets.map(({ name }) => name)).not.toContain("cloudsuite-sign-on");
    expect(variable(args, "configure", "SIGN_ON_CLIENT_ID")).toEqual({ name: "client", key: "id" });
    expect(variable(args, "configure", "SIGN_ON_CLIENT_SECRET")).toEqual({ name: "client", key: "secret" });
    expect(variable(args, "configure", "SIGN_ON")).toBe("provider");
    expect(option(ofProvider, "discoveryuri")).toBe(
      "https://id.example.org/realms/club/.well-known/openid-configuration",
    );
  });

  test.each([
    ["without its client", { clientId: undefined, clientSecret: undefined }, ["clientId", "clientSecret"]],
    ["without the client's secret", { clientSecret: undefined }, ["clientSecret"]],
    ["with a client of the forge's too", { application: ofForge.application }, ["clientId", "clientSecret"]],
  ])("is refused %s", (_, change, paths) => {
    expect(problems(suite({ ...ofProvider, ...change })).map(([path]) => path)).toEqual(
      paths.map((path) => `signOn.${path}`),
    );
  });
});

describe("a provider's address", () => {
  test("with credentials is refused with the field for them, and not shown", () => {
    const args = suite({ ...ofProvider, issuer: "https://club:hunter2@id.example.org" });
    const found = problemsOf(cloudSuiteComponent, args);
    expect(found).toMatchObject([
      { path: "signOn.issuer", code: "secret", remedy: expect.stringContaining("`clientSecret`") },
    ]);
    expect(JSON.stringify(found)).not.toContain("hunter2");
  });
});

describe("scopes", () => {
  test.each(["email,profile", "email profile", "", 'e"mail', "e\\mail", "é"])(
    "are one to an entry: %j is refused",
    (scope) => {
      expect(problems(suite({ ...ofProvider, scopes: ["openid", scope] })).map(([path]) => path)).toEqual([
        "signOn.scopes[1]",
      ]);
    },
  );

  test("may have the signs of an address, as some providers' have", () => {
    const scopes = ["openid", "https://id.example.org/groups.read", "api:!#[]~"];
    expect(problems(suite({ ...ofProvider, scopes }))).toEqual([]);
  });
});

describe("people", () => {
  test("are known by what never changes, and named after their provider: nobody has the name of a local account", () => {
    expect(option(ofForge, "mapping-uid")).toBe("sub");
    expect(option(ofForge, "unique-uid")).toBe("0");
    const { data = {} } = find<ConfigMap>(suite(ofForge), "ConfigMap", "cloudsuite-config");
    expect(data["sign-on.config.php"]).toContain("'soft_auto_provision' => false");
  });

  test("keep the quota that an administrator gave them: no provider has a claim that overwrites it", () => {
    expect(option(ofForge, "mapping-quota")).toBe("hearth_none");
  });

  test("see the text of the settings on the button, or else the host", () => {
    const label = (signOn: CloudSuiteSignOnArgs) =>
      /'login_label' => '(.*)'/.exec(
        find<ConfigMap>(suite(signOn), "ConfigMap", "cloudsuite-config").data?.["sign-on.config.php"] ?? "",
      )?.[1];
    expect([label(ofForge), label({ ...ofForge, name: "The club's account" })]).toEqual([
      "forge.example.org",
      "The club\\'s account",
    ]);
  });

  test("go to the provider at once, where the settings say so", () => {
    const backends = (signOn: CloudSuiteSignOnArgs) =>
      JSON.parse(find<ConfigMap>(suite(signOn), "ConfigMap", "cloudsuite-apps").data?.["apps.json"] ?? "{}").apps
        .user_oidc;
    expect(backends(ofForge)).toEqual({ allow_multiple_user_backends: "1" });
    expect(backends({ ...ofForge, automatic: true })).toEqual({ allow_multiple_user_backends: "0" });
  });
});

describe("every option of the provider", () => {
  test("is named each time: one that is left out keeps its former value", () => {
    const names = (signOn: CloudSuiteSignOnArgs) => options(signOn).map(([name]) => name);
    expect(names({ ...ofProvider, groups: ["a"], onlyMembers: true })).toEqual(names(ofForge));
    expect(names(ofForge)).toEqual(expect.arrayContaining(["group-whitelist-regex", "scope", "check-bearer"]));
  });
});

describe("groups", () => {
  test("are the suite's own where none are named", () => {
    expect(option(ofForge, "group-provisioning")).toBe("0");
    expect(option(ofForge, "group-restrict-login-to-whitelist")).toBe("0");
  });

  test.each([
    ["forge-team", true],
    ["team", true],
    ["forge-team/design", true],
    ["team/design", true],
    ["forge-a.b+c", true],
    ["admin", false],
    ["forge-admin", false],
    ["team/other", false],
    ["xteam", false],
    ["forge-axb+c", false],
  ])("of the settings alone are entered and left: %s, %s", (group, matches) => {
    const [, expression = ""] =
      /^\/(.*)\/D$/.exec(groupExpression("forge", ["team", "team/design", "a.b+c"], false)) ?? [];
    expect(new RegExp(expression).test(group)).toBe(matches);
  });

  test.each([
    ["team", true],
    ["team/design", true],
    ["forge-team", false],
    ["forge-team/design", false],
    ["team/other", false],
  ])("decide who may sign on by the provider's own names: %s, %s", (group, matches) => {
    const option = String(
      variable(
        suite({ ...ofForge, groups: ["team", "team/design"], onlyMembers: true }),
        "configure",
        "SIGN_ON_OPTIONS",
      ),
    );
    const [, expression = ""] = /--group-whitelist-regex=\/(.*)\/D$/m.exec(option) ?? [];
    expect(new RegExp(expression).test(group)).toBe(matches);
  });

  test("are not left one by one where they decide who may sign on, which is said", () => {
    const said = (groups: string[]) => problems(suite({ ...ofForge, groups, onlyMembers: true }));
    expect(said(["team"])).toEqual([]);
    expect(said(["team", "team/design"])).toEqual([["signOn.onlyMembers", "sign-on"]]);
  });

  test.each([
    [{ onlyMembers: true }, ["signOn.onlyMembers", "sign-on"]],
    [{ groups: [" team"] }, ["signOn.groups[0]", "group"]],
    [{ groups: ["ok", "x".repeat(59)] }, ["signOn.groups[1]", "group"]],
  ])("are refused where nobody could be in them: %j", (change, problem) => {
    expect(problems(suite({ ...ofForge, ...change }))).toEqual([problem]);
    expect(problems(suite({ ...ofForge, groups: ["x".repeat(58)], onlyMembers: true }))).toEqual([]);
  });
});

describe("a provider with a private address", () => {
  test("is called only where the settings allow it, from every pod", () => {
    for (const each of suitePods) {
      expect(variable(suite(ofForge), each, "NC_allow_local_remote_servers")).toBeUndefined();
      expect(variable(suite({ ...ofForge, privateAddress: true }), each, "NC_allow_local_remote_servers")).toBe("1");
    }
  });
});

describe("blocked users", () => {
  const token = { name: "gitlab-token", key: "token" };
  const cronJob = (rest: Partial<CloudSuiteArgs> = {}) =>
    find<CronJob>(suite({ ...ofForge, gitlabToken: token }, rest), "CronJob", "cloudsuite-blocked-users").spec;

  test("are asked for every 15 minutes with the token, which is no argument", () => {
    const { schedule, suspend, jobTemplate } = cronJob() ?? {};
    const [container] = jobTemplate?.spec?.template.spec?.containers ?? [];
    expect([schedule, suspend]).toEqual(["*/15 * * * *", false]);
    expect(container?.command).toEqual(["php", "/hearth/disable-blocked-users.php"]);
    expect(container?.env).toEqual(
      expect.arrayContaining([
        { name: "GITLAB_URL", value: "https://forge.example.org" },
        { name: "SIGN_ON", value: "forge" },
        { name: "GITLAB_TOKEN", valueFrom: { secretKeyRef: token } },
      ]),
    );
  });

  test("are not asked for under maintenance, or without a token", () => {
    expect(cronJob({ maintenance: true })?.suspend).toBe(true);
    expect(ids(suite(ofForge))).not.toContain("CronJob/cloudsuite-blocked-users");
  });

  test("are asked for by a pod that network policies let out", () => {
    const policies = ownPlan(suite({ ...ofForge, gitlabToken: token }, { networkPolicies: true })).objects;
    const allow = policies.find(({ object }) => object.metadata.name === "allow-nextcloud")?.object;
    expect(JSON.stringify(allow)).toContain("cloudsuite-blocked-users");
  });
});

describe("settings by hand of the app that sign-on manages", () => {
  const apps = { user_oidc: { allow_multiple_user_backends: "0" } };

  test("are refused beside sign-on, and stay without it", () => {
    expect(problems(suite(ofForge, { apps }))).toEqual([["apps.user_oidc", "app-managed"]]);
    expect(problems({ ...minimalSuite, apps })).toEqual([]);
  });
});

describe("a change", () => {
  const paths = (before: CloudSuiteSignOnArgs | undefined, now: CloudSuiteSignOnArgs | undefined) =>
    cloudSuiteChanges(suite(before), suite(now)).map(({ path }) => path);

  test.each([
    ["another provider", ofProvider, { ...ofProvider, issuer: "https://other.example.org" }, ["signOn.issuer"]],
    ["another name of the provider", ofProvider, { ...ofProvider, identifier: "club" }, ["signOn.identifier"]],
    ["another claim", ofProvider, { ...ofProvider, userClaim: "email" }, ["signOn.userClaim"]],
    ["the forge instead", ofProvider, ofForge, ["signOn.identifier", "signOn.issuer"]],
  ])("to %s is refused: people would get other accounts", (_, before, now, refused) => {
    expect(paths(before, now)).toEqual(refused);
  });

  test.each([
    ["the forge's domain", ofForge, { ...ofForge, issuer: "https://git.example.org" }],
    ["a default written out", ofProvider, { ...ofProvider, identifier: "provider", userClaim: "sub" }],
    ["the groups", ofForge, { ...ofForge, groups: ["team"] }],
    ["sign-on that comes", undefined, ofForge],
    ["sign-on that goes", ofForge, undefined],
  ])("of %s is not", (_, before, now) => {
    expect(paths(before, now)).toEqual([]);
  });
});
