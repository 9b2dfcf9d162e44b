import { comparedFindings, ownFindings, type StackNow } from "@hearth-platform/cli/kit/compare";
import { type KitContents, kitArchive, kitFiles, readKit } from "@hearth-platform/cli/kit/contents";
import { type Kept, keptKey } from "@hearth-platform/cli/kit/kept";
import { execa } from "execa";
import { describe, expect, it } from "vitest";

/** The files of a kit, as hearth and as other programs read them. */

const key: Kept = {
  ...{ kind: "Secret", namespace: "platform", name: "hub-encryption-key", origin: "stack" },
  ...{ neverChanges: true, isNeeded: true },
};
const ca: Kept = { ...key, kind: "ConfigMap", name: "company-ca", origin: "existing", neverChanges: false };
const held = ({ kind, namespace, name }: Kept, value: string) => ({
  ...{ apiVersion: "v1", kind, metadata: { name, namespace, uid: "1", managedFields: [] } },
  data: { value },
});
const long = `suites/${"a".repeat(100)}/config.yaml`;

const contents: KitContents = {
  stack: "prod",
  made: "2026-11-24T12:00:00.000Z",
  hearth: { version: "1.2.3", commit: "0123456" },
  programs: { pulumi: "v3.270.0", node: "v24.21.0", images: [] },
  backend: "s3://states",
  cluster: { identity: "one", server: "https://10.0.0.1:6443" },
  databases: [
    {
      ...{ namespace: "platform", cluster: "forge-db" },
      archive: { endpoint: "https://store", bucket: "backups", folder: "forge-db/" },
    },
  ],
  buckets: ["backups"],
  state: { version: 3, deployment: { resources: [{ urn: "urn:one", type: "t" }] } },
  settings: [
    { path: "Pulumi.prod.yaml", content: Buffer.from("config: {}\n") },
    { path: "../elsewhere/config.yaml", content: Buffer.from("namespace: team\n") },
    { path: long, content: Buffer.from("namespace: club\n") },
  ],
  recover: "# none\n",
  objects: [
    [key, held(key, "b25l")],
    [ca, held(ca, "certificate")],
  ],
  configurations: [
    { namespace: "team", content: Buffer.from("<?php\n") },
    { namespace: "club", gap: "The suite in namespace club has no config.php." },
  ],
};

const now: StackNow = {
  name: "prod",
  version: "1.2.3",
  identity: "one",
  settings: contents.settings,
  kept: [key, ca],
  live: new Map(contents.objects.map(([kept, object]) => [keptKey(kept), object])),
  state: contents.state,
  suites: ["team", "club"],
};

const archive = kitArchive(contents);
const kit = readKit(archive);

describe("the archive", () => {
  it("is read by tar, and its sums by sha256sum", async () => {
    const { stdout } = await execa("tar", ["--list", "--verbose", "--numeric-owner"], { input: archive });
    expect(stdout.split("\n").map((line) => line.replace(/\s+/g, " "))).toEqual(
      [...kit.files].map(([name, { length }]) => `-rw------- 0/0 ${length} 2026-11-24 12:00 ${name}`),
    );
    const sums = await execa(
      "sh",
      ["-c", 'cd "$(mktemp -d)" && tar --extract && sha256sum --check --strict SHA256SUMS && rm -r "$PWD"'],
      { input: archive, env: { TMPDIR: undefined } },
    );
    expect(sums.stdout.split("\n")).toHaveLength(kit.files.size - 1);
  });

  it("has files of the project by their paths, and others under a number", () => {
    expect(kit.manifest.settings).toEqual([
      { path: "Pulumi.prod.yaml", part: "settings/Pulumi.prod.yaml" },
      { path: "../elsewhere/config.yaml", part: "settings/other/1-config.yaml" },
      { path: long, part: "settings/other/2-config.yaml" },
    ]);
    expect(kit.manifest.settings.every(({ part }) => kit.files.has(part))).toBe(true);
  });

  it("has objects that can be applied again, sorted by who made them", () => {
    expect(kit.manifest.objects.map(({ part }) => part)).toEqual([
      "secrets/stack/platform/hub-encryption-key.json",
      "configmaps/existing/platform/company-ca.json",
    ]);
    const content = kit.files.get("secrets/stack/platform/hub-encryption-key.json") ?? new Uint8Array();
    expect(JSON.parse(Buffer.from(content).toString())).toEqual({
      ...{ apiVersion: "v1", kind: "Secret", metadata: { name: "hub-encryption-key", namespace: "platform" } },
      data: { value: "b25l" },
    });
  });

  it("has a Secret whose name is as long as Kubernetes allows", () => {
    const named: Kept = { ...key, name: "n".repeat(253) };
    const read = readKit(kitArchive({ ...contents, objects: [[named, held(named, "b25l")]] }));
    expect(
      comparedFindings(read, { ...now, kept: [named], live: new Map([[keptKey(named), held(named, "b25l")]]) }),
    ).toEqual([]);
  });

  it("has a page that says of what it was made, and what it lacks", () => {
    const page = Buffer.from(kit.files.get(kitFiles.page) ?? []).toString();
    for (const text of [
      "stack prod",
      "hearth 1.2.3, commit 0123456",
      "identity one",
      "folder forge-db/",
      "club has no",
    ])
      expect(page).toContain(text);
    expect(page).toMatch(/^[\n\x20-\x7e]+$/);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ["is cut off", archive.subarray(0, 2000), /not a whole archive/],
    ["is empty", new Uint8Array(2048), /not an archive/],
    ["is something else", Buffer.alloc(2048, "x"), /not a whole archive/],
    [
      "is of a newer form",
      Buffer.from(Buffer.from(archive).toString("latin1").replace('"version": 1,', '"version": 2,'), "latin1"),
      /Its form is 2/,
    ],
  ])("that %s is refused", (_, bytes, says) => {
    expect(() => readKit(bytes)).toThrow(says);
  });
});

const found = (changed: Partial<StackNow>) =>
  comparedFindings(kit, { ...now, ...changed }).map(({ code, subject }) => `${code} ${subject}`);

describe("a kit", () => {
  it("whose file has changed is damaged", () => {
    const bytes = Buffer.from(archive);
    bytes.write("#", bytes.indexOf("RECOVERY KIT"));
    expect(ownFindings(readKit(bytes)).map(({ code, subject }) => `${code} ${subject}`)).toEqual([
      `damaged ${kitFiles.page}`,
      "gap kit",
    ]);
  });

  it.each<[string, Partial<StackNow>, string[]]>([
    ["of the same has no finding", {}, []],
    ["of another stack", { name: "dev" }, ["other-stack kit"]],
    ["of another cluster", { identity: "two" }, ["other-cluster cluster"]],
    ["of a cluster whose identity may not be read has none", { identity: undefined }, []],
    ["of another version of hearth", { version: "1.3.0" }, ["older hearth"]],
    [
      "without a Secret that the stack has since",
      { kept: [key, { ...key, name: "new" }], live: grown("new") },
      ["missing Secret platform/new"],
    ],
    ["with a Secret that the cluster lost has none", { live: new Map() }, []],
    [
      "with another value of a Secret",
      { live: new Map([[keptKey(key), held(key, "dHdv")]]) },
      ["differs Secret platform/hub-encryption-key"],
    ],
    ["that lacks a resource", { state: states("urn:one", "urn:two") }, ["older state"]],
    ["with a resource that is gone", { state: states() }, ["older state"]],
    [
      "with a changed file",
      { settings: [{ path: "Pulumi.prod.yaml", content: Buffer.from("config: {a: 1}\n") }] },
      ["differs Pulumi.prod.yaml"],
    ],
    [
      "without a file",
      { settings: [{ path: "images.lock.json", content: Buffer.from("{}") }] },
      ["missing images.lock.json"],
    ],
    ["without a suite", { suites: ["team", "club", "new"] }, ["missing suite new"]],
  ])("%s", (_, changed, findings) => {
    expect(found(changed)).toEqual(findings);
  });
});

function grown(name: string): StackNow["live"] {
  const more: Kept = { ...key, name };
  return new Map([...now.live, [keptKey(more), held(more, "b25l")]]);
}

function states(...urns: string[]): StackNow["state"] {
  return { version: 3, deployment: { resources: urns.map((urn) => ({ urn, type: "t" })) } };
}
