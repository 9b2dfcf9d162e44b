import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { podSecurityViolations } from "@hearth-platform/policy/baseline/pod-security/pod-security";
import { Field } from "@hearth-platform/policy/core/field";
import type { Pod, SecurityContext } from "kubernetes-types/core/v1.d.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { podSecurityCases } from "../policy/baseline/pod-security-cases.ts";
import { sandbox } from "../support/stack.ts";

/** The pod-security check of the policies against the real admission of the API server: same verdict, for the same controls. */

/** How the admission's message begins what it says of a control. */
const reasons: Readonly<Record<string, RegExp>> = {
  allowPrivilegeEscalation: /allowPrivilegeEscalation != false \(/,
  appArmorProfile: /forbidden AppArmor profiles? \(/,
  capabilities_baseline: /non-default capabilities \(/,
  capabilities_restricted: /unrestricted capabilities \(/,
  hostNamespaces: /host namespaces \(/,
  hostPathVolumes: /hostPath volumes \(/,
  hostPorts: /hostPort \(/,
  hostProbesAndHostLifecycle: /probe or lifecycle host \(/,
  privileged: /privileged \(/,
  procMount: /procMount \(/,
  procMount_restricted: /procMount \(/,
  restrictedVolumes: /restricted volume types \(/,
  runAsNonRoot: /runAsNonRoot != true \(/,
  runAsUser: /runAsUser=0 \(/,
  seLinuxOptions: /seLinuxOptions \(/,
  seccompProfile_baseline: /seccompProfile \(/,
  seccompProfile_restricted: /seccompProfile \(/,
  sysctls: /forbidden sysctls \(/,
  windowsHostProcess: /hostProcess \(/,
};

const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
const ephemeralContexts: Readonly<Record<string, SecurityContext | undefined>> = {
  absent: undefined,
  restricted,
  "NET_BIND_SERVICE added": { ...restricted, capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } },
  "CHOWN added": { ...restricted, capabilities: { drop: ["ALL"], add: ["CHOWN"] } },
  "NET_RAW added": { ...restricted, capabilities: { drop: ["ALL"], add: ["NET_RAW"] } },
  privileged: { privileged: true },
  "root user": { ...restricted, runAsUser: 0 },
  "may be root": { ...restricted, runAsNonRoot: false },
  "no seccomp": { ...restricted, seccompProfile: { type: "Unconfined" } },
  "no AppArmor": { ...restricted, appArmorProfile: { type: "Unconfined" } } as SecurityContext,
  "SELinux type": { ...restricted, seLinuxOptions: { type: "spc_t" } },
};

let folder = "";
const levels = ["baseline", "restricted"] as const;
const namespaceOf = (level: string) => `pod-security-${level}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-pod-security-"));
  for (const level of levels) {
    const namespace = namespaceOf(level);
    expect((await sandbox("kubectl", "create", "namespace", namespace)).all).toContain("created");
    await sandbox("kubectl", "label", "namespace", namespace, `pod-security.kubernetes.io/enforce=${level}`);
    // Pods are refused before the namespace has its service account.
    await sandbox("kubectl", "wait", "--for=create", "serviceaccount/default", "--timeout=60s", "-n", namespace);
  }
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await sandbox("kubectl", "delete", "namespace", ...levels.map(namespaceOf), "--wait=false");
});

/** What the API server says to each of the pods, by its name: the reasons it has against it, or `admitted`. */
async function verdicts(level: string, pods: readonly Pod[]): Promise<Map<string, string>> {
  const file = join(folder, `${level}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: pods }));
  const { all } = await sandbox("kubectl", "create", "--dry-run=server", "-n", namespaceOf(level), "-f", file);
  const said = new Map<string, string>();
  for (const line of all.split("\n")) {
    const [, created] = /^pod\/(\S+) created/.exec(line) ?? [];
    const [, refused, why] = /pods "(\S+)" is forbidden: violates PodSecurity "\w+:latest": (.*)/.exec(line) ?? [];
    if (created) said.set(created, "admitted");
    else if (refused) said.set(refused, why ?? "");
  }
  return said;
}

describe.each(levels)("the %s level", (level) => {
  test("has the same verdict on every pod, for the same controls", async () => {
    const said = await verdicts(
      level,
      podSecurityCases.map(({ pod }) => pod),
    );
    expect(said.size, "pods with a verdict").toBe(podSecurityCases.length);
    expect(said.size).toBeGreaterThanOrEqual(148);
    for (const { name, pod } of podSecurityCases) {
      const answer = said.get(name) ?? "";
      const controls = new Set(podSecurityViolations(level, new Field("", pod)).map(({ control }) => control));
      expect(answer === "admitted", `${name}: ${answer}`).toBe(controls.size === 0);
      for (const control of controls) expect(answer, name).toMatch(reasons[control] ?? /never/);
      expect(answer.match(/(?:^|\), )[^(]*\(/g)?.length ?? 0, `${name}: ${answer}`).toBe(controls.size);
    }
  });

  test("has the same verdict on a container added to a pod that runs", async () => {
    const namespace = ["-n", namespaceOf(level)];
    const { pod: first } = podSecurityCases.find(({ name }) => name === "as-it-is") ?? {};
    const file = join(folder, "pod.json");
    writeFileSync(file, JSON.stringify(first));
    expect((await sandbox("kubectl", "create", ...namespace, "-f", file)).all).toContain("created");
    const running: Pod = JSON.parse(
      (await sandbox("kubectl", "get", "pod", "as-it-is", ...namespace, "-o", "json")).stdout,
    );
    const url = `/api/v1/namespaces/${namespaceOf(level)}/pods/as-it-is/ephemeralcontainers?dryRun=All`;

    for (const [name, securityContext] of Object.entries(ephemeralContexts)) {
      const ephemeralContainers = [{ name: "debug", image: "registry.k8s.io/pause", securityContext }];
      // The kubelet's part writes the pod's status meanwhile: a version would be out of date.
      const metadata = { ...running.metadata, resourceVersion: undefined };
      const pod = { ...running, metadata, spec: { ...running.spec, ephemeralContainers } };
      writeFileSync(file, JSON.stringify(pod));
      const { exitCode, all } = await sandbox("kubectl", "replace", "--raw", url, "-f", file);
      const findings = podSecurityViolations(level, new Field("", pod));
      expect(exitCode === 0, `${name}: ${all}`).toBe(findings.length === 0);
      if (exitCode !== 0) expect(all).toContain("violates PodSecurity");
    }
  });
});
