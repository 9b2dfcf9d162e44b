import { isObject } from "../grpc.ts";

/** Names that Pulumi and S3 spell differently beyond the first letter, and lists that Pulumi calls by their plural. */
const toS3 = new Map([
  ["id", "ID"],
  ["mfaDelete", "MFADelete"],
]);
const toPulumi = new Map([...toS3].map(([pulumi, s3]) => [s3, pulumi]));

/** A value of a Pulumi input as S3's API has it: names begin upper case, a map of tags is a list of pairs. */
export function s3Shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(s3Shape);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name === "tags" && isObject(item))
        return ["Tags", Object.entries(item).map(([Key, Value]) => ({ Key, Value }))];
      return [
        toS3.get(name) ?? name.charAt(0).toUpperCase() + name.slice(1),
        name === "date" ? new Date(String(item)) : s3Shape(item),
      ];
    }),
  );
}

/** The way back. */
export function pulumiShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pulumiShape);
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, "Z");
  if (!isObject(value)) return value;
  const known = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    known.map(([name, item]) => {
      if (name === "Tags" && Array.isArray(item))
        return ["tags", Object.fromEntries(item.map(({ Key, Value }) => [Key, Value]))];
      return [toPulumi.get(name) ?? name.charAt(0).toLowerCase() + name.slice(1), pulumiShape(item)];
    }),
  );
}
