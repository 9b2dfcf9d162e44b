import { dataName } from "@hearth-platform/hearth/core/plan";
import type { Export } from "../heal/deployment.ts";
import { type HeldObject, kitFiles, objectsOfKit, type ReadKit, type SettingsFile } from "./contents.ts";
import { type Kept, keptKey } from "./kept.ts";

/** Something that a kit lacks, or has in an older form than the stack. */
export interface KitFinding {
  /** Kebab-case name, stable across releases. */
  readonly code: "damaged" | "gap" | "missing" | "differs" | "older" | "other-cluster" | "other-stack";
  /** What it is about: a file of the kit, a Secret, a setting's file, the state. */
  readonly subject: string;
  /** A sentence; no value of a Secret is in it. */
  readonly message: string;
}

/** What is found in a kit alone. */
export function ownFindings({ manifest, damaged }: ReadKit): KitFinding[] {
  return [
    ...damaged.map((name): KitFinding => {
      return { code: "damaged", subject: name, message: "It is not the file that the kit was made of." };
    }),
    ...manifest.gaps.map((gap): KitFinding => ({ code: "gap", subject: "kit", message: gap })),
  ];
}

/** The stack as it is now. */
export interface StackNow {
  readonly name: string;
  readonly version: string;
  readonly identity: string | undefined;
  readonly settings: readonly SettingsFile[];
  readonly kept: readonly Kept[];
  /** By their `keptKey`. */
  readonly live: ReadonlyMap<string, HeldObject>;
  /** Its secrets may be encrypted. */
  readonly state: Export;
  /** Namespaces of the suites. */
  readonly suites: readonly string[];
}

/** What a kit lacks of the stack, and what is older in it. */
export function comparedFindings(kit: ReadKit, now: StackNow): KitFinding[] {
  const { manifest } = kit;
  if (manifest.stack !== now.name)
    return [of("other-stack")("kit", `It is of stack ${manifest.stack}, not of ${now.name}.`)];
  return [
    ...(now.identity !== undefined &&
    manifest.cluster.identity !== undefined &&
    manifest.cluster.identity !== now.identity
      ? [
          other(
            "cluster",
            `The kit is of another cluster: its identity was ${manifest.cluster.identity}, and is ${now.identity}.`,
          ),
        ]
      : []),
    ...(manifest.hearth.version === now.version
      ? []
      : [older("hearth", `The kit is of version ${manifest.hearth.version}, and this is ${now.version}.`)]),
    ...objectFindings(kit, now),
    ...stateFindings(kit, now.state),
    ...settingsFindings(kit, now.settings),
    ...now.suites
      .filter((namespace) => !manifest.suites.includes(namespace))
      .map((namespace) => missing(`suite ${namespace}`, "The kit does not have its config.php.")),
  ];
}

const of =
  (code: KitFinding["code"]) =>
  (subject: string, message: string): KitFinding => ({ code, subject, message });
const [missing, differs, older, other] = [of("missing"), of("differs"), of("older"), of("other-cluster")];

function objectFindings(kit: ReadKit, { kept, live }: StackNow): KitFinding[] {
  const inKit = objectsOfKit(kit);
  return kept.flatMap((each) => {
    const [now, then] = [live.get(keptKey(each)), inKit.get(keptKey(each))];
    const subject = `${each.kind} ${dataName(each.name, each.namespace)}`;
    const never = each.neverChanges ? " It must never change." : "";
    if (!now) return [];
    if (!then) return [missing(subject, `The kit does not have it.${never}`)];
    const keys = [...new Set([...Object.keys(now.data ?? {}), ...Object.keys(then.data ?? {})])];
    const changed = keys.filter((key) => now.data?.[key] !== then.data?.[key]);
    return changed.length === 0
      ? []
      : [differs(subject, `The cluster has another value of ${changed.join(", ")}.${never}`)];
  });
}

/** States differ in much that is not worth a word; a resource more or less is. */
function stateFindings({ files }: ReadKit, state: Export): KitFinding[] {
  const urns = ({ deployment }: Export) => new Set((deployment?.resources ?? []).map(({ urn }) => urn));
  const [then, now] = [urns(JSON.parse(Buffer.from(files.get(kitFiles.state) ?? "{}").toString())), urns(state)];
  const [more, fewer] = [now.difference(then).size, then.difference(now).size];
  if (more + fewer === 0) return [];
  return [
    older(
      "state",
      `The stack's state has ${more} resources that the kit does not know, and lacks ${fewer} of the kit.`,
    ),
  ];
}

function settingsFindings({ manifest, files }: ReadKit, settings: readonly SettingsFile[]): KitFinding[] {
  const parts = new Map(manifest.settings.map(({ path, part }) => [path, part]));
  return settings.flatMap(({ path, content }) => {
    const part = parts.get(path);
    const then = part === undefined ? undefined : files.get(part);
    if (!then) return [missing(path, "The kit does not have this file.")];
    return Buffer.compare(then, content) === 0 ? [] : [differs(path, "The file has changed since.")];
  });
}
