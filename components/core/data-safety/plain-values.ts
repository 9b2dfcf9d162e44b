import * as pulumi from "@pulumi/pulumi";
import { type RecordedResource, recordedState } from "./recorded-state.ts";

/**
 * Until 0.1.0 random bytes were made by this type. The official provider records their base64 as the resource's id, which no
 * secrets provider encrypts. (pulumi-random 4.21, provider/resources.go: computeRandomBytesID)
 */
export const plainType = "random:index/randomBytes:RandomBytes";

/** The digits of a hexadecimal value, as the only characters of a RandomPassword; its id says nothing. */
export const hexDigits = {
  special: true,
  overrideSpecial: "0123456789abcdef",
  upper: false,
  lower: false,
  numeric: false,
} as const;

/** Whether a resource of a state is a value of this package that stands there in plain text. */
export function isPlainValue({ urn, type }: Pick<RecordedResource, "urn" | "type">): boolean {
  return type === plainType && /hearth:index:\w+\$[^$]+$/.test(urn.split("::")[2] ?? "");
}

/** Why a state with such values is refused; undefined where it has none. */
export function plainValuesRefusal(recorded: readonly RecordedResource[]): string | undefined {
  const plain = recorded.filter(isPlainValue);
  if (plain.length === 0) return undefined;
  return [
    `Nothing was created. The state holds ${plain.length} secret values in plain text:`,
    ...plain.map(({ urn }) => `- ${urn.split("::").slice(3).join("::")}`),
    `Run \`./hearth heal --stack ${pulumi.getStack()}\`, which rewrites them with the same values, then read what to rotate (docs/explanation/data.md, "Secrets in old states").`,
  ].join("\n");
}

let looked: Promise<pulumi.Alias> | undefined;

/**
 * The former type of a value: where the state has it unseen by us, the engine stops before it replaces one that is protected.
 * @throws pulumi.RunError (rejects) where the state is read and has such values: the engine would make others in their place
 */
export function formerType(): Promise<pulumi.Alias> {
  // One promise for all, so that its error is told once.
  looked ??= recordedState().then((state) => {
    const refusal = plainValuesRefusal(state?.resources ?? []);
    if (refusal !== undefined) throw new pulumi.RunError(refusal);
    return { type: plainType };
  });
  return looked;
}
