import { controlPlaneConfiguration, controlPlanePaths } from "@hearth-platform/sandbox/control-plane/configuration";
import { controlPlaneParts } from "@hearth-platform/sandbox/control-plane/parts";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { type Ports, portNames } from "@hearth-platform/sandbox/ports";
import type { Programs } from "@hearth-platform/sandbox/programs/programs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { parseAllDocuments } from "yaml";

const programs = { kube: "/programs/kube", kubectl: "/programs/kubectl", kwok: "/programs/kwok" } as Programs;
const ports = Object.fromEntries(portNames.map((name, index) => [name, 20_000 + index])) as Ports;
const paths = controlPlanePaths(sandboxPaths("unit"));

const documents = (text: string) => parseAllDocuments(text).map((document) => document.toJS());
const [cluster, logs] = documents(controlPlaneConfiguration(paths, ports, programs));

function patch(part: string, key: string) {
  const patches = cluster.componentsPatches.filter((candidate: { name: string }) => candidate.name === part);
  return patches
    .flatMap(({ extraArgs }: { extraArgs: Array<{ key: string }> }) => extraArgs)
    .find((arg: { key: string }) => arg.key === key);
}

describe("the control plane's configuration", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("listens on this machine only, with authorization and admission", () => {
    expect(cluster.options).toMatchObject({
      runtime: "binary",
      bindAddress: "127.0.0.1",
      securePort: true,
      kubeAuthorization: true,
      kubeAdmission: true,
    });
  });

  it("uses the recorded ports, each once", () => {
    const used = Object.entries(cluster.options)
      .filter(([name]) => name.endsWith("Port") && name !== "securePort")
      .map(([, port]) => port);
    const own = portNames.filter((name) => /^(?:etcd|kube|kwok)/.test(name));
    expect(used.sort()).toEqual(own.map((name) => ports[name]).sort());
    expect(controlPlaneParts.map((part) => part.name)).toEqual(own.filter((name) => name !== "etcd-peer"));
  });

  it("keeps etcd's data out of the folder that kwokctl deletes when a creation fails", () => {
    expect(patch("etcd", "data-dir")).toEqual({ key: "data-dir", value: paths.data, override: true });
    expect(paths.data.startsWith(paths.workdir)).toBe(false);
  });

  it("lets the API server's heap grow as GOGC says, and a little if it says nothing", () => {
    const growth = () => {
      const [{ componentsPatches }] = documents(controlPlaneConfiguration(paths, ports, programs));
      return componentsPatches.find(({ name }: { name: string }) => name === "kube-apiserver").extraEnvs;
    };
    vi.stubEnv("GOGC", "150");
    expect(growth()).toEqual([{ name: "GOGC", value: "150" }]);
    vi.stubEnv("GOGC", undefined);
    expect(growth()).toEqual([{ name: "GOGC", value: "60" }]);
  });

  it("binds volumes within a second", () => {
    expect(patch("kube-controller-manager", "pvclaimbinder-sync-period")).toMatchObject({ value: "1s" });
  });

  it("works at once after a restart, without waiting for leases of the processes before", () => {
    for (const part of ["kube-controller-manager", "kube-scheduler"])
      expect(patch(part, "leader-elect")).toMatchObject({ value: "false" });
    expect(patch("kwok-controller", "node-lease-duration-seconds")).toMatchObject({ value: "0", override: true });
  });

  it("names 127.0.0.1 as the nodes' address, so that logs are never fetched from a made-up one", () => {
    expect(patch("kwok-controller", "node-ip")).toMatchObject({ value: "127.0.0.1", override: true });
    expect(patch("kube-apiserver", "kubelet-preferred-address-types")).toMatchObject({ value: "InternalIP" });
    expect(logs).toMatchObject({ kind: "ClusterLogs", spec: { logs: [{ logsFile: paths.containerLog }] } });
  });

  it("differs when a port or a program does, so that the cluster is made anew around its data", () => {
    const before = controlPlaneConfiguration(paths, ports, programs);
    expect(controlPlaneConfiguration(paths, { ...ports, etcd: 1 }, programs)).not.toBe(before);
    expect(controlPlaneConfiguration(paths, ports, { ...programs, kube: "/newer" })).not.toBe(before);
    expect(controlPlaneConfiguration(paths, { ...ports }, { ...programs })).toBe(before);
  });
});
