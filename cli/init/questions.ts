import { confirm, group, select, text } from "@clack/prompts";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { hostName } from "@hearth-platform/hearth/core/value-rules";
import { locations, storageClasses } from "@hearth-platform/hearth/limits/sets";
import { limits } from "@hearth-platform/hearth/limits/table";
import { type Answers, tiers } from "./answers.ts";

/** The person ended the questions. */
export class Cancelled extends Error {}

const users = { small: "under 10 users", medium: "10 to 50 users", large: "over 50 users" } as const;

/**
 * Asks at the terminal for what was not given.
 * @throws Cancelled
 */
export async function ask(initial: Answers, given: Partial<Answers>): Promise<Answers> {
  /** The question, unless its answer was given. */
  const open = <T>(answer: keyof Answers, question: () => Promise<T>) =>
    given[answer] === undefined ? { [answer]: question } : {};
  const yesOrNo = (message: string, initialValue: boolean) => () => confirm({ message, initialValue });
  const word =
    <T extends string>(message: string, initialValue: T, words: readonly T[], hints: Partial<Record<T, string>>) =>
    () =>
      select<string>({ message, initialValue, options: words.map((value) => ({ value, hint: hints[value] })) });

  const answers = await group(
    {
      ...open("domain", () =>
        text({
          message: "Public host",
          placeholder: initial.domain,
          validate: (host = "") => hostName("domain", host).map(({ message, remedy }) => `${message} ${remedy}`)[0],
        }),
      ),
      ...open("size", word("Size", initial.size, tiers, users)),
      ...open(
        "storage",
        word("Storage of the web volume", initial.storage, Object.values(storageClasses), {
          [storageClasses.replicatedBlock]: "one web pod, recommended",
          [storageClasses.smb]: `up to ${limits.cloudsuiteReplicas.most()} web pods`,
        }),
      ),
      ...open("location", word("Location of the object store", initial.location, locations, {})),
      ...open("office", yesOrNo("Editing of documents in the browser", initial.office)),
      ...open("whiteboard", yesOrNo("Whiteboard", initial.whiteboard)),
      ...open(
        "profile",
        word("Profile", initial.profile, Object.values(Profile), {
          [Profile.production]: "a database with a standby",
          [Profile.development]: "a database without failover",
        }),
      ),
    },
    {
      onCancel: () => {
        throw new Cancelled("Nothing was written.");
      },
    },
  );
  return { ...initial, ...given, ...(answers as Partial<Answers>) };
}
