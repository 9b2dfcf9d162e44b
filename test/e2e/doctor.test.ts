import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CreateBucketCommand, DeleteBucketCommand, DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { prerequisites } from "@hearth-platform/hearth/catalogue/prerequisites";
import { describe, expect, it } from "vitest";
import { hearth } from "../support/caller.ts";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { sandboxObjectStore } from "../support/object-store.ts";
import { render } from "../support/render.ts";
import { DevStack, kubernetesObjects, sandbox } from "../support/stack.ts";
import { type Changes, smallStack, withSettings } from "../support/stack-files.ts";

describe("a cluster before the first update", () => {
  // Its CRDs go one by one, so it is nobody else's.
  inEmptySandbox("doctor");
  const stack = new DevStack();
  const onStack = ["--stack", "dev", "--sandbox", "--config-file", "Pulumi.dev.yaml"];
  const doctor = (...args: string[]) => hearth(stack.folder, "doctor", ...onStack, ...args);

  it("that has what stack dev needs is ready, and the doctor says what can't be seen", async () => {
    const { status, stdout } = await doctor();
    expect(status, stdout).toBe(0);
    expect(stdout).toMatch(/The cluster is ready for stack dev; .*\.\n$/);
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
    const { findings } = JSON.parse((await doctor("--json")).stdout);
    expect(findings).toContainEqual(expect.objectContaining({ code: "issuers", status: "ok" }));
    expect(findings).toContainEqual(expect.objectContaining({ code: "rights", status: "ok" }));
  });

  it("whose buckets hold an archive or files of a database that is gone is refused; where the database is there, its state is lost", async () => {
    const s3 = await sandboxObjectStore();
    const archived = {
      Bucket: "backups-team-dev1",
      Key: "cloudsuite-db/wals/0000000100000000/000000010000000000000001.gz",
    };
    const file = { Bucket: "data-club-dev1", Key: "urn:oid:1" };
    for (const { Bucket, Key } of [archived, file]) {
      await s3.send(new CreateBucketCommand({ Bucket }));
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: "x" }));
    }
    const refused = await stack.pulumi("preview");
    expect(refused.exitCode, refused.all).not.toBe(0);
    expect(refused.all).toContain("Nothing was created. The update would begin anew beside data that is in use:");
    expect(refused.all).toMatch(/- database team\/cloudsuite-db: .*backups-team-dev1 has an archive under its name/);
    expect(refused.all).toMatch(/- database club\/cloudsuite-db: .*data-club-dev1 holds objects/);
    expect((await doctor()).stdout).toMatch(/^unsafe +database team\/cloudsuite-db/m);

    // As a lost state leaves it: what an update made is there, and the state is empty.
    const folder = await render("dev");
    for (const name of ["team", "club"]) {
      const applied = await sandbox("kubectl", "apply", "-f", `${folder}/${name}/namespace-${name}.yaml`);
      expect(applied.exitCode, applied.all).toBe(0);
      await sandbox("kubectl", "apply", "-f", `${folder}/${name}/cluster-cloudsuite-db.yaml`);
    }
    const lost = await stack.pulumi("preview");
    expect(lost.exitCode, lost.all).not.toBe(0);
    expect(lost.all).toContain("This platform is in the cluster already, and this stack's state does not know it:");
    expect(lost.all).toMatch(/- namespace team, .*: database cloudsuite-db/);
    expect(lost.all).not.toContain("begin anew");

    await sandbox("kubectl", "delete", "namespace", "team", "club");
    for (const { Bucket, Key } of [archived, file]) {
      await s3.send(new DeleteObjectCommand({ Bucket, Key }));
      await s3.send(new DeleteBucketCommand({ Bucket }));
    }
  });

  it("with an operator that gets no fixes any more, or does not run, is warned of at preview", async () => {
    const deployment = ["deployment", "cnpg", "--namespace", "default"];
    const image = "ghcr.io/cloudnative-pg/cloudnative-pg:1.29.0";
    expect(await sandbox("kubectl", "create", ...deployment, `--image=${image}`)).toMatchObject({ exitCode: 0 });
    const warned = async () => {
      const { exitCode, all } = await stack.pulumi("preview");
      expect(exitCode, all).toBe(0);
      return all.replace(/\s+/g, " ");
    };
    expect(await sandbox("kubectl", "rollout", "status", ...deployment)).toMatchObject({ exitCode: 0 });
    expect(await warned()).toContain(
      `CloudNativePG: default/cnpg runs ${image}: CloudNativePG 1.29 has had no fixes since 2026-09-29.`,
    );
    expect(await sandbox("kubectl", "scale", ...deployment, "--replicas=0")).toMatchObject({ exitCode: 0 });
    await expect
      .poll(() => sandbox("kubectl", "get", ...deployment, "-o", "jsonpath={.status.readyReplicas}"), {
        timeout: 60_000,
      })
      .toMatchObject({ stdout: "" });
    expect(await warned()).toContain("CloudNativePG: default/cnpg has no ready pod.");
    await sandbox("kubectl", "delete", ...deployment);
  });

  it("lets in a deployer with the roles that hearth rights prints, for all that the update does, and without them nobody", async () => {
    await sandbox("kubectl", "create", "serviceaccount", "deployer");
    const config = JSON.parse((await sandbox("kubectl", "config", "view", "--raw", "--minify", "-o", "json")).stdout);
    const { stdout: token } = await sandbox("kubectl", "create", "token", "deployer");
    for (const each of config.users) each.user = { token: token.trim() };
    const kubeconfig = join(stack.folder, "deployer.json");
    writeFileSync(kubeconfig, JSON.stringify(config));
    const asDeployer = ["--stack", "dev", "--kubeconfig", kubeconfig];
    const rightsSeen = async () => {
      const { stdout } = await hearth(stack.folder, "doctor", ...asDeployer, "--json");
      return JSON.parse(stdout).findings.filter(({ code }: { code: string }) => code === "rights");
    };
    expect(await rightsSeen()).toContainEqual(
      expect.objectContaining({ status: "missing", subject: "your rights on endpoints" }),
    );

    const subject = ["--subject", "ServiceAccount/default/deployer"];
    const roles = join(stack.folder, "roles.yaml");
    writeFileSync(roles, (await hearth(stack.folder, "rights", "--stack", "dev", ...subject)).stdout);
    const folder = await render("dev");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
    const ofKinds = (kinds: RegExp) =>
      files.filter((file) => kinds.test(file)).flatMap((file) => ["-f", `${folder}/${file}`]);
    const namespaces = ofKinds(/\/namespace-/);
    // Nothing can be tried in a namespace that is not there, and no role bound.
    const first = [...namespaces, ...ofKinds(/\/(cluster)?role-/)];
    try {
      const applied = await sandbox("kubectl", "apply", "-f", roles, ...first);
      expect(applied.exitCode, applied.all).toBe(0);
      expect(await rightsSeen()).toMatchObject([{ status: "ok" }]);
      const tried = await hearth(stack.folder, "validate", ...asDeployer, "--json");
      const [{ problems }] = JSON.parse(tried.stdout);
      expect(problems.filter(({ code }: { code: string }) => code.startsWith("dry-run"))).toEqual([]);
      expect(tried.stdout).not.toMatch(/forbidden/i);
    } finally {
      await sandbox("kubectl", "delete", "-f", roles, ...first);
    }
  });

  it("without a storage class or an issuer is refused at preview, which names them", async () => {
    const issuers = await kubernetesObjects("clusterissuers", "letsencrypt-prod");
    expect(issuers).toHaveLength(1);
    await sandbox("kubectl", "delete", "clusterissuer", "letsencrypt-prod");
    await sandbox("kubectl", "delete", "storageclass", "replicated-block");
    const { exitCode, all } = await stack.pulumi("preview");
    expect(exitCode, all).not.toBe(0);
    expect(all).toContain("storage class replicated-block: It does not exist");
    expect(all).toContain("ClusterIssuer letsencrypt-prod: It does not exist");
  });

  // What a stack needs by its settings alone.
  const asked: Readonly<Record<string, Changes>> = {
    "gateway.networking.k8s.io": { "ingress.kind": "gateway" },
    "s3.aws.upbound.io": { objectStorage: { provisioner: "cluster" } },
  };
  it.each(prerequisites)(
    "without the CRDs of $name is not ready: doctor, preview and gate say so",
    async ({ name, group }) => {
      stack.use(withSettings(smallStack(), asked[group] ?? {}));
      const definitions = await kubernetesObjects("crds");
      const own = definitions.map(({ metadata }) => metadata.name).filter((each) => each.endsWith(`.${group}`));
      expect(own.length).toBeGreaterThan(0);
      await sandbox("kubectl", "delete", "crd", ...own);
      const says = `kinds of ${name}`;
      // The API server's discovery follows its definitions a moment later.
      await expect
        .poll(async () => (await doctor()).stdout, { timeout: 30_000, interval: 500 })
        .toMatch(new RegExp(`^missing +${says}`, "m"));
      const { status, stdout } = await hearth(stack.folder, "gate", ...onStack);
      expect(status, stdout).toBe(1);
      expect(stdout).toContain("Nothing was created. The update could not finish, because the cluster lacks");
      expect(stdout).toContain(`- ${says}: The cluster does not serve`);
    },
  );
});
