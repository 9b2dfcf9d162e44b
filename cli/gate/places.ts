import { type Path, parsePath } from "@hearth-platform/hearth/core/paths";
import { readBounded } from "@hearth-platform/stack/settings/read-file";
import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import { settingPath } from "@hearth-platform/stack/settings/stack-source";
import { readYaml, type YamlFile } from "@hearth-platform/stack/settings/yaml-file";

/** Where a value of a resource is written, as `file:line`; of a value that follows from others, its component's settings. */
export type PlaceOf = (resource: string, path: string) => string | undefined;

/** Blocks of the stack's settings that the shared stores are made of, by their components; other components are called as theirs. */
const blocksOfStores: Readonly<Record<string, string>> = {
  "platform-db": "database",
  "platform-keystore": "keystore",
  "platform-storage": "objectStorage",
  platform: "objectStorage",
};

/** The block that a component is made of: `siteWebhook` of `site-webhook`. */
function blockOf(component: string): string | undefined {
  const block = blocksOfStores[component] ?? component.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(StackSettings.shape, block) ? block : undefined;
}

/** Arguments of a suite that stand elsewhere in its entry of the stack's settings. */
const ofEntry: Readonly<Record<string, Path>> = { "storage.webSize": ["webSize"], "office.engine": ["officeEngine"] };

/**
 * Finds what is written in the files of a stack.
 * @param project their folder
 * @param file the stack's settings, relative to it or absolute
 */
export function settingPlaces(project: string, file: string): PlaceOf {
  const stack = read(project, file);
  if (!stack) return () => undefined;
  const suites = suitesIn(project, stack);
  return (resource, path) => {
    const [kind = "", name = ""] = resource.split(" ");
    const isComponent = kind.startsWith("hearth/");
    const [component = ""] = name.split("/");
    const own = isComponent ? parsePath(path) : [];
    const suite = suites.find((each) => component === each.name || component.startsWith(`${each.name}-`));
    if (own[0] === "platform") return written(stack, settingPath(own.slice(1)));
    if (suite) return written(suite.file, own) ?? line(stack, [...suite.entry, ...(ofEntry[path] ?? [])]);
    const block = blockOf(component);
    return block === undefined ? undefined : line(stack, settingPath([block, ...own]));
  };
}

interface SuiteFiles {
  readonly name: string;
  /** Its config.yaml. */
  readonly file: YamlFile | undefined;
  /** Its entry in the stack's settings. */
  readonly entry: Path;
}

function suitesIn(project: string, stack: YamlFile): SuiteFiles[] {
  const place = settingPath(["cloudsuites"]);
  const suites = valueAt(stack, place);
  return (Array.isArray(suites) ? suites : []).map((suite, index) => ({
    name: String(suite?.name),
    file: typeof suite?.config === "string" ? read(project, suite.config) : undefined,
    entry: [...place, index],
  }));
}

function read(project: string, file: string): YamlFile | undefined {
  const content = readBounded(project, file, "", "");
  return content instanceof Uint8Array ? readYaml(file, content).yaml : undefined;
}

/** Where exactly this value stands. */
function written(file: YamlFile | undefined, path: Path): string | undefined {
  return file && path.length > 0 && valueAt(file, path) !== undefined ? line(file, path) : undefined;
}

/** Place of the value, or of the block that would hold it; undefined in a file that has neither. */
function line(file: YamlFile, path: Path): string | undefined {
  if (valueAt(file, path.slice(0, 2)) === undefined) return undefined;
  return `${file.file}:${file.locateKey(path).line}`;
}

function valueAt({ value }: YamlFile, path: Path): unknown {
  return path.reduce<unknown>((block, key) => (block as Record<string | number, unknown> | undefined)?.[key], value);
}
