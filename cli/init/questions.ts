import { confirm, group, select, text } from "@clack/prompts";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { hostName } from "@hearth-platform/hearth/core/value-rules";
import { locations, storageClasses } from "@hearth-platform/hearth/limits/sets";
import { limits } from "@hearth-platform/hearth/limits/table";
import { type Answers, endpointIn, tiers } from "./answers.ts";
import type { FoundCluster } from "./found-cluster.ts";

/** The person ended the questions. */
export class Cancelled extends Error {}

const users = { small: "under 10 users", medium: "10 to 50 users", large: "over 50 users" } as const;

/** The choice that asks for a name. */
const another = "another";

/**
 * Asks at the terminal for what was not given.
 * @param isStack a stack is written too, which may go beyond the specification's sets
 * @throws Cancelled
 */
export async function ask(
  initial: Answers,
  given: Partial<Answers>,
  { isStack, cluster }: { isStack: boolean; cluster: FoundCluster | undefined },
): Promise<Answers> {
  /** The question, unless its answer was given. */
  const open = <T>(answer: keyof Answers, question: () => Promise<T>, isAsked = true) =>
    given[answer] === undefined && isAsked ? { [answer]: question } : {};
  const yesOrNo = (message: string, initialValue: boolean) => () => confirm({ message, initialValue });
  const word =
    <T extends string>(message: string, initialValue: T, words: readonly T[], hints: Partial<Record<T, string>>) =>
    () =>
      select<string>({ message, initialValue, options: words.map((value) => ({ value, hint: hints[value] })) });
  const found = cluster?.classes.map(({ metadata, provisioner }) => [metadata?.name ?? "", provisioner] as const) ?? [];
  const classes: Record<string, string> =
    found.length > 0
      ? Object.fromEntries(found)
      : {
          [storageClasses.replicatedBlock]: "one web pod, recommended",
          [storageClasses.smb]: `up to ${limits.cloudsuiteReplicas.most()} web pods`,
        };
  const issuers = cluster?.issuers ?? [];
  const gateways = cluster && !cluster.hasTraefik ? cluster.gatewayClasses : [];
  const stores = cluster?.secretStores ?? [];
  const generated = "none: passwords are generated";

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
      ...open("storage", word("Storage of the web volume", initial.storage, Object.keys(classes), classes)),
      ...open("location", async () => {
        const words = isStack ? [...locations, another] : locations;
        const chosen = await word<string>("Location of the object store", initial.location, words, {})();
        return chosen === another
          ? text({ message: "Region of the object store", placeholder: "eu-central-1" })
          : chosen;
      }),
      ...open("office", yesOrNo("Editing of documents in the browser", initial.office)),
      ...open("whiteboard", yesOrNo("Whiteboard", initial.whiteboard)),
      ...open(
        "profile",
        word("Profile", initial.profile, Object.values(Profile), {
          [Profile.production]: "a database with a standby",
          [Profile.development]: "a database without failover",
        }),
      ),
      ...open("issuer", word("ClusterIssuer of the certificates", initial.issuer, issuers, {}), issuers.length > 1),
      ...open("gatewayClass", word("GatewayClass of the routes", gateways[0] ?? "", gateways, {}), gateways.length > 1),
      ...open(
        "secretStore",
        word("ClusterSecretStore", stores[0] ?? generated, [...stores, generated], {}),
        stores.length > 0,
      ),
    },
    {
      onCancel: () => {
        throw new Cancelled("Nothing was written.");
      },
    },
  );
  const answered = { ...initial, ...given, ...(answers as Partial<Answers>) };
  const secretStore = answered.secretStore === generated ? undefined : answered.secretStore;
  if (given.endpoint !== undefined || locations.some((each) => each === answered.location))
    return { ...answered, secretStore };
  const endpoint = await text({ message: "Address of the object store", initialValue: endpointIn(answered.location) });
  if (typeof endpoint === "symbol") throw new Cancelled("Nothing was written.");
  return { ...answered, secretStore, endpoint };
}
