import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import type { Finding } from "@hearth-platform/stack/live/preflight/finding";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hearth } from "../support/caller.ts";
import { inEmptySandbox } from "../support/empty-sandbox.ts";
import { DevStack, kubernetesObjects, sandbox } from "../support/stack.ts";
import { smallStack, withConfig, withSettings } from "../support/stack-files.ts";

const root = join(import.meta.dirname, "../..");

inEmptySandbox("e2e-named-troubles");

/** Pods of the suite's keystore as a kubelet shows them whose registry has no such image. */
const unpullable = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: pod-unpullable }
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  # Before the Stages that make a pod ready.
  weight: 1
  selector:
    matchLabels: { app.kubernetes.io/name: keystore }
    matchExpressions:
      - jq: { key: .metadata.deletionTimestamp, operator: DoesNotExist }
      - jq: { key: .metadata.namespace, operator: In, values: [club] }
      - jq: { key: .status.startTime, operator: Exists }
  steps:
    - patch:
        subresource: status
        root: status
        template: |
          phase: Pending
          containerStatuses:
          {{ range .spec.containers }}
          - name: {{ .name | Quote }}
            image: {{ .image | Quote }}
            imageID: ""
            ready: false
            started: false
            restartCount: 0
            state:
              waiting:
                reason: ImagePullBackOff
                message: 'Back-off pulling image {{ .image }}: ErrImagePull: not found'
          {{ end }}
`;

/** A class whose provisioner runs nowhere. */
const idleClass = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: smb-csi }
provisioner: idle.example.org
allowVolumeExpansion: true
reclaimPolicy: Retain
`;

/** An issuer that proves the suites' names only; it exists and is ready all the same. */
const suitesOnly = JSON.stringify({
  spec: {
    acme: {
      solvers: [
        {
          http01: { ingress: { ingressClassName: "traefik" } },
          selector: { dnsZones: ["team.example.org", "club.example.org"] },
        },
      ],
    },
  },
});

describe("an update that can't go on", () => {
  const stack = new DevStack(
    withConfig(
      withSettings(smallStack(), { "secrets.existing": { "office-credentials": "office" } }),
      "suites/team/config.yaml",
      { "storage.storageClass": "smb-csi" },
    ),
  );
  const said: { text: string; at: number }[] = [];
  const ending = new AbortController();
  let update: Promise<unknown> | undefined;

  beforeAll(async () => {
    const faults = join(stack.folder, "faults.yaml");
    writeFileSync(faults, [unpullable, idleClass].join("---\n"));
    for (const change of [
      ["delete", "storageclass", "smb-csi"],
      ["apply", "-f", faults],
      ["patch", "clusterissuer", "letsencrypt-prod", "--type=merge", `-p=${suitesOnly}`],
    ]) {
      const { exitCode, all } = await sandbox("kubectl", ...change);
      expect(exitCode, all).toBe(0);
    }
    // No check of the cluster before the update can see these faults; nobody can make the Secret before its namespace.
    const preview = await stack.pulumi("preview");
    expect(preview.exitCode, preview.all).toBe(0);
    expect(preview.all).toContain("Secret team/office: It does not exist, and the stack does not create it.");
    expect(preview.all).toContain("Create it as soon as the namespace exists: `kubectl -n team create secret generic");
    const opened = await openSandbox();
    const options = ["--stack", "dev", "--config-file", stack.stackFile, "--non-interactive", "--color", "never"];
    const running = execa(opened.programs.pulumi, ["up", "--yes", "--skip-preview", ...options], {
      cwd: root,
      env: sandboxEnvironment(opened),
      all: true,
      reject: false,
      stdin: "ignore",
      cancelSignal: ending.signal,
    });
    running.all.on("data", (text) => said.push({ text: String(text), at: Date.now() }));
    update = running;
  });

  afterAll(async () => {
    ending.abort();
    await update;
  });

  it.each([
    [
      "an image that can't be pulled",
      ["pod", "keystore-0", "--namespace", "club"],
      "pods of club/keystore: Container keystore of pod keystore-0: image docker.io/valkey/valkey:8.1.9-alpine can't be pulled",
    ],
    [
      "a volume claim whose class has no provisioner",
      ["pvc", "cloudsuite", "--namespace", "team"],
      "volume claim team/cloudsuite: It has no volume of storage class smb-csi",
    ],
    [
      "a certificate that the issuer refuses",
      ["certificate", "site-webhook-tls", "--namespace", "site-webhook"],
      "certificate site-webhook/site-webhook-tls: The certificate request has failed to complete",
    ],
  ])("names %s within 20 seconds", async (_, object, words) => {
    const naming = () => said.find(({ text }) => text.includes(`warning: ${words}`));
    await expect.poll(naming, { timeout: 120_000, interval: 200 }).toBeDefined();
    const [made] = await kubernetesObjects(...object);
    const { creationTimestamp = "" } = (made?.metadata ?? {}) as { creationTimestamp?: string };
    expect((naming()?.at ?? 0) - Date.parse(creationTimestamp)).toBeLessThan(20_000);
  });

  it("is explained by the doctor in the same words, with a remedy", async () => {
    const options = ["--stack", "dev", "--sandbox", "--config-file", "Pulumi.dev.yaml", "--json"];
    const { status, stdout } = await hearth(stack.folder, "doctor", ...options);
    expect(status, stdout).toBe(1);
    const { findings } = JSON.parse(stdout);
    expect(findings).toContainEqual(
      expect.objectContaining({ status: "missing", code: "awaited", subject: "Secret team/office" }),
    );
    const problems = findings.filter((each: Finding) => each.status === "problem");
    expect(problems.map(({ code }: Finding) => code)).toEqual(
      expect.arrayContaining(["pods", "volume-claims", "certificates"]),
    );
    expect(problems.filter(({ remedy }: Finding) => remedy === "")).toEqual([]);
  });

  it("names a deleted Secret that a pod waits for in the kubelet's words, and the doctor says how it comes back", async () => {
    const own = ["--namespace", "team"];
    for (const object of [
      ["secret", "keystore-password"],
      ["pod", "keystore-0", "--grace-period=0", "--force"],
    ]) {
      const { exitCode, all } = await sandbox("kubectl", "delete", ...object, ...own);
      expect(exitCode, all).toBe(0);
    }
    const words = /warning: pods of team\/keystore: Pod keystore-0 can't be prepared: .*secret "keystore-password" not/;
    const naming = () => said.find(({ text }) => words.test(text));
    await expect.poll(naming, { timeout: 60_000, interval: 200 }).toBeDefined();
    const options = ["--stack", "dev", "--sandbox", "--config-file", "Pulumi.dev.yaml", "--json"];
    const { stdout } = await hearth(stack.folder, "doctor", ...options);
    const gone = JSON.parse(stdout).findings.filter(({ code }: Finding) => code === "gone-secrets");
    expect(gone).toEqual([expect.objectContaining({ status: "warning", subject: "Secret team/keystore-password" })]);
  });
});
