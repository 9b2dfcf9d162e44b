import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Answer, controlC, down, enter, talk, up } from "../../support/terminal.ts";

const root = join(import.meta.dirname, "../../..");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-questions-"));
  copyFileSync(join(root, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const converse = (args: string, answers: readonly Answer[]) =>
  talk(`'${join(root, "hearth")}' --folder '${folder}' init ${args}`, folder, answers);

const suite = () => parse(readFileSync(join(folder, "suites/team/config.yaml"), "utf8"));

describe("at a terminal, init asks", () => {
  it("for all that no option sets, and writes what is answered", async () => {
    const { status, screen } = await converse("team --profile development", [
      ["Public host", `cloud.example.com${enter}`],
      ["Size", `${down}${enter}`],
      ["Storage of the web volume", `${down}${enter}`],
      ["Location of the object store", `${down}${enter}`],
      ["Editing of documents in the browser", "n"],
      ["Whiteboard", "y"],
    ]);
    expect(status, screen).toBe(0);
    expect(screen).not.toContain("Profile");
    expect(suite()).toMatchObject({
      domain: "cloud.example.com",
      s3: { region: "nbg1", endpoint: "https://nbg1.your-objectstorage.com" },
      storage: { storageClass: "smb-csi" },
      replicas: { db: 1 },
      office: { enabled: false },
      whiteboard: { enabled: true },
    });
  });

  it("again for a public host that is none, and says why", async () => {
    const { status, screen } = await converse(
      "team --size small --storage smb-csi --location fsn1 --no-office --no-whiteboard --profile production",
      [
        ["Public host", `cloud${enter}`],
        ["The value has only one label", `.example.com${enter}`],
      ],
    );
    expect(status, screen).toBe(0);
    expect(suite().domain).toBe("cloud.example.com");
  });

  it("for the name and the address of a region that is not in the specification, which a stack allows", async () => {
    const { status, screen } = await converse(
      "team --stack t --domain cloud.example.com --size small --storage replicated-block --no-office --no-whiteboard --profile production",
      [
        ["Location of the object store", `${up}${enter}`],
        ["Region of the object store", `eu-central-1${enter}`],
        ["Address of the object store", enter],
      ],
    );
    expect(status, screen).toBe(0);
    expect(parse(readFileSync(join(folder, "Pulumi.t.yaml"), "utf8")).config["hearth:limits"]).toMatchObject({
      regions: [{ name: "eu-central-1", endpoint: "s3.eu-central-1.amazonaws.com" }],
    });
  });

  it.each([
    ["at the first question", "team", [["Public host", controlC]]],
    [
      "at the last one",
      "team --domain cloud.example.com --size small --storage smb-csi --location fsn1 --no-office --no-whiteboard",
      [["Profile", controlC]],
    ],
  ] as const)("and writes nothing when it is ended %s", async (_, args, answers) => {
    const { status, screen } = await converse(args, answers);
    expect(status, screen).toBe(1);
    expect(screen).toContain("Nothing was written.");
    expect(readdirSync(folder)).toEqual(["Pulumi.yaml"]);
  });
});
