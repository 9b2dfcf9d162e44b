import { groupOf, operators } from "@hearth-platform/stack/preflight/operators";
import { describe, expect, it } from "vitest";
import { hearth } from "../support/caller.ts";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { DevStack, kubernetesObjects, sandbox } from "../support/stack.ts";

describe("a cluster before the first update", () => {
  // Its CRDs go one by one, so it is nobody else's.
  inEmptySandbox("doctor");
  const stack = new DevStack();
  const doctor = (...args: string[]) => hearth(stack.folder, "doctor", "--stack", "dev", "--sandbox", ...args);

  it("that has what stack dev needs is ready, and the doctor says what can't be seen", async () => {
    const { status, stdout } = await doctor();
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/The cluster is ready for stack dev; .*\.\n$/);
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
    const { findings } = JSON.parse((await doctor("--json")).stdout);
    expect(findings).toContainEqual(expect.objectContaining({ code: "issuers", status: "ok" }));
    expect(findings).toContainEqual(expect.objectContaining({ code: "rights", status: "ok" }));
  });

  it("without a storage class or an issuer is refused at preview, which names them", async () => {
    const issuers = await kubernetesObjects("clusterissuers", "letsencrypt-prod");
    expect(issuers).toHaveLength(1);
    await sandbox("kubectl", "delete", "clusterissuer", "letsencrypt-prod");
    await sandbox("kubectl", "delete", "storageclass", "replicated-block");
    const { exitCode, all } = await stack.pulumi("preview");
    expect(exitCode, all).not.toBe(0);
    expect(all).toContain("storage class replicated-block: It is not there");
    expect(all).toContain("ClusterIssuer letsencrypt-prod: It is not there");
  });

  const needed = [
    "Cluster",
    "ObjectStore",
    "Certificate",
    "IngressRoute",
    "ExternalSecret",
    "PodMonitor",
    "StaticSite",
  ];
  it.each(needed)("without the CRDs that bring %s is not ready: doctor, preview and gate say so", async (kind) => {
    const definitions = (await kubernetesObjects("crds")) as {
      metadata: { name: string };
      spec?: { names?: { kind: string } };
    }[];
    const group = groupOf(
      `${definitions.find(({ spec }) => spec?.names?.kind === kind)?.metadata.name.replace(/^[^.]+\./, "")}/x`,
    );
    const { name = "" } = operators.find(({ groups }) => groups.includes(group)) ?? {};
    const own = definitions.map(({ metadata }) => metadata.name).filter((each) => each.endsWith(`.${group}`));
    expect(own.length).toBeGreaterThan(0);
    await sandbox("kubectl", "delete", "crd", ...own);
    const says = `kinds of ${name}`;
    // The API server's discovery follows its definitions a moment later.
    await expect
      .poll(async () => (await doctor()).stdout, { timeout: 30_000, interval: 500 })
      .toMatch(new RegExp(`^missing +${says}`, "m"));
    const { status, stdout } = await hearth(
      stack.folder,
      "gate",
      "--stack",
      "dev",
      "--sandbox",
      "--config-file",
      "Pulumi.dev.yaml",
    );
    expect(status, stdout).toBe(1);
    expect(stdout).toContain("Nothing was created. The cluster lacks");
    expect(stdout).toContain(`- ${says}: The cluster does not serve`);
  });
});
