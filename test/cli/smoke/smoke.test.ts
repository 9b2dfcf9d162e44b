import { mkdtempSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smokeTable } from "@hearth-platform/cli/smoke/report";
import { type SmokeMeans, smoke } from "@hearth-platform/cli/smoke/run";
import { SmokeOutput } from "@hearth-platform/cli/smoke/schema";
import { smokeTargets, sshTarget } from "@hearth-platform/cli/smoke/targets";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { hearth, hearthIn } from "../../support/caller.ts";
import { checkFiles, committedStack, withSettings, writeStack } from "../../support/stack-files.ts";
import { answers, noRoute, PublicPlatform, type Reply, signInPage } from "./platform.ts";

/** `hearth smoke` of stack `prod` against servers of this machine that answer as the real programs do. */

let platform: PublicPlatform;

beforeAll(async () => {
  platform = await PublicPlatform.start();
});
afterAll(() => platform.close());
beforeEach(() => {
  platform.replies.clear();
  for (const [question, reply] of answers()) platform.replies.set(question, reply);
  platform.passwords.set("platform/hub-admin", "correct").set("cloud/cloudsuite-admin", "correct");
  platform.asked.length = 0;
  platform.greeting = "SSH-2.0-GitLab-SSHD\r\n";
});

const { stack } = checkFiles(committedStack("prod"));
if (!stack) throw new Error("Stack prod has problems.");
const targets = smokeTargets(stack);
const ssh = sshTarget(stack);

/** The command without a cluster, so that nothing is asked signed in. */
const command = (...more: string[]) =>
  hearth(".", "smoke", "--stack", "prod", "--kubeconfig", "none.yaml", ...platform.options, ...more);

/** The rows that are not fine, as `status host subject: message`. */
async function faults(means: Partial<SmokeMeans> = {}): Promise<string[]> {
  const { rows, sound } = await smoke("prod", targets, ssh, { ...platform.means, ...means });
  expect(sound).toBe(!rows.some(({ status }) => status === "problem"));
  return rows
    .filter((each) => each.status !== "ok")
    .map((each) => `${each.status} ${each.host} ${each.subject}: ${each.message}`);
}

describe("a platform that answers as the specification says", () => {
  it("is sound, host by host in a table", async () => {
    const stdout = smokeTable(await smoke("prod", targets, ssh, platform.means));
    expect(stdout).toMatch(/^hub\.example\.org\nok {7}certificate +Of .*, for (89|90) more days\.\n/m);
    expect(stdout).toMatch(/^ok {7}GET \/v2\/ signed in +200$/m);
    expect(stdout).toMatch(/^ok {7}SSH +SSH-2\.0-GitLab-SSHD$/m);
    expect(stdout).toMatch(/\nStack prod answers as it should: \d+ questions to 6 hosts \(.* UTC\)\.\n$/);
  });

  it("is asked for every host of the stack and no other, with passwords only where they are needed", async () => {
    expect(await faults()).toEqual([]);
    const hosts = new Set(platform.asked.map((each) => /(\S+) \/\S*$/.exec(each)?.[1]));
    expect([...hosts].sort()).toEqual([
      "cloud.example.org",
      "forge.example.org",
      "hearth-smoke.pages.example.org",
      "hub.example.org",
      "office.cloud.example.org",
      "sync.example.org",
    ]);
    expect(platform.asked.filter((each) => each.startsWith("signed in")).sort()).toEqual([
      "signed in cloud.example.org /ocs/v2.php/cloud/user?format=json",
      "signed in hub.example.org /api/v2.0/systeminfo",
      "signed in hub.example.org /api/v2.0/users/current",
      "signed in hub.example.org /v2/",
    ]);
  });

  it("is asked nothing that could change something: no sync of a site that could be there", async () => {
    await faults();
    expect(platform.asked.filter((each) => /^[A-Z]+ /.test(each))).toEqual(["POST sync.example.org /sync/-/-"]);
  });

  it("has the site that is named", async () => {
    const site = ["--site", "https://team.pages.example.org/handbook/", "--json"];
    const missing = await command(...site);
    expect(missing.status).toBe(1);
    const { rows } = SmokeOutput.parse(JSON.parse(missing.stdout));
    expect(rows.filter(({ status }) => status === "problem")).toEqual([
      expect.objectContaining({ host: "team.pages.example.org", message: "It answers 404, not 200." }),
    ]);
    platform.replies.set("team.pages.example.org /handbook/", { status: 200, body: "hello" });
    expect((await command(...site)).status).toBe(0);
  });
});

const broken: readonly (readonly [string, string, Reply, string])[] = [
  [
    "a forge that is not ready",
    "forge.example.org /-/health",
    { status: 503, body: JSON.stringify({ status: "failed", message: "no database" }) },
    "problem forge.example.org GET /-/health: It answers 503, not 200.",
  ],
  [
    "a health that says failed",
    "forge.example.org /-/liveness",
    { status: 200, body: JSON.stringify({ status: "failed", message: "no database" }) },
    'problem forge.example.org GET /-/liveness: 200, but of its body status is wrong: Invalid input: expected "ok". no database.',
  ],
  [
    "a health that is no JSON",
    "forge.example.org /-/liveness",
    { status: 200, body: "GitLab OK" },
    "problem forge.example.org GET /-/liveness: 200, but its body is no JSON.",
  ],
  [
    "metrics that anybody may read",
    "forge.example.org /-/metrics",
    { status: 200, body: "# HELP" },
    "problem forge.example.org GET /-/metrics: It answers 200, not 404.",
  ],
  [
    "an issuer of another name",
    "forge.example.org /.well-known/openid-configuration",
    { status: 200, body: JSON.stringify({ issuer: "http://forge.example.org" }) },
    'problem forge.example.org GET /.well-known/openid-configuration: 200, but of its body issuer is wrong: Invalid input: expected "https://forge.example.org".',
  ],
  [
    "a hub whose core is gone",
    "hub.example.org /v2/",
    noRoute,
    "problem hub.example.org GET /v2/: It answers 404, not 401.",
  ],
  [
    "a hub that lets everybody in",
    "hub.example.org /v2/",
    { status: 200, body: "{}" },
    "problem hub.example.org GET /v2/: It answers 200, not 401.",
  ],
  [
    "a hub that sends clients elsewhere for tokens",
    "hub.example.org /v2/",
    { status: 401, headers: { "www-authenticate": 'Bearer realm="http://core/service/token"' } },
    'problem hub.example.org GET /v2/: 401, but its header www-authenticate is "Bearer realm="http://core/service/token"".',
  ],
  [
    "a hub with a component that is not healthy",
    "hub.example.org /api/v2.0/health",
    { status: 200, body: JSON.stringify({ status: "unhealthy", components: [] }) },
    'problem hub.example.org GET /api/v2.0/health: 200, but of its body status is wrong: Invalid input: expected "healthy".',
  ],
  [
    "a suite in maintenance",
    "cloud.example.org /status.php",
    { status: 200, body: JSON.stringify({ installed: true, maintenance: true, needsDbUpgrade: false }) },
    "problem cloud.example.org GET /status.php: 200, but of its body maintenance is wrong: Invalid input: expected false.",
  ],
  [
    "data of a suite that anybody may read",
    "cloud.example.org /data/nextcloud.log",
    { status: 200, body: "{}" },
    "problem cloud.example.org GET /data/nextcloud.log: It answers 200, not 404 or 503.",
  ],
  [
    "an office that is another program",
    "office.cloud.example.org /hosting/discovery",
    { status: 200, body: "<html>" },
    'problem office.cloud.example.org GET /hosting/discovery: 200, but its body has no "wopi-discovery".',
  ],
  [
    "a webhook without its route",
    "POST sync.example.org /sync/-/-",
    noRoute,
    'problem sync.example.org POST /sync/-/-: 404, but its header content-length is "".',
  ],
];

describe("a platform with", () => {
  it.each(broken)("%s is told of it, and of nothing else", async (_, question, reply, says) => {
    platform.replies.set(question, reply);
    const found = await faults();
    expect(found.filter((each) => !each.includes(" signed in:"))).toEqual([says]);
  });

  it("a server on the SSH port that is none is told of it", async () => {
    platform.greeting = "HTTP/1.1 400 Bad Request\r\n";
    expect(await faults()).toEqual(['problem forge.example.org SSH: It greets with "HTTP/1.1 400 Bad Request".']);
  });

  it("a password that was changed is a warning", async () => {
    platform.passwords.set("platform/hub-admin", "wrong");
    expect(await faults()).toEqual([
      "warning hub.example.org GET /api/v2.0/users/current signed in: It answers 401, not 200. The Secret has the first password.",
      "warning hub.example.org GET /v2/ signed in: It answers 401, not 200. The Secret has the first password.",
    ]);
  });

  it("a Secret that lacks the name or the password is not asked with", async () => {
    const encoded = Buffer.from("admin").toString("base64");
    for (const data of [{ username: encoded }, { password: encoded }, { username: encoded, password: "" }, undefined]) {
      const read = async <T>() => ({ data }) as T;
      const found = await faults({ cluster: { read } });
      expect(found.filter((each) => each.endsWith("the Secret with the password can't be read."))).toHaveLength(4);
    }
    expect(platform.asked.filter((each) => each.startsWith("signed in"))).toEqual([]);
  });

  it("a Secret that is not there is not asked with", async () => {
    platform.passwords.delete("cloud/cloudsuite-admin");
    expect(await faults()).toEqual([
      "unknown cloud.example.org GET /ocs/v2.php/cloud/user?format=json signed in: It was not asked: the Secret with the password can't be read.",
    ]);
  });
});

describe("no password is sent", () => {
  it("to a host whose certificate is not trusted", async () => {
    const found = await faults({ ways: { ...platform.means.ways, authority: undefined } });
    expect(found).toContainEqual(expect.stringMatching(/^problem hub\.example\.org certificate: Clients refuse it: /));
    expect(found.filter((each) => each.includes(" signed in: It was not asked: no password is sent"))).toHaveLength(4);
    expect(platform.asked.filter((each) => each.startsWith("signed in"))).toEqual([]);
  });

  it("where the cluster does not answer, and all else is asked", async () => {
    const { stderr, status, stdout } = await command();
    expect([status, stderr], stdout).toEqual([
      0,
      expect.stringMatching(/^Nothing is asked signed in: .*none\.yaml does not exist\. Correct --kubeconfig .*\n$/),
    ]);
    expect(stdout).toMatch(/^Stack prod answers as it should: \d+ questions to 6 hosts; 4 not asked/m);
    expect(platform.asked.filter((each) => each.startsWith("signed in"))).toEqual([]);
  });
});

it("a certificate that should have been renewed is a warning", async () => {
  const day = 86_400_000;
  const certificates = async (days: number) => {
    const now = new Date(Date.now() + days * day);
    return (await faults({ now })).map((each) => each.split(" ")[0]);
  };
  expect(await certificates(80)).toEqual(Array(6).fill("warning"));
  expect(await certificates(70)).toEqual([]);
});

it("hosts that do not answer are problems, and nothing more is asked of them", async () => {
  const found = await faults({ ways: { ...platform.means.ways, https: 1, ssh: 1 } });
  expect(found.map((each) => each.replace(/: (No \w+).*$/, " $1"))).toEqual([
    ...targets.map(({ host }) => `problem ${host} certificate No TLS`),
    `problem ${ssh?.host} SSH No answer`,
  ]);
  expect(platform.asked).toEqual([]);
});

it("git's SSH is asked at its own port and host where the command names no ports", async () => {
  const project = mkdtempSync(join(tmpdir(), "hearth-smoke-ssh-"));
  const server = createServer((socket) => void socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  writeStack(
    withSettings(committedStack("prod"), { "forge.ssh.port": port, "forge.ssh.domain": "ssh.example.org" }),
    project,
    "Pulumi.test.yaml",
  );
  const options = ["--stack", "test", "--kubeconfig", "none.yaml", "--address", "127.0.0.1", "--json"];
  const { stdout, stderr } = await hearthIn(project, "smoke", ...options);
  const { rows } = SmokeOutput.parse(JSON.parse(stdout || JSON.stringify(stderr)));
  expect(rows.filter(({ code }) => code === "ssh")).toMatchObject([
    { host: "ssh.example.org", status: "ok", message: "SSH-2.0-OpenSSH_9.9" },
  ]);
});

it("a suite is asked for its push server where that is on", () => {
  const asked = (enabled: boolean) => {
    const { stack } = checkFiles(withSettings(committedStack("prod"), { "cloudsuites[0].push": { enabled } }));
    if (!stack) throw new Error("The stack has problems.");
    return smokeTargets(stack).flatMap(({ host, requests }) =>
      requests.filter(({ to }) => to === "push").map(({ path, status }) => `${host}${path} ${status}`),
    );
  };
  expect(asked(true)).toEqual(["cloud.example.org/push/ws 400"]);
  expect(asked(false)).toEqual([]);
});

it("a name without a record is a problem where DNS is asked", async () => {
  // It resolves nowhere. (RFC 6761)
  const target = { host: "forge.invalid", requests: [], redirects: true };
  const ways = { ...platform.means.ways, address: undefined };
  const { rows } = await smoke("x", [target], undefined, { ...platform.means, ways });
  expect(rows).toEqual([expect.objectContaining({ status: "problem", message: "The name has no record." })]);
});

describe("a command line that makes no sense is a usage error:", () => {
  it.each([
    ["two ports", ["--ports", "1,2"], "It takes three ports"],
    ["a port that is none", ["--ports", "1,2,x"], "It takes three ports"],
    ["a site of others", ["--site", "https://example.com/"], "--site takes the URL of a site of this stack"],
    ["a site whose name ends alike", ["--site", "https://teampages.example.org/"], "--site takes the URL"],
    ["the domain of all sites", ["--site", "https://pages.example.org/"], "--site takes the URL"],
    ["a site by plain HTTP", ["--site", "http://team.pages.example.org/"], "--site takes the URL"],
  ])("%s", async (_, options, says) => {
    const { status, stderr } = await hearth(".", "smoke", "--stack", "prod", ...options);
    expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});

describe("the sign-in page of a suite whose users sign on elsewhere", () => {
  const login = "cloud.example.org /login";
  const faultOf = async () => (await faults()).join("\n");

  it("has a button that leads to the provider", async () => {
    platform.replies.set(login, signInPage([]));
    expect(await faultOf()).toBe(
      "problem cloud.example.org GET /login: 200, but the page has no button that leads to the provider.",
    );
    platform.replies.set(login, signInPage([{ name: "other", href: "/apps/saml/login/7" }]));
    expect(await faultOf()).toContain("no button");
    const plain = { status: 200, body: '<a href="/index.php/apps/user_oidc/login/12?redirectUrl=">forge</a>' };
    platform.replies.set(login, plain);
    expect(await faultOf()).toBe("");
  });

  it("leads there at once where the settings say so", async () => {
    const { stack: automatic } = checkFiles(
      withSettings(committedStack("prod"), { "cloudsuites[0].signOn.automatic": true }),
    );
    const ask = async (reply: Reply) => {
      platform.replies.set(login, reply);
      const { rows } = await smoke("prod", automatic ? smokeTargets(automatic) : [], ssh, platform.means);
      return rows
        .filter(({ subject }) => subject === "GET /login")
        .map(({ status, message }) => `${status} ${message}`);
    };
    const to = (location: string) => ({ status: 302, headers: { location } });
    expect(await ask(to("https://cloud.example.org/apps/user_oidc/login/7"))).toEqual(["ok 302"]);
    expect(await ask(to("https://cloud.example.org/index.php"))).toEqual([
      "problem 302, but it does not lead to the provider.",
    ]);
    expect(await ask(signInPage([]))).toEqual(["problem It answers 200, not 302 or 303."]);
  });

  it("is not looked at where people have accounts in the suite", async () => {
    const { stack: local } = checkFiles(withSettings(committedStack("prod"), { "cloudsuites[0].signOn": undefined }));
    const asked = local ? smokeTargets(local).flatMap(({ requests }) => requests.map(({ path }) => path)) : ["/login"];
    expect(asked).not.toContain("/login");
  });
});
