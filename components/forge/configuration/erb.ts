import { stringify } from "yaml";

/** Text that stands in a YAML file as it is, with ERB in it: how a secret gets into a file at the start of a container. */
export interface ErbText {
  readonly erb: string;
}

/** A value of a YAML file; undefined keys are left out. */
export type YamlValue = string | number | boolean | null | ErbText | readonly YamlValue[] | YamlMap;

/** A map of a YAML file, in its order. */
export interface YamlMap {
  readonly [key: string]: YamlValue | undefined;
}

/**
 * A YAML file that ERB renders: the images' entrypoint evaluates every `*.erb` with Ruby. (CNG gitlab-base/scripts/set-config)
 * Strings are quoted, since Ruby's YAML 1.1 takes `no` or `12:30` for other than text; and what looks like ERB in them stays text.
 */
export function erbYaml(content: YamlMap): string {
  const texts: string[] = [];
  const replace = (_: unknown, value: unknown) => {
    if (isErb(value)) return `<%${texts.push(value.erb) - 1}%>`;
    return typeof value === "string" ? value.replaceAll("<%", "<%%") : value;
  };
  const options = { version: "1.1", defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN", lineWidth: 0 } as const;
  return stringify(content, replace, options).replace(/"<%(\d+)%>"/g, (_, index) => texts[Number(index)] ?? "");
}

/** The value that a Ruby expression yields, as YAML. */
export function rubyValue(expression: string): ErbText {
  return { erb: erb(`${expression}.to_json`) };
}

/** The content of a mounted file, as YAML text. */
export function fileContent(path: string): ErbText {
  return rubyValue(readFile(path));
}

/** An ERB tag that prints what a Ruby expression yields. */
export function erb(expression: string): string {
  return `<%= ${expression.replaceAll("%>", "%%>")} %>`;
}

/** Ruby that reads a file without the white space around its content. */
export function readFile(path: string): string {
  return `File.read(${rubyString(path)}).strip`;
}

/** A single-quoted Ruby string, in which only the quote and the backslash are special. */
export function rubyString(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function isErb(value: unknown): value is ErbText {
  return typeof value === "object" && value !== null && "erb" in value && Object.keys(value).length === 1;
}
