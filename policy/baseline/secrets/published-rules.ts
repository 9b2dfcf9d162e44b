import * as preset from "@secretlint/secretlint-rule-preset-recommend";

/** As much of a rule of secretlint's as is used here; its own types are in packages that a run doesn't need. */
interface Rule {
  readonly meta: { readonly id: string; readonly type: "scanner" | "filter" };
  create(context: object, options: object): { file?(source: object): unknown };
}

// Rules that filter take back what others found, where a comment in the text itself says so.
const scanners = (preset.rules as unknown as readonly Rule[]).filter(({ meta }) => meta.type === "scanner");

/** By default only secret keys of AWS are looked for; their ids show where the other half once stood. */
const options: Readonly<Record<string, object>> = {
  "@secretlint/secretlint-rule-aws": { enableIDScanRule: true },
};

let found = false;
const context = {
  sharedOptions: {},
  createTranslator: () => () => ({ message: "" }),
  report() {
    found = true;
  },
  ignore() {},
};
const scans = scanners.map((rule) => rule.create(context, options[rule.meta.id] ?? {}));

/** No token or key is shorter, and most texts are. */
const shortest = 16;

/** Whether a text holds a token, a key or a connection string by its form: by secretlint's recommended rules. */
export function holdsKnownSecret(content: string): boolean {
  if (content.length < shortest) return false;
  const source = { filePath: "text", content, contentType: "text", hasBOM: false };
  found = false;
  return scans.some((scan) => {
    scan.file?.(source);
    return found;
  });
}
