import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { clusterPrograms, type Program, programs } from "@hearth-platform/hearth/catalogue/releases";
import { execa } from "execa";
import { afterAll, describe, expect, it } from "vitest";
import { type Ask, network, recorded } from "../../tools/releases/answers.ts";
import type { Edit, Listed } from "../../tools/releases/refresh.ts";
import { type ProgramName, sources } from "../../tools/releases/sources.ts";
import { editedTable } from "../../tools/releases/table-text.ts";
import { changedFiles, refreshed, report } from "../../tools/releases.ts";

const project = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "hearth-releases-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Answers as their publishers give them, shortened. */
const facts = recorded(join(import.meta.dirname, "release-facts.json"));

const base = { title: "A program", support: "A sentence.", source: "https://example.org" };

/** Programs as they stood before the answers. */
const table = {
  nextcloud: {
    ...base,
    deployed: "34.0.4-apache",
    lines: [
      { line: "33", released: "2026-02-18", newest: "33.0.8" },
      { line: "34", released: "2026-06-09", ends: "2027-06-30", newest: "34.0.4" },
    ],
  },
  harbor: {
    ...base,
    deployed: "2.14.3",
    keeps: 2,
    lines: [
      { line: "2.13", released: "2025-04-09", newest: "2.13.5" },
      { line: "2.14", released: "2025-09-17", newest: "2.14.4" },
    ],
  },
  pgbouncer: {
    ...base,
    deployed: "1.25.2",
    keeps: 1,
    lines: [{ line: "1.25", released: "2025-11-09", newest: "1.25.2" }],
  },
  collabora: {
    ...base,
    deployed: "26.04.4.2.1",
    lines: [{ line: "26.04", released: "2026-04-01", newest: "26.04.4.2.1" }],
  },
  whiteboard: { ...base, deployed: "v2.0.0", lines: [{ line: "2.0", released: "2026-09-16", newest: "v2.0.0" }] },
  rclone: {
    ...base,
    deployed: "1.75.1",
    keeps: 1,
    lines: [{ line: "1.75", released: "2026-07-31", newest: "1.75.1" }],
  },
  node: { ...base, deployed: "24.19.0-alpine", lines: [{ line: "24", released: "2025-05-06", newest: "24.19.0" }] },
  kubernetes: { ...base, judged: "1.36.2", lines: [{ line: "1.36", released: "2026-04-22", newest: "1.36.2" }] },
  distroless: { ...base, deployed: "13", lines: [{ line: "13", released: "2025-10-29", newest: "13" }] },
} as const satisfies Partial<Record<ProgramName, Listed>>;

/** What comes of one program. */
async function of(name: keyof typeof table, ask: Ask = facts.ask, more: Partial<Program> = {}) {
  const [one] = await refreshed({ [name]: { ...table[name], ...more } }, ask, facts.read);
  if (!one) throw new Error(name);
  const edits = one.edits
    .filter(({ what }) => what !== "read")
    .map((edit) => {
      if (edit.what === "line") return { ...edit.line };
      return `${"line" in edit ? `${edit.line} ` : ""}${edit.what}: ${edit.from} → ${edit.to}`;
    });
  return { ...one, edits };
}

/** Asks, but for one origin, which doesn't answer. */
const without =
  (silent: string): Ask =>
  async (origin, path) => {
    if (origin === silent) throw new Error("ENOTFOUND");
    return facts.ask(origin, path);
  };

describe("the facts", () => {
  it("of endoflife.date raise a patch, with what is deployed, and an end that is announced", async () => {
    const { edits } = await of("nextcloud");
    expect(edits.slice(0, 3)).toEqual([
      "33 ends: undefined → 2027-02-28",
      "34 newest: 34.0.4 → 34.0.6",
      { line: "35", released: "2026-09-16", ends: "2027-09-30", newest: "35.0.2", lacks: expect.any(String) },
    ]);
    expect(edits.at(-1)).toBe("deployed: 34.0.4-apache → 34.0.6-apache");
  });

  it("of a new line are written down, offered to nobody, and left to a person", async () => {
    const { edits, decisions } = await of("nextcloud");
    expect(edits).toHaveLength(4);
    expect(decisions).toEqual([
      "A program 35 is out since 2026-09-16 (35.0.2). Read what it changes. Then remove its `lacks`, so that users are sent there, and decide whether to take it.",
    ]);
  });

  it("of a program whose newest lines get fixes give no end of their own, and the next line's day ends the oldest", async () => {
    const { edits, decisions } = await of("harbor");
    expect(edits).toEqual([
      "2.13 newest: 2.13.5 → 2.13.6",
      { line: "2.15", released: "2026-03-20", newest: "2.15.3", lacks: expect.any(String) },
    ]);
    expect(decisions).toHaveLength(1);
    const older = await of("harbor", facts.ask, { deployed: "2.13.5" });
    expect(older.decisions[1]).toBe(
      "A program 2.13.5 is deployed, and the last day of fixes of 2.13 was 2026-03-20. Choose another line.",
    );
  });

  it("leave a pin that is older than its line's newest for a reason", async () => {
    expect((await of("nextcloud", facts.ask, { deployed: "34.0.3-apache" })).edits.at(-1)).not.toContain("deployed");
  });

  it("of the Go proxy are its list and what it could have, without pre-releases, and the day of a new line's first", async () => {
    expect((await of("rclone")).edits).toEqual([
      { line: "1.76", released: "2026-11-06", newest: "1.76.1", lacks: expect.any(String) },
    ]);
  });

  it("of npm and PyPI know patches early, and no lines that are not for everybody", async () => {
    const { edits, decisions } = await of("node");
    expect(edits).toEqual([
      "24 newest: 24.19.0 → 24.21.0",
      "24 ends: undefined → 2028-04-30",
      "deployed: 24.19.0-alpine → 24.21.0-alpine",
    ]);
    expect(decisions).toEqual([]);
    const byPypi = await of("node", without("npm"));
    expect(byPypi.edits).toContain("24 newest: 24.19.0 → 24.20.0");
  });

  it("of GitHub have the form of their tags, and the table's own", async () => {
    expect((await of("pgbouncer")).edits).toEqual(["1.25 newest: 1.25.2 → 1.25.3", "deployed: 1.25.2 → 1.25.3"]);
    expect((await of("whiteboard")).edits).toEqual(["2.0 newest: v2.0.0 → v2.0.1", "deployed: v2.0.0 → v2.0.1"]);
  });

  it("of Docker Hub are its tags that are versions", async () => {
    expect((await of("collabora")).edits).toEqual([
      "26.04 newest: 26.04.4.2.1 → 26.04.5.1.1",
      "deployed: 26.04.4.2.1 → 26.04.5.1.1",
    ]);
  });

  it("of a judge raise no judge: a person is told", async () => {
    const { edits, decisions } = await of("kubernetes");
    expect(edits).toEqual(["1.36 newest: 1.36.2 → 1.36.6", "1.36 ends: undefined → 2027-06-28"]);
    expect(decisions).toEqual([
      "The tests judge with A program 1.36.2, and 1.36.6 is out. Raise it in sandbox/programs, or give its reason in test/components/catalogue/releases.test.ts.",
    ]);
  });

  it("that are older than the table change nothing, its day neither", async () => {
    const lines = [{ line: "26.04", released: "2026-04-01", newest: "26.04.9.1.1" }] as const;
    const [one] = await refreshed({ collabora: { ...table.collabora, lines } }, facts.ask, facts.read);
    expect(one?.edits).toEqual([]);
  });
});

describe("a source without an answer", () => {
  it("is named with its reason, and the others are heard", async () => {
    const { silent, edits, decisions } = await of("node", without("endoflife"));
    expect(silent).toEqual(["endoflife nodejs: ENOTFOUND"]);
    expect(edits).toEqual(["24 newest: 24.19.0 → 24.21.0", "deployed: 24.19.0-alpine → 24.21.0-alpine"]);
    expect(decisions).toEqual(["A program has a release after 24. The source that knows its days gave no answer."]);
  });

  it.each<[what: string, answer: unknown, says: string]>([
    ["of another form", { cycles: [] }, "its answer has another form than published"],
    ["without a release", { result: { releases: [] } }, "its answer names no release"],
  ])("is one %s, too", async (_, answer, says) => {
    const { silent, edits } = await of("nextcloud", async (origin) => {
      if (origin === "endoflife") return answer;
      throw new Error("ENOTFOUND");
    });
    expect(silent).toEqual([`endoflife nextcloud: ${says}`, "github nextcloud/server: ENOTFOUND"]);
    expect(edits).toEqual([]);
  });

  it("is in the report, after changes and decisions, with what is looked at by hand", async () => {
    const all = await refreshed(table, without("github"), facts.read);
    const text = report(all);
    expect(text.match(/^### .*/gm)).toEqual([
      "### Changed",
      "### For a person to decide",
      "### No answer",
      "### Look at by hand",
    ]);
    expect(text).toContain("- A program 34: the newest version is 34.0.5, not 34.0.4\n");
    expect(text).toContain("- A program: github pgbouncer/pgbouncer: ENOTFOUND.\n");
    expect(text).toMatch(/### Look at by hand\n\n- A program: https:\/\/example.org\n$/);
  });
});

describe("the table's file", () => {
  const file = "components/catalogue/releases.ts";
  const text = readFileSync(join(project, file), "utf8");
  /** Lines that one text has and the other has not. */
  const difference = (a: string, b: string) => a.split("\n").filter((line) => !b.split("\n").includes(line));
  const evaluated = async (source: string): Promise<Record<string, Listed>> => {
    const module = await import(`data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(source))}`);
    return { ...module.programs, ...module.clusterPrograms };
  };
  const all = Object.entries({ ...programs, ...clusterPrograms }) as [ProgramName, Listed][];
  const added = { line: "99.9", released: "2030-01-01", ends: "2031-01-01", newest: "99.9.9", lacks: "a look" };

  /** A change of every kind. */
  function changes({ lines, deployed, read }: Listed): Edit[] {
    const { line, newest, ends } = lines.at(-1) ?? lines[0];
    return [
      { what: "newest", line, from: newest, to: "98.7.6" },
      { what: "ends", line, from: ends, to: "2030-02-03" },
      ...(deployed === undefined ? [] : [{ what: "deployed", from: deployed, to: "98.7.6-x" } as const]),
      { what: "line", line: added },
      { what: "read", from: read, to: "2030-01-02" },
    ];
  }

  it.each(all)("takes every kind of change of %s, and nothing else of it changes", async (name, program) => {
    const edited = editedTable(text, name, changes(program));
    const [before, now] = [await evaluated(text), await evaluated(edited)];
    const { lines, deployed } = program;
    const last = { ...lines.at(-1), newest: "98.7.6", ends: "2030-02-03" };
    const raised = deployed === undefined ? {} : { deployed: "98.7.6-x" };
    expect(now).toEqual({
      ...before,
      [name]: { ...before[name], ...raised, read: "2030-01-02", lines: [...lines.slice(0, -1), last, added] },
    });
    expect(difference(text, edited).length).toBeLessThan(7);
  });

  it("is formatted as all files are, with a change of every kind of every program", async () => {
    const edited = all.reduce((done, [name, program]) => editedTable(done, name, changes(program)), text);
    const biome = join(project, "node_modules/.bin/biome");
    const options = { cwd: project, input: edited, stripFinalNewline: false };
    expect((await execa(biome, ["format", `--stdin-file-path=${file}`], options)).stdout).toBe(edited);
  });

  it("of which a program or a line is not found is not written", () => {
    const newest = { what: "newest", line: "1.0", from: "1", to: "2" } as const;
    expect(() => editedTable(text, "redis", [newest])).toThrow("has no program redis");
    expect(() => editedTable(text, "nextcloud", [newest])).toThrow("has no line 1.0 of nextcloud");
  });

  it("is changed together with suites and examples that have the version, which is no part of another one", () => {
    const { line } = programs.nextcloud.lines[0];
    const edits: Edit[] = [{ what: "newest", line, from: "34.0.4", to: "34.0.6" }];
    const [name, program] = ["nextcloud", programs.nextcloud] as const;
    const files = changedFiles([{ name, program, edits, decisions: [], silent: [], answered: 1 }], (path) =>
      path === file ? text : 'cloudsuite: "34.0.4-apache" # 134.0.4 34.0.41',
    );
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([file, "suites/team/config.yaml", "examples/one-suite/index.ts"]),
    );
    expect(files.get("suites/team/config.yaml")).toBe('cloudsuite: "34.0.6-apache" # 134.0.4 34.0.41');
  });
});

describe("over the network", () => {
  it("registries are those that npm, go and pip are set to, and a proxy that fails is followed by the next", async () => {
    const asked: string[] = [];
    const server = createServer(({ url = "" }, response) => {
      asked.push(url);
      response.writeHead(url.startsWith("/broken") ? 404 : 200).end(url.includes("@v/list") ? "v1.0.0\n" : "{}");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const tools = {
      npm: `${at}/npm/`,
      go: `off,${at}/broken,${at}/go,direct`,
      pip: `global.cert='x'\\n:env:.index-url='${at}/python/simple'`,
    };
    for (const [tool, says] of Object.entries(tools)) {
      writeFileSync(join(folder, tool), `#!/bin/sh\nprintf "${says}\\n"\n`);
      chmodSync(join(folder, tool), 0o755);
    }
    const { read, ask } = network({ PATH: `${folder}${delimiter}/bin`, SOURCE_DATE_EPOCH: "1800000000" });
    expect(read).toBe("2027-01-15");
    try {
      expect(await ask("go", "example.org/m/@v/list")).toBe("v1.0.0\n");
      expect(await ask("npm", "node")).toEqual({});
      await ask("pypi", "x/json");
      expect(asked).toEqual([
        "/broken/example.org/m/@v/list",
        "/go/example.org/m/@v/list",
        "/npm/node",
        "/python/pypi/x/json",
      ]);
    } finally {
      server.close();
    }
  });

  it("a tool that is not there is named", async () => {
    await expect(network({ PATH: "/nonexistent" }).ask("go", "x/@v/list")).rejects.toThrow("go is not installed");
  });
});

it("a file that holds no answers is refused, with its form", () => {
  const file = join(folder, "facts.json");
  writeFileSync(file, JSON.stringify({ read: "yesterday", answers: {} }));
  expect(() => recorded(file)).toThrow(`${file} has to hold {"read": "YYYY-MM-DD"`);
});

it("every program has its sources, or is looked at by hand", () => {
  expect(Object.entries(sources).flatMap(([name, own]) => (own.length === 0 ? [name] : []))).toEqual([
    "imaginary",
    "distroless",
  ]);
});
