import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { clusterChoice } from "@hearth-platform/stack/providers";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";
import { counted } from "@hearth-platform/stack/settings/report";
import { outputJson } from "../answer.ts";
import { type Caller, hearthVersion, newCommand, type Session, UsageError } from "../command.ts";
import { environmentOf } from "../environment.ts";
import { exported, pulumiOf } from "../heal/stack-state.ts";
import { anyStackOption, configFileOption, jsonOption, outOption, sandboxOption } from "../options.ts";
import { runPulumi } from "../pulumi.ts";
import { decryptWith, encryptFor } from "./age.ts";
import { comparedFindings, ownFindings, type StackNow } from "./compare.ts";
import { kitArchive, readKit, sha256 } from "./contents.ts";
import { gatherKit, identityOf, type KitCluster, readObjects, readStack } from "./gather.ts";
import { constantSecrets, keptOf } from "./kept.ts";
import { notedSecret, noteObject } from "./note.ts";

/** How the state and the cluster are reached. */
export interface KitMeans {
  readonly pulumi: typeof runPulumi;
  readonly open: (choice: ClusterChoice, environment: NodeJS.ProcessEnv) => Promise<KitCluster>;
  readonly now: () => Date;
}

const realMeans: KitMeans = {
  pulumi: runPulumi,
  open: (choice, environment) => LiveCluster.open(choice, environment),
  now: () => new Date(),
};

/** `hearth kit`. @param means how the state and the cluster are reached */
export function kitCommand(session: Session, means = realMeans) {
  const path = (file: string | undefined) => file && resolve(session.folder, file);
  return newCommand("kit")
    .enablePositionalOptions()
    .description(
      "Writes the recovery kit of a stack: the state, the settings, the Secrets of the cluster, each suite's config.php, and a page that says what to do. It is one file, encrypted with age for the keys of hearth:kit.recipients.",
    )
    .addOption(anyStackOption("required"))
    .addOption(outOption("required"))
    .option("--overwrite", "replace a file that is there")
    .addOption(configFileOption())
    .addOption(sandboxOption("it needs no credentials"))
    .addOption(jsonOption("{file, stack, made, sha256, recipients, gaps}"))
    .addHelpText(
      "after",
      `
Without hearth, the program age opens it: age -d -i KEYFILE FILE | tar x
Nothing of it is ever written unencrypted. ConfigMap hearth-kit tells the cluster of the newest one; doctor reads that.`,
    )
    .action(async ({ stack, out, sandbox = false, json = false, overwrite = false, configFile }) => {
      if (stack === undefined || out === undefined) throw new UsageError("Name them: --stack STACK --out FILE");
      const options = {
        stack,
        sandbox,
        json,
        overwrite,
        out: resolve(session.folder, out),
        configFile: path(configFile),
      };
      session.end(await makeKit(options, session, means));
    })
    .addCommand(checkCommand(session, means));
}

function checkCommand(session: Session, means: KitMeans) {
  return newCommand("check")
    .summary("check a kit, and compare it with the stack")
    .description(
      "Decrypts a kit in memory and checks each file of it. With --stack it also says what the kit lacks of the stack, and what has changed since. Values are compared and never printed.",
    )
    .argument("<FILE>", "the kit")
    .requiredOption("--identity <KEYFILE>", "the file of a private key, as age-keygen writes it")
    .addOption(anyStackOption("without it only the file is checked"))
    .addOption(configFileOption())
    .addOption(sandboxOption("it needs no credentials"))
    .addOption(jsonOption("{file, stack, made, current, findings: [{code, subject, message}]}"))
    .action(async (file, { identity, sandbox = false, json = false, configFile, stack }) => {
      const own = configFile && resolve(session.folder, configFile);
      session.end(await checkKit({ stack, sandbox, json, file, identity, configFile: own }, session, means));
    });
}

interface MakeOptions {
  readonly stack: string;
  readonly sandbox: boolean;
  readonly json: boolean;
  readonly overwrite: boolean;
  readonly out: string;
  readonly configFile?: string | undefined;
}

async function makeKit(options: MakeOptions, caller: Caller, means: KitMeans): Promise<number> {
  const { out, sandbox, json } = options;
  try {
    const own = readStack(options.stack, options.configFile, caller);
    const { recipients = [] } = own.stack.settings.kit ?? {};
    if (recipients.length === 0) throw new Error(noRecipients);
    if (existsSync(out) && !options.overwrite)
      throw new Error(`${out} is there already. Name another file, or add --overwrite.`);
    // A key that is none is told before anything is read.
    await encryptFor(recipients, new Uint8Array());
    const environment = await environmentOf(sandbox);
    const cluster = await means.open(clusterChoice(own.stack), environment);
    try {
      const { project } = caller;
      const pulumi = pulumiOf(options, caller, means);
      const contents = await gatherKit(own, { cluster, pulumi, environment, now: means.now(), project });
      const kit = await encryptFor(recipients, kitArchive(contents));
      const { stack, made } = contents;
      writeWhole(out, kit);
      const gaps = contents.configurations.flatMap((each) => ("gap" in each ? [each.gap] : []));
      const sum = sha256(kit);
      if (json) outputJson(caller, { file: out, stack, made, sha256: sum, recipients, gaps });
      caller.error(
        `${relative(caller.folder, out)}: the recovery kit of stack ${stack}, for ${counted(recipients.length, "key")}. ${keepIt}\n`,
      );
      for (const gap of gaps) caller.error(`It lacks something. ${gap}\n`);
      const constant = constantSecrets(own.stack);
      const secrets = contents.objects
        .filter(([{ neverChanges }]) => neverChanges)
        .map(([, { metadata }]) => notedSecret(metadata));
      const [{ namespace } = { namespace: undefined }] = constant;
      if (namespace !== undefined)
        await tell(cluster, noteObject(namespace, { made, sha256: sum, recipients, secrets }), caller);
      return 0;
    } finally {
      cluster.close();
    }
  } catch (error) {
    throw new Error(`No kit was made. ${(error as Error).message}`, { cause: error });
  }
}

const keepIt =
  "Keep it outside of the cluster and of the buckets that it brings back, and keep the private keys elsewhere.";
const noRecipients =
  "hearth:kit.recipients names no key to encrypt it for. Make two keys with age-keygen, in two places that are not this cluster, and name their public keys there.";

/** Whole or not at all, and for its owner alone. */
function writeWhole(file: string, content: Uint8Array): void {
  const unfinished = `${file}.unfinished`;
  try {
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, content, { mode: 0o600, flag: "wx" });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Tells the cluster of a kit. That it can't be told takes nothing from the kit. */
async function tell(cluster: KitCluster, note: ReturnType<typeof noteObject>, caller: Caller): Promise<void> {
  try {
    await cluster.apply(note, { plural: "configmaps", namespaced: true }, "hearth-kit");
  } catch (error) {
    caller.error(
      `The kit is complete, but doctor will not know of it: ConfigMap ${note.metadata.namespace}/${note.metadata.name} can't be written. ${(error as Error).message}\n`,
    );
  }
}

interface CheckKitOptions {
  readonly stack: string | undefined;
  readonly sandbox: boolean;
  readonly json: boolean;
  readonly file: string;
  readonly identity: string;
  readonly configFile?: string | undefined;
}

async function checkKit(options: CheckKitOptions, caller: Caller, means: KitMeans): Promise<number> {
  const { file, identity, stack: name, json } = options;
  const read = (named: string) => readNamed(resolve(caller.folder, named), named);
  const archive = await decryptWith(read(identity).toString(), read(file), { file, identity });
  const kit = readKit(archive);
  const { stack, made } = kit.manifest;
  const now = name === undefined ? undefined : await stackNow({ ...options, stack: name }, caller, means);
  const findings = [...ownFindings(kit), ...(now ? comparedFindings(kit, now) : [])];
  const current = findings.length === 0;
  if (json) outputJson(caller, { file, stack, made, current, findings });
  else {
    const lines = findings.map(({ code, subject, message }) => `  ${code.padEnd(14)}${subject}: ${message}\n`);
    const compared = now ? " and compared with the stack" : "";
    const verdict = current
      ? "Nothing is missing."
      : "Make a new kit, and keep this one until you have checked the new one.";
    caller.output(
      `${file}: the kit of stack ${stack}, made ${made}; checked${compared}.\n${lines.join("")}${verdict}\n`,
    );
  }
  return current ? 0 : 1;
}

async function stackNow(
  options: CheckKitOptions & { readonly stack: string },
  caller: Caller,
  means: KitMeans,
): Promise<StackNow> {
  const { name, stack, settings } = readStack(options.stack, options.configFile, caller);
  const cluster = await means.open(clusterChoice(stack), await environmentOf(options.sandbox));
  try {
    const kept = keptOf(stack);
    return {
      name,
      version: hearthVersion(),
      identity: await identityOf(cluster),
      settings,
      kept,
      live: await readObjects(kept, cluster),
      state: await exported(options, pulumiOf(options, caller, means)),
      suites: stack.suites.map(({ config }) => config.namespace),
    };
  } finally {
    cluster.close();
  }
}

function readNamed(path: string, name: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${name} can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
