import { parseArgs } from "node:util";
import { locations } from "../components/cloudsuite/rules.ts";
import { errorsOf, oneOf, shown } from "../components/faults.ts";
import { storageClasses } from "../components/limits.ts";
import { Profile } from "../components/platform.ts";
import { namespaceName } from "../components/value-rules.ts";
import { type Answers, tiers } from "./answers.ts";

export const help = `Writes a commented config.yaml for a new collaboration suite, and asks for what no option says.

  npm run init-config -- NAME

  --domain HOST       public host, e.g. cloud.example.org
  --size SIZE         ${tiers.join(", ")}: under 10 users, up to 50, more
  --storage CLASS     ${Object.values(storageClasses).join(" or ")}: of the web volume
  --location CODE     ${locations.join(", ")}: of the object store
  --office, --no-office          editing of documents in the browser
  --whiteboard, --no-whiteboard
  --profile PROFILE   production (a database with a standby) or development
  --suffix TEXT       end of the buckets' names; default: random
  --out FILE          default: suites/NAME/config.yaml
  --yes               asks nothing; takes the default for what no option says
  --help              this text

It never overwrites a file. Exit status: 0 written, 1 faults or the file is there, 2 wrong use.
`;

/** What was asked for. */
export interface Asked {
  /** Name of the suite. */
  readonly name: string;
  /** What options say. */
  readonly given: Partial<Answers>;
  /** Where the file goes; absent: the suite's folder. */
  readonly out?: string;
  /** Nothing is to be asked. */
  readonly yes: boolean;
}

const options = {
  domain: { type: "string" },
  size: { type: "string" },
  storage: { type: "string" },
  location: { type: "string" },
  office: { type: "boolean" },
  whiteboard: { type: "boolean" },
  profile: { type: "string" },
  suffix: { type: "string" },
  out: { type: "string" },
  yes: { type: "boolean", short: "y" },
  help: { type: "boolean", short: "h" },
} as const;

/** What was asked for, `help`, or a sentence on what is wrong with the arguments. */
export function readArguments(args: readonly string[]): Asked | "help" | { readonly misuse: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      allowNegative: true,
    });
    if (values.help) return "help";
    const [name, extra] = positionals;
    if (name === undefined || extra !== undefined) throw new Error("Name one suite.");
    const [fault] = errorsOf(namespaceName("NAME", name));
    if (fault) throw new Error(`${fault.message} ${fault.remedy}`);
    const { domain, office, whiteboard, suffix, out, yes = false } = values;
    const given = {
      domain,
      office,
      whiteboard,
      suffix,
      size: oneWord("--size", values.size, tiers),
      storage: oneWord("--storage", values.storage, Object.values(storageClasses)),
      location: oneWord("--location", values.location, locations),
      profile: oneWord("--profile", values.profile, Object.values(Profile)),
    };
    return {
      name,
      out,
      yes,
      given: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    };
  } catch (problem) {
    return { misuse: (problem as Error).message };
  }
}

function oneWord<T extends string>(option: string, text: string | undefined, allowed: readonly T[]): T | undefined {
  const word = allowed.find((each) => each === text);
  if (text !== undefined && word === undefined) throw new Error(`${option} is ${oneOf(allowed)}, not ${shown(text)}.`);
  return word;
}
