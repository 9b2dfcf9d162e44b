import { renderTemplate } from "@hearth-platform/sandbox/operators/secret-template";
import { describe, expect, it } from "vitest";

describe("a secret's template", () => {
  const values = { user: "app", "db-password": 'p"w d', url: "a/b c", lines: "one\ntwo" };

  it.each([
    ["plain text", "plain text"],
    ["{{ .user }}", "app"],
    ["{{.user}}@{{ .user }}", "app@app"],
    ['{{ index . "db-password" }}', 'p"w d'],
    ["{{ .user | b64enc }}", "YXBw"],
    ['{{ "YXBw" | b64dec }}', "app"],
    ['{{ index . "db-password" | quote }}', '"p\\"w d"'],
    ["{{ .url | urlquery }}", "a%2Fb+c"],
    ['{{ printf "redis://%s:%s" .user .url }}', "redis://app:a/b c"],
    ['{{ .user | upper | replace "P" "|" }}', "A||"],
    ['{{ index . "lines" | indent 4 }}', "    one\n    two"],
    ["line\n  {{- .user -}}  \nline", "lineappline"],
    ["line\n  {{- .user | trim }}", "lineapp"],
  ])("renders %j", (template, expected) => {
    expect(renderTemplate(template, values)).toBe(expected);
  });

  it.each([
    ["{{ .missing }}", 'map has no entry for key "missing"'],
    ["{{ .constructor }}", 'map has no entry for key "constructor"'],
    ["{{ .user | nope }}", 'function "nope" not defined'],
    ["{{ if .user }}x{{ end }}", 'function "if" not defined'],
  ])("refuses %j", (template, message) => {
    expect(() => renderTemplate(template, values)).toThrow(message);
  });
});
