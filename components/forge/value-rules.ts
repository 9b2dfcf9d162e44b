import { error, type Problem, shown } from "../core/problems.ts";

/** Rules on single values of a forge's arguments; its schema names them. */

/** An address of mail, without a name around it. */
export function mailAddress(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[^@\s<>]+@[^@\s<>]+$/.test(value)) return [];
  return [error("mail-address", path, `${shown(value)} is not an address.`, "Write it like forge@example.org.")];
}

/** Tags of a runner: they are listed with commas between them. */
export function runnerTags(path: string, values: readonly string[] | undefined): Problem[] {
  return (values ?? []).flatMap((value, index) => {
    const wrong = (message: string, remedy: string) => [error("runner-tag", `${path}[${index}]`, message, remedy)];
    if (value.includes(",") || value.trim() !== value)
      return wrong(`${shown(value)} is not one tag.`, "Write each tag as an entry of its own, without commas.");
    return values?.indexOf(value) === index ? [] : wrong(`${shown(value)} stands there twice.`, "Write it once.");
  });
}
