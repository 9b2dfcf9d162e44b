import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { initCommand } from "@hearth-platform/cli/init/command";
import { prerequisitesCommand } from "@hearth-platform/cli/prerequisites/command";
import { kubeContext } from "@hearth-platform/sandbox/paths";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse, stringify } from "yaml";
import { type Answer, call } from "../support/caller.ts";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { kubernetesObjects, sandbox } from "../support/stack.ts";

/**
 * From a cluster without operators to a suite, by the tutorial's own commands: the sandbox with its CRDs taken away. A stand-in
 * for helm brings of each chart what the cluster sees of it: the CRDs, and a Deployment with the operator's image.
 */

const page = readFileSync(join(import.meta.dirname, "../../docs/tutorial/k3s.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "hearth-bare-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ofOperators =
  /(cert-manager\.io|cnpg\.io|traefik\.io|gateway\.networking\.k8s\.io|monitoring\.coreos\.com|external-secrets\.io)$/;

/** Of each chart its CRDs, by their folder, and the image that it runs. */
const charts = {
  "cert-manager": ["cert-manager", "quay.io/jetstack/cert-manager-controller:v1.21.2"],
  "cloudnative-pg": ["cloudnative-pg", "ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0"],
  "plugin-barman-cloud": ["plugin-barman-cloud", "ghcr.io/cloudnative-pg/plugin-barman-cloud:v0.15.0"],
  traefik: ["traefik", "docker.io/traefik:v3.5.3"],
} as const;

/** Arguments of the page's one call of `./hearth COMMAND`, without the cluster that a person's kubeconfig has. */
function words(command: string): string[] {
  const [, line = ""] = new RegExp(`^\\$ \\./hearth ${command} (.+)$`, "m").exec(page) ?? [];
  return line.split(" ");
}

inEmptySandbox("e2e-bare");

describe("a cluster without operators", () => {
  let onSandbox: string[] = [];
  const prerequisites = (...more: string[]): Promise<Answer> =>
    call(prerequisitesCommand, folder, [...words("prerequisites"), ...onSandbox, ...more], folder);

  beforeAll(async () => {
    const { paths, programs } = await openSandbox();
    onSandbox = ["--kubeconfig", paths.kubeconfig, "--context", kubeContext];
    const definitions = await kubernetesObjects("crd");
    const names = definitions.map(({ metadata }) => metadata.name).filter((name) => ofOperators.test(name));
    expect(names.length).toBeGreaterThan(20);
    const deleted = await sandbox("kubectl", "delete", "crd", ...names);
    expect(deleted.exitCode, deleted.all).toBe(0);

    const kubectl = `${programs.kubectl} --kubeconfig ${paths.kubeconfig}`;
    const cases = Object.entries(charts).map(
      ([name, [crds, image]]) => `  ${name})
    ${kubectl} apply --server-side --filename ${join(programs.crds, crds)} || exit 1
    ${kubectl} wait --for condition=established crd --all --timeout 60s
    ${kubectl} create namespace "$namespace" 2>/dev/null
    ${kubectl} --namespace "$namespace" create deployment ${name} --image ${image} ;;`,
    );
    const helm = `#!/bin/sh
chart= namespace=
for word in "$@"; do
  [ "$last" = --install ] && chart=$word
  [ "$last" = --namespace ] && namespace=$word
  last=$word
done
case "$chart" in
${cases.join("\n")}
  *) echo "No chart $chart here." >&2; exit 1 ;;
esac
`;
    // The issuer becomes ready, as cert-manager makes it.
    const standIn = `#!/bin/sh
${programs.kubectl} "$@" || exit 1
${kubectl} patch clusterissuer letsencrypt --subresource status --type merge \\
  --patch '{"status":{"conditions":[{"type":"Ready","status":"True"}]}}'
`;
    for (const [name, content] of Object.entries({ helm, kubectl: standIn })) {
      writeFileSync(join(folder, name), content);
      chmodSync(join(folder, name), 0o755);
    }
    vi.stubEnv("PATH", `${folder}${delimiter}${process.env.PATH}`);
  });
  afterAll(() => vi.unstubAllEnvs());

  it("is asked by init, which writes a stack for it", async () => {
    const { status, stderr } = await call(initCommand, folder, [...words("init"), ...onSandbox], folder);
    expect(status, stderr).toBe(0);
    const { config } = parse(readFileSync(join(folder, "Pulumi.k3s.yaml"), "utf8"));
    expect(config).toMatchObject({
      "hearth:kubernetes": { context: kubeContext, identity: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      "hearth:monitoring": false,
    });
    expect(config["hearth:ingress"]).toEqual({ clusterIssuer: "letsencrypt" });
  });

  it("gets what the stack needs, and then lacks nothing", async () => {
    const { status, stderr } = await prerequisites("--yes");
    expect(status, stderr).toBe(0);
    for (const name of Object.keys(charts)) expect(stderr).toContain(`--install ${name} `);
    const again = await prerequisites("--yes");
    expect([again.status, again.stderr]).toEqual([0, expect.stringContaining("Nothing is to be installed.")]);
  });

  it("takes the suite then", async () => {
    // The engine runs in the checkout; the files are not there.
    const file = join(folder, "Pulumi.k3s.yaml");
    const settings = parse(readFileSync(file, "utf8"));
    settings.config["hearth:cloudsuites"][0].config = join(folder, "suites/demo/config.yaml");
    writeFileSync(file, stringify(settings));
    cpSync(join(import.meta.dirname, "../../Pulumi.yaml"), join(folder, "Pulumi.yaml"));
    const made = await sandbox("pulumi", "--cwd", folder, "stack", "init", "k3s", "--no-select");
    expect(made.exitCode, made.all).toBe(0);
    const options = ["--stack", "k3s", "--config-file", file, "--non-interactive", "--color", "never"];
    const up = sandbox("pulumi", "up", "--yes", "--skip-preview", ...options);
    const waited = sandbox("kubectl", "wait", "--for=create", "namespace/demo", "--timeout=2m");
    // Where the update ends first, it says why.
    const first = await Promise.race([waited, up]);
    expect(first.exitCode, first.all).toBe(0);
    const keys = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"].map((key) => `--from-literal=${key}=x`);
    await sandbox("kubectl", "-n", "demo", "create", "secret", "generic", "s3-keys", ...keys);
    const { exitCode, all } = await up;
    expect(exitCode, all).toBe(0);
    const [suite] = await kubernetesObjects("deployment/cloudsuite", "--namespace", "demo");
    expect(suite?.status).toMatchObject({ readyReplicas: 1 });
  });
});
