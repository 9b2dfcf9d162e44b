import { readFileSync, writeFileSync } from "node:fs";
import { CreateBucketCommand, DeleteBucketCommand } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { sandboxObjectStore } from "../support/object-store.ts";
import { DevStack, sandbox } from "../support/stack.ts";
import { smallStack, withSettings } from "../support/stack-files.ts";

inEmptySandbox("e2e-first-update");

const names = (text: string) => /hearth:allowDataLoss: \[(.*)\]/.exec(text)?.[1]?.split(", ") ?? [];

describe("a first update", () => {
  const team = { name: "team", config: "suites/team/config.yaml" };
  const files = withSettings(smallStack(), { cloudsuites: [team], siteWebhook: undefined });
  const stack = new DevStack(files);
  const edit = (change: (config: { namespace: string; s3: { buckets: { data: string } } }) => void) => {
    const config = parse(readFileSync(stack.configFile, "utf8"));
    change(config);
    writeFileSync(stack.configFile, stringify(config));
  };

  it("into a namespace of others is refused at preview, which names the setting that uses it", async () => {
    expect((await sandbox("kubectl", "create", "namespace", "team")).exitCode).toBe(0);
    const refused = await stack.pulumi("preview");
    expect(refused.exitCode, refused.all).not.toBe(0);
    expect(refused.all).toContain("namespace team: It exists already");
    expect(refused.all).toContain("hearth:existingNamespaces: [team]");
    stack.editSettings((settings) => {
      settings["hearth:existingNamespaces"] = ["team"];
    });
    const adopted = await stack.preview();
    expect(adopted.exitCode, adopted.all).toBe(0);
    expect(adopted.all).not.toContain("kubernetes:core/v1:Namespace ");
    expect((await sandbox("kubectl", "delete", "namespace", "team")).exitCode).toBe(0);
    stack.use(files);
  });

  it("that failed at a bucket of others goes on with another name, and the suite may be renamed in what was not made", async () => {
    const s3 = await sandboxObjectStore();
    await s3.send(new CreateBucketCommand({ Bucket: "data-team-dev1" }));
    const failed = await stack.pulumi("up", "--yes", "--skip-preview");
    expect(failed.exitCode, failed.all).not.toBe(0);
    expect(failed.all).toContain("data-team-dev1");

    // What was made of it is named, and nothing else.
    stack.editSettings((settings) => {
      settings["hearth:cloudsuites"] = undefined;
    });
    const left = await stack.preview();
    expect(left.exitCode, left.all).not.toBe(0);
    expect(left.all).not.toContain("state unprotect");
    expect(names(left.all)).toContain("team");
    expect(names(left.all)).not.toContain("team/cloudsuite-db");
    expect(names(left.all)).not.toContain("data-team-dev1");

    stack.use(files);
    // What its destroy asks for is recorded by an update that fails again.
    const destroy = () => stack.pulumi("destroy", "--yes");
    const locked = (await destroy()).all.replace(/\s+/g, " ");
    const asked = [...locked.matchAll(/hearth:allowDataLoss: \[([^\]]*)\]/g)].flatMap(([, all = ""]) =>
      all.split(", "),
    );
    expect(locked).toContain("holds data. To delete it");
    expect(asked).toContain("team");
    stack.editSettings((settings) => {
      settings["hearth:allowDataLoss"] = [...new Set(asked)];
    });
    expect((await stack.pulumi("up", "--yes", "--skip-preview")).exitCode).not.toBe(0);
    expect((await stack.pulumi("destroy", "--preview-only")).all).not.toContain("holds data. To delete it");

    stack.use(files);
    edit((config) => {
      config.s3.buckets.data = "data-team-other";
    });
    const corrected = await stack.pulumi("up", "--yes", "--skip-preview");
    expect(corrected.exitCode, corrected.all).toBe(0);
    await s3.send(new DeleteBucketCommand({ Bucket: "data-team-dev1" }));
  });

  it("is followed by a removal: one message has every name to unlock, both databases of a recovery, and does it", async () => {
    const withSuite = readFileSync(stack.stackFile, "utf8");
    const recovering = parse(withSuite);
    recovering.config["hearth:cloudsuites"][0].recover = { suffix: "r1" };
    writeFileSync(stack.stackFile, stringify(recovering));
    const recovered = await stack.pulumi("up", "--yes", "--skip-preview");
    expect(recovered.exitCode, recovered.all).toBe(0);

    const edited = (change: (config: Record<string, unknown>) => void) => {
      writeFileSync(stack.stackFile, stringify(recovering));
      stack.editSettings(change);
    };
    edited((settings) => {
      delete settings["hearth:cloudsuites"];
    });
    const removed = await stack.pulumi("up", "--yes", "--skip-preview");
    expect(removed.exitCode, removed.all).not.toBe(0);
    expect(removed.all).not.toContain("state unprotect");
    const all = names(removed.all);
    expect(all).toEqual([
      "backups-team-dev1",
      "data-team-other",
      "team",
      "team/cloudsuite",
      "team/cloudsuite-admin",
      "team/cloudsuite-db",
      "team/cloudsuite-db-r1",
      "team/data-keystore-0",
    ]);

    edited((settings) => {
      settings["hearth:allowDataLoss"] = all;
    });
    const lifted = await stack.preview();
    expect(lifted.exitCode, lifted.all).toBe(0);
    expect(lifted.all).toContain("[diff: ~protect]");
    expect((await stack.changes()).filter(({ op }) => op !== "update")).toEqual([]);
    const unlocked = await stack.pulumi("up", "--yes", "--skip-preview");
    expect(unlocked.exitCode, unlocked.all).toBe(0);
    edited((settings) => {
      delete settings["hearth:cloudsuites"];
    });
    const gone = await stack.pulumi("up", "--yes", "--skip-preview");
    expect(gone.exitCode, gone.all).toBe(0);
  });
});
