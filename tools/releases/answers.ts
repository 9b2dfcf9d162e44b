import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { type Day, isDay, today } from "@hearth-platform/hearth/core/days";
import type { Origin } from "./sources.ts";

/** Answers of publishers, by what was asked: `go github.com/rclone/rclone/@v/list`. JSON stands as such, all else as text. */
export interface Answers {
  /** The day on which they were given. */
  readonly read: Day;
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Asks an origin for a path. @throws Error with the reason where it gives no answer */
export type Ask = (origin: Origin, path: string) => Promise<unknown>;

/** What a tool says of its configuration. @throws Error where it is not installed, or says nothing */
type Said = (tool: string, ...args: string[]) => Promise<string>;

/**
 * Where each origin is asked, in this order. Registries are those that their own tools are configured to ask.
 * (GOPROXY: go.dev/ref/mod#environment-variables; PyPI's JSON API: docs.pypi.org/api/json, beside the index that pip asks)
 */
const places: Readonly<Record<Origin, (said: Said) => Promise<readonly string[]>>> = {
  endoflife: async () => ["https://endoflife.date/api/v1/products/"],
  go: async (said) => (await said("go", "env", "GOPROXY")).split(/[,|]/).filter((each) => each.startsWith("http")),
  npm: async (said) => [await said("npm", "config", "get", "registry")],
  pypi: async (said) => {
    const index = /\.index-url='(.*)'/.exec(await said("pip", "config", "list"))?.[1] ?? "https://pypi.org/simple";
    return [index.replace(/\/simple\/?$/, "/pypi/")];
  },
  github: async () => ["https://api.github.com/repos/"],
  dockerHub: async () => ["https://hub.docker.com/v2/repositories/"],
};

/** Seconds that an answer may take. */
const patience = 60;

const run = promisify(execFile);

/** Asks over the network. */
export function network(environment: NodeJS.ProcessEnv): { read: Day; ask: Ask } {
  const said: Said = async (tool, ...args) => {
    const { stdout } = await run(tool, args, { env: environment }).catch((error) => {
      throw new Error(error.code === "ENOENT" ? `${tool} is not installed` : `${tool} ${args.join(" ")} failed`);
    });
    return stdout.trim();
  };
  const known = new Map<Origin, Promise<readonly string[]>>();
  const ask: Ask = async (origin, path) => {
    const at = known.get(origin) ?? places[origin](said);
    known.set(origin, at);
    const faults: string[] = [];
    for (const place of await at) {
      const url = `${place.replace(/\/?$/, "/")}${path}`;
      try {
        return await fetched(url, origin === "github" ? environment.GITHUB_TOKEN : undefined);
      } catch (error) {
        faults.push(reason(error));
      }
    }
    throw new Error(faults.length > 0 ? faults.join("; ") : "its tool is set to ask nobody");
  };
  return { read: today(environment), ask };
}

async function fetched(url: string, token: string | undefined): Promise<unknown> {
  const signal = AbortSignal.timeout(patience * 1000);
  const response = await fetch(url, { signal, headers: token ? { authorization: `Bearer ${token}` } : {} });
  const text = await response.text();
  if (!response.ok) throw new Error(`it answers ${response.status}`);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function reason(error: unknown): string {
  const { message, cause } = error as Error;
  const code = (cause as { code?: string } | undefined)?.code;
  return code ?? (message === "" ? "no reason given" : message);
}

/**
 * Gives the answers of a file.
 * @throws Error where it holds none of their form
 */
export function recorded(file: string): { read: Day; ask: Ask } {
  const { read, answers } = JSON.parse(readFileSync(file, "utf8")) as Partial<Answers>;
  if (!isDay(read) || typeof answers !== "object" || answers === null)
    throw new Error(
      `${file} has to hold {"read": "YYYY-MM-DD", "answers": {…}}, as \`npm run releases -- --save FILE\` writes it.`,
    );
  const ask: Ask = async (origin, path) => {
    const answer = answers[`${origin} ${path}`];
    if (answer === undefined) throw new Error("the file has no answer of it");
    return answer;
  };
  return { read, ask };
}

/** Asks in the same way, and keeps what is answered. */
export function keeping(ask: Ask): { ask: Ask; answers: Record<string, unknown> } {
  const answers: Record<string, unknown> = {};
  return {
    answers,
    ask: async (origin, path) => {
      const answer = await ask(origin, path);
      answers[`${origin} ${path}`] = answer;
      return answer;
    },
  };
}
