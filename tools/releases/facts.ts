import { type Day, isDay } from "@hearth-platform/hearth/core/days";
import { compareVersions } from "@hearth-platform/hearth/core/versions";
import type { Ask } from "./answers.ts";
import type { Origin, Source } from "./sources.ts";

/** What a source says of a line. */
export interface LineFacts {
  readonly line: string;
  readonly newest: string;
  /** Of its first version. @default the source doesn't say */
  readonly released?: Day;
  /** Last day of fixes. @default none is announced, or the source knows none */
  readonly ends?: Day;
}

interface Release {
  readonly version: string;
  readonly day?: Day;
}

/** endoflife.date, API 1: `/products/{product}`. */
interface Product {
  readonly result: {
    readonly releases: readonly {
      readonly name: string;
      readonly releaseDate: string | null;
      readonly isLts: boolean;
      readonly eolFrom?: string | null;
      readonly latest: { readonly name: string } | null;
    }[];
  };
}

/** Numbers between dots, as releases have them and pre-releases have not. */
const plain = /^v?(\d+(?:\.\d+)+)$/;

/**
 * The lines of a program, from the oldest to the newest, as a source has them.
 * @param known the newest line of the table: it says how many numbers a line has, and of which lines the day is not known
 * @throws Error where it gives no answer, or none of the published form
 */
export async function readLines(source: Source, known: string, ask: Ask): Promise<LineFacts[]> {
  const lines = await (source.origin === "endoflife"
    ? productLines(source, ask)
    : versionLines(source, known, ask)
  ).catch((error) => {
    throw error instanceof TypeError ? new Error("its answer has another form than published") : error;
  });
  if (lines.length === 0) throw new Error("its answer names no release");
  return lines.sort((a, b) => compareVersions(a.line, b.line) ?? 0);
}

async function productLines({ name, longTermOnly }: Source, ask: Ask): Promise<LineFacts[]> {
  const { result } = (await ask("endoflife", name)) as Product;
  return result.releases.flatMap(({ name: line, releaseDate, isLts, eolFrom, latest }) => {
    if (!latest || (longTermOnly && !isLts)) return [];
    return [{ line, newest: latest.name, ...dayAs("released", releaseDate), ...dayAs("ends", eolFrom) }];
  });
}

async function versionLines(source: Source, known: string, ask: Ask): Promise<LineFacts[]> {
  const releases = (await readers[source.origin as keyof typeof readers](source, ask)).sort(
    (a, b) => compareVersions(a.version, b.version) ?? 0,
  );
  const depth = known.split(".").length;
  const lines = Map.groupBy(releases, ({ version }) => version.split(".").slice(0, depth).join("."));
  return Promise.all(
    [...lines].map(async ([line, own]) => {
      const isNew = (compareVersions(line, known) ?? 0) > 0;
      const first = own.map(({ day = "" }) => day).sort()[0] || (isNew ? await moduleDay(source, own[0], ask) : "");
      return { line, newest: own.at(-1)?.version ?? "", ...dayAs("released", first) };
    }),
  );
}

/** The day on which a version of a Go module came out, which its list doesn't say. */
async function moduleDay({ origin, name }: Source, { version }: Release = { version: "" }, ask: Ask): Promise<string> {
  return origin === "go" ? ((await ask("go", `${name}/@v/v${version}.info`)) as { Time: string }).Time : "";
}

function dayAs<Name extends string>(name: Name, text: string | null | undefined): { [key in Name]?: Day } {
  const day = text?.slice(0, 10);
  return isDay(day) ? ({ [name]: day } as { [key in Name]?: Day }) : {};
}

/** The releases that an origin lists, pre-releases left out. */
const readers: Readonly<Record<Exclude<Origin, "endoflife">, (source: Source, ask: Ask) => Promise<Release[]>>> = {
  /** go.dev/ref/mod#goproxy-protocol: a list of what a proxy has, and the newest that it could have. */
  async go({ name }, ask) {
    const list = String(await ask("go", `${name}/@v/list`)).split("\n");
    const latest = (await ask("go", `${name}/@latest`).catch(() => undefined)) as { Version: string } | undefined;
    const versions = new Set([...list, latest?.Version ?? ""].flatMap((tag) => versionOf(tag.trim()) ?? []));
    return [...versions].map((version) => ({ version }));
  },
  async npm({ name }, ask) {
    const { versions, time } = (await ask("npm", name)) as { versions: object; time: Record<string, string> };
    return releasesOf(Object.keys(versions).map((tag) => [tag, time[tag]]));
  },
  async pypi({ name }, ask) {
    const { releases } = (await ask("pypi", `${name}/json`)) as {
      releases: Record<string, { upload_time_iso_8601: string; yanked: boolean }[]>;
    };
    const kept = Object.entries(releases).filter(([, files]) => files.some(({ yanked }) => !yanked));
    return releasesOf(kept.map(([tag, files]) => [tag, files[0]?.upload_time_iso_8601]));
  },
  async github({ name, tag: form }, ask) {
    const found = (await ask("github", `${name}/releases?per_page=100`)) as {
      tag_name: string;
      published_at: string | null;
      draft: boolean;
      prerelease: boolean;
    }[];
    const out = found.filter(({ draft, prerelease }) => !draft && !prerelease);
    return releasesOf(
      out.map(({ tag_name, published_at }) => [tag_name, published_at]),
      form,
    );
  },
  async dockerHub({ name }, ask) {
    const { results } = (await ask("dockerHub", `${name}/tags?page_size=100`)) as {
      results: { name: string; last_updated: string | null }[];
    };
    return releasesOf(results.map(({ name: tag, last_updated }) => [tag, last_updated]));
  },
};

function releasesOf(
  tags: readonly (readonly [tag: string, moment: string | null | undefined])[],
  form?: RegExp,
): Release[] {
  return tags.flatMap(([tag, moment]) => {
    const version = versionOf(tag, form);
    return version === undefined ? [] : [{ version, ...dayAs("day", moment) }];
  });
}

/** The version that a tag names; undefined where it is of another form, or before a release. */
function versionOf(tag: string, form: RegExp = plain): string | undefined {
  return form.exec(tag)?.slice(1).join(".");
}
