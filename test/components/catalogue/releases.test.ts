import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serviceBase } from "@hearth-platform/hearth/catalogue/images";
import {
  clusterPrograms,
  factsOf,
  type Line,
  type Program,
  programs,
  releaseDay,
} from "@hearth-platform/hearth/catalogue/releases";
import { endOf, supportProblems } from "@hearth-platform/hearth/catalogue/support";
import { addDays, isDay } from "@hearth-platform/hearth/core/days";
import { compareVersions } from "@hearth-platform/hearth/core/versions";
import { forgeDatabases, shellVersion } from "@hearth-platform/hearth/forge/versions";
import { limits } from "@hearth-platform/hearth/limits/table";
import { nodeBase } from "@hearth-platform/sandbox/plugins/docker-build/node-base";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkoutFiles } from "../../support/pages.ts";

const root = join(import.meta.dirname, "../../..");
const all = Object.entries({ ...programs, ...clusterPrograms });

/** Days for which a default has to get fixes after the release. */
const leastDays = 30;

/** Why something older is good enough, and the day on which that is looked at again. */
interface Reason {
  readonly why: string;
  readonly until: string;
}

/** Defaults that end within a month of the release, since nothing newer can take their place. */
const endSoon: Readonly<Record<string, Reason>> = {
  gitlab: { why: "Of 19.5 the version of the SSH server could not be read.", until: "2026-12-17" },
};

/** Pins that are not the newest version of a line that gets fixes. */
const behind: Readonly<Record<string, Reason & { readonly pin: string }>> = {
  kubernetes: {
    pin: "1.36.2",
    why: "A patch changes no API, and is taken with the next build of the whole.",
    until: "2027-02-28",
  },
  cloudnativePg: {
    pin: "1.30.0",
    why: "A patch, which the next build of the operators takes.",
    until: "2026-12-31",
  },
  traefik: { pin: "3.5.3", why: "No newer one can be built: docs/explanation/fidelity.md.", until: "2027-02-28" },
  externalSecrets: {
    pin: "0.20.4",
    why: "No newer one can be built: docs/explanation/fidelity.md.",
    until: "2027-02-28",
  },
  prometheusOperator: {
    pin: "0.85.0",
    why: "Only its custom resource definitions judge, and their version is the same since.",
    until: "2027-02-28",
  },
  argoCd: {
    pin: "3.2.11",
    why: "3.2.12 does not compile: its util/settings lacks what its controller calls.",
    until: "2027-02-28",
  },
};

/** What is deployed or judges, by its program. */
const pins: Readonly<Record<string, Pick<Program, "keeps" | "lines"> & { readonly pin: string }>> = Object.fromEntries(
  all.map(([name, program]) => [name, { pin: "judged" in program ? program.judged : program.deployed, ...program }]),
);

/** Whether a pin may stay: it is the newest of a line that gets fixes, or has its reason. */
function mayStay(name: string, pin: string): boolean {
  const program = pins[name];
  const line = program?.lines.find((each) => compareVersions(each.line, pin) === 0);
  const ends = program && line && endOf(program, line);
  const isCurrent = compareVersions(pin, line?.newest ?? "") === 0 && (ends === undefined || ends > releaseDay);
  return name in behind ? behind[name]?.pin === pin && !isCurrent : isCurrent;
}

/** A release before this one: the last of its numbers that is not 0 is one less. `v2.0.0` → `v1.0.0`, `34.0.4-apache` → `34.0.3-apache` */
function releaseBefore(pin: string): string {
  const [version = ""] = /\d+(?:\.\d+)*/.exec(pin) ?? [];
  const numbers = version.split(".").map(Number);
  const last = numbers.findLastIndex((number) => number > 0);
  return pin.replace(version, numbers.map((number, index) => (index === last ? number - 1 : number)).join("."));
}

describe("the releases", () => {
  it.each(all)("of %s have days in their order, and a newest version of their own", (_, program) => {
    const lines: readonly Line[] = program.lines;
    for (const [index, each] of lines.entries()) {
      const { line, released, newest } = each;
      const ends = endOf(program, each);
      expect([released, ends ?? released].every(isDay)).toBe(true);
      expect(ends === undefined || released < ends).toBe(true);
      expect(compareVersions(line, newest)).toBe(0);
      const next = lines[index + 1];
      expect(next === undefined || compareVersions(line, next.line) === -1).toBe(true);
    }
  });

  it.each(all)("of %s came out before they were read", (_, program) => {
    const read = "read" in program ? program.read : factsOf;
    for (const { released } of program.lines) expect(released <= read).toBe(true);
  });

  it.each(Object.entries(programs))("have the line of the %s that is deployed", (_, { lines, deployed }) => {
    expect(lines.filter(({ line }) => compareVersions(line, deployed) === 0)).toHaveLength(1);
  });
});

describe("a pin", () => {
  it.each(Object.entries(pins))(
    "of %s is the newest version of its line, or has its reason and its day",
    (name, { pin }) => {
      expect(mayStay(name, pin)).toBe(true);
    },
  );

  it.each(Object.entries(pins).filter(([name]) => name !== "postgresql"))(
    "of %s that is one release older is told of",
    (name, { pin }) => {
      const before = releaseBefore(pin);
      expect(compareVersions(before, pin)).toBe(-1);
      expect(mayStay(name, before)).toBe(false);
    },
  );

  it("of PostgreSQL, a major alone, is the first that the default forge runs on", () => {
    expect(String(forgeDatabases({}).oldest)).toBe(programs.postgresql.deployed);
  });

  it.each(Object.entries({ ...behind, ...endSoon }))(
    "%s has its reason until a day that is to come",
    (_, { why, until }) => {
      expect(why).not.toBe("");
      expect(until > releaseDay).toBe(true);
    },
  );
});

describe("the end of a line", () => {
  const { harbor, rclone } = programs;

  it("is the day on which as many newer ones are out as get fixes", () => {
    expect(endOf(harbor, harbor.lines[0])).toBe("2026-03-20");
    expect(endOf(harbor, harbor.lines[1])).toBeUndefined();
    expect(endOf(rclone, rclone.lines[0])).toBe(rclone.lines[1].released);
    expect(endOf(rclone, rclone.lines[1])).toBeUndefined();
  });
});

describe("a default", () => {
  it.each(Object.entries(programs))(
    "of %s gets fixes for a month after the release, or is known not to",
    (name, program) => {
      const { lines, deployed } = program;
      const line = (lines as readonly Line[]).find((each) => compareVersions(each.line, deployed) === 0);
      const ends = line && endOf(program, line);
      const outlives = ends === undefined || ends >= addDays(releaseDay, leastDays);
      expect(outlives).toBe(!(name in endSoon));
    },
  );

  it("is what the examples deploy", () => {
    const { nextcloud, valkey, collabora, whiteboard } = programs;
    const defaults = {
      cloudsuite: nextcloud.deployed,
      db: String(limits.databaseMajor.most()),
      keystore: valkey.deployed,
      office: collabora.deployed,
      whiteboard: whiteboard.deployed,
    };
    for (const suite of readdirSync(join(root, "suites"))) {
      const { versions } = parse(readFileSync(join(root, "suites", suite, "config.yaml"), "utf8"));
      expect(defaults, suite).toMatchObject(versions);
    }
  });
});

describe("every base of a Dockerfile", () => {
  const dockerfiles = checkoutFiles("*Dockerfile*").filter((path) =>
    /(?:^|\/)(?:[\w.-]+\.)?Dockerfile(?:\.[\w-]+)?$/.test(path),
  );

  /** Images that a Dockerfile starts from, its build arguments at their defaults. */
  function basesOf(text: string): string[] {
    const defaults = Object.fromEntries(
      [...text.matchAll(/^ARG (\w+)=(\S+)/gm)].map(([, name, value]) => [name, value]),
    );
    return [...text.matchAll(/^FROM (?:--\S+ )*(\S+)/gm)].map(([, base = ""]) =>
      base.replace(/\$\{?(\w+)\}?/g, (_, name) => defaults[name] ?? ""),
    );
  }

  it("is in the table, as are those that the stand-in of the sandbox takes the place of", () => {
    expect(dockerfiles).toEqual(["webhook/Dockerfile"]);
    const bases = dockerfiles.flatMap((file) => basesOf(readFileSync(join(root, file), "utf8")));
    expect(bases).toEqual([serviceBase]);
    expect(nodeBase).toBe(serviceBase);
  });
});

describe("a warning", () => {
  const { nextcloud, harbor, gitlab } = programs;
  const judged = (tag: string, today: string) => supportProblems("versions.cloudsuite", nextcloud, tag, today);

  it.each([
    ["61 days before the end", "2026-12-29", []],
    ["60 days before the end", "2026-12-30", ["version-ends"]],
    ["on the last day", "2027-02-28", ["version-ends"]],
    ["on the day after it", "2027-03-01", ["version-ended"]],
  ])("is given %s as it has to be", (_, today, codes) => {
    expect(judged("33.0.8-apache", today).map(({ code }) => code)).toEqual(codes);
  });

  it("says since when there are no fixes, and what gets them", () => {
    expect(judged("31.0.8-apache", "2026-11-22")).toEqual([
      {
        severity: "warning",
        code: "version-ended",
        path: "versions.cloudsuite",
        message: "Nextcloud 31 has had no fixes since 2026-02-28.",
        remedy:
          "Take 33.0.8 (fixes until 2027-02-28) or 34.0.4 (fixes until 2027-06-30) or 35.0.2 (fixes until 2027-09-30).",
      },
    ]);
  });

  it("offers what ends within the notice where nothing lasts longer, and names the source where nothing is left", () => {
    expect(judged("33.0.8", "2027-06-01")[0]?.remedy).toBe("Take 35.0.2 (fixes until 2027-09-30).");
    expect(judged("33.0.8", "2027-09-01")[0]?.remedy).toBe("Take 35.0.2 (fixes until 2027-09-30).");
    expect(judged("33.0.8", "2027-10-01")[0]?.remedy).toBe(`Take a release that ${nextcloud.source} says gets fixes.`);
  });

  it.each(["29.0.16-apache", "9.1"])("is given for %s, which is older than every line", (tag) => {
    expect(judged(tag, "2026-11-22")).toMatchObject([
      { code: "version-ended", message: expect.stringContaining("gets no more fixes") },
    ]);
  });

  it.each(["36.0.0-apache", "latest", "stable-apache"])("is not given for %s, of which nothing is known", (tag) => {
    expect(judged(tag, "2030-01-01")).toEqual([]);
  });

  it("is not given for a tag with fewer numbers than a line, nor where the end is not announced", () => {
    expect(supportProblems("version", harbor, "2", "2030-01-01")).toEqual([]);
    expect(supportProblems("version", harbor, "2.15.2", "2030-01-01")).toEqual([]);
  });

  it("comes in the last third of a short line, and not where nothing better is known", () => {
    const warned = (tag: string, today: string) => supportProblems("forge.version", gitlab, tag, today).length;
    expect(warned("19.1.6", "2026-08-17")).toBe(0);
    expect(warned("19.1.6", "2026-08-18")).toBe(1);
    expect(warned("19.4.3", "2026-12-17")).toBe(0);
    expect(warned("19.4.3", "2026-12-18")).toBe(1);
  });

  it("does not send to a line of which something could not be read", () => {
    for (const { line, lacks } of gitlab.lines.map((each: Line) => each))
      if ((compareVersions(line, "18.8") ?? -1) > 0)
        expect(lacks !== undefined, line).toBe(shellVersion({ version: `${line}.0` }) === undefined);
    const [problem] = supportProblems("forge.version", gitlab, "18.11.11", "2026-11-24");
    expect(problem?.remedy).toBe(
      "Take 19.4.3 (fixes until 2026-12-17). docs/how-to/gitlab-19.md has the way from 18.11, and what a release after 19.4 needs.",
    );
  });

  it("tells minors apart by number", () => {
    expect(supportProblems("version", gitlab, "18.11.4", "2026-05-10")).toEqual([]);
    expect(supportProblems("version", gitlab, "18.1.4", "2026-05-10")).toHaveLength(1);
  });
});
