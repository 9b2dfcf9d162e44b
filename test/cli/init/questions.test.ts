import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../../..");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-questions-"));
  copyFileSync(join(root, "Pulumi.yaml"), join(folder, "Pulumi.yaml"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const enter = "\r";
const up = "\u001B[A";
const down = "\u001B[B";
const controlC = "\u0003";

/**
 * Runs `./hearth init` at a terminal, and types each answer when its question is shown.
 * @throws if it ends before its last question
 */
async function converse(args: string, answers: readonly (readonly [question: string, typed: string])[]) {
  // A terminal made by script(1) has no size of its own.
  const command = `stty cols 100 rows 40; exec '${join(root, "hearth")}' --folder '${folder}' init ${args}`;
  const terminal = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], {
    cwd: folder,
    env: { ...process.env, HOME: folder, KUBECONFIG: "" },
  });
  const ended = once(terminal, "exit");
  let screen = "";
  let answered = 0;
  /** What of the screen was there at the last answer. */
  let read = 0;
  for await (const shown of terminal.stdout.setEncoding("utf8")) {
    screen += stripVTControlCharacters(shown);
    const [question, typed] = answers[answered] ?? [];
    if (question === undefined || typed === undefined || !screen.slice(read).includes(question)) continue;
    answered += 1;
    read = screen.length;
    terminal.stdin.write(typed);
  }
  const [status] = await ended;
  if (answered < answers.length) throw new Error(`No question "${answers[answered]?.[0]}":\n${screen}`);
  return { status, screen };
}

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
    expect(status).not.toBe(0);
    expect(screen).toContain("Nothing was written.");
    expect(readdirSync(folder)).toEqual(["Pulumi.yaml"]);
  });
});
