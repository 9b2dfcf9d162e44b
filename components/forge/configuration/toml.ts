/** A TOML string: of JSON's escapes TOML knows all that `JSON.stringify` writes. */
export function tomlString(text: string): string {
  return JSON.stringify(text);
}

/** Content of a mounted file as a TOML string, put in by gomplate at the start of the container. (delimiters of CNG gitlab-base/scripts/set-config) */
export function fileString(path: string): string {
  return `{% file.Read ${JSON.stringify(path)} | strings.TrimSpace | data.ToJSON %}`;
}
