import { storageClasses } from "@hearth-platform/hearth/catalogue/limits";
import { locations } from "@hearth-platform/hearth/cloudsuite/rules";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { errorsOf } from "@hearth-platform/hearth/core/problems";
import { namespaceName } from "@hearth-platform/hearth/core/value-rules";
import { Misuse, parseOptions, wordOption } from "../command.ts";
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

It never overwrites a file. Exit status: 0 written, 1 problems or the file is there, 2 wrong use.
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
} as const;

/** What was asked for. @throws Misuse */
export function readArguments(args: readonly string[]): Asked {
  const { values, words } = parseOptions(args, options);
  const [name, extra] = words;
  if (name === undefined || extra !== undefined) throw new Misuse("Name one suite.");
  const [problem] = errorsOf(namespaceName("NAME", name));
  if (problem) throw new Misuse(`${problem.message} ${problem.remedy}`);
  const { domain, office, whiteboard, suffix, out, yes = false } = values;
  const given = {
    domain,
    office,
    whiteboard,
    suffix,
    size: wordOption("--size", values.size, tiers),
    storage: wordOption("--storage", values.storage, Object.values(storageClasses)),
    location: wordOption("--location", values.location, locations),
    profile: wordOption("--profile", values.profile, Object.values(Profile)),
  };
  return {
    name,
    out,
    yes,
    given: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
