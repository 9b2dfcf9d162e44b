import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { suiteNames } from "@hearth-platform/hearth/cloudsuite/suite-names";
import { ownLabels } from "@hearth-platform/hearth/core/own-labels";
import type { ForgeArgs } from "@hearth-platform/hearth/forge/args";
import { forgeNames } from "@hearth-platform/hearth/forge/forge-names";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import type { Ended, PodPlace } from "@hearth-platform/stack/live/cluster/run-in-pod";
import { look } from "@hearth-platform/stack/live/preflight/facts";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import { stackParts } from "@hearth-platform/stack/parts";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import type { PodList } from "kubernetes-types/core/v1.d.ts";
import type { SmokeRow } from "./judgement.ts";

/** A program of a stack that sends mail, and how it sends one that is asked for. */
export interface MailSender {
  /** Its public host. */
  readonly host: string;
  readonly namespace: string;
  /** Its Deployment, and the container of its pods. */
  readonly workload: string;
  readonly container: string;
  /** Sends a mail to an address, in a container. */
  readonly command: (address: string) => readonly string[];
}

/** How the inside of the cluster is reached. */
export interface MailMeans {
  readonly cluster: Pick<LiveCluster, "read">;
  readonly run: (place: PodPlace, command: readonly string[]) => Promise<Ended>;
}

/** Nextcloud has no command for it: PHP gets the script itself, without the tag that opens a file. */
const script = readFileSync(join(import.meta.dirname, "send-mail.php"), "utf8").replace(/^<\?php/, "");

/** (gitlab-org/gitlab app/mailers/notify.rb; GitLab docs, omnibus/settings/smtp) */
const railsCode = `Notify.test_email(ARGV.first, "Test mail of #{Gitlab.config.gitlab.host}", "hearth smoke sent this mail, so the forge's mail works.").deliver_now`;

/** The forge and the suites whose settings name a mail server. */
export function mailSenders(stack: Stack): MailSender[] {
  return stackParts(stack).flatMap(({ kind, args }): MailSender[] => {
    if (kind === "forge") {
      const { domain, namespace, administration, platform } = args as ForgeArgs;
      const own = { host: domain, namespace, workload: forgeNames.toolbox, container: forgeNames.toolbox };
      const command = (address: string) => ["gitlab-rails", "runner", railsCode, address];
      return (administration?.smtp ?? platform.mail) ? [{ ...own, command }] : [];
    }
    if (kind !== "suites") return [];
    const { domain, namespace, mail, platform } = args as CloudSuiteArgs;
    const own = { host: domain, namespace, workload: suiteNames.web, container: suiteNames.web };
    const command = (address: string) => ["php", "-r", script, "--", address];
    return (mail ?? platform.mail) ? [{ ...own, command }] : [];
  });
}

/** Has each of them send a mail. */
export async function sendMails(
  senders: readonly MailSender[],
  address: string,
  means: MailMeans | undefined,
): Promise<SmokeRow[]> {
  return Promise.all(
    senders.map(async (sender) => ({ ...(await sendMail(sender, address, means)), host: sender.host })),
  );
}

async function sendMail(
  { namespace, workload, container, command }: MailSender,
  address: string,
  means: MailMeans | undefined,
): Promise<Finding> {
  const { ok, unknown, problem } = findings("mail");
  const subject = `mail to ${address}`;
  if (!means) return unknown(subject, "It was not sent: the cluster does not answer.");
  const pods = await look<PodList>(
    means.cluster,
    `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(`${ownLabels.name}=${workload}`)}`,
  );
  if (typeof pods === "string") return unknown(subject, `It was not sent: you may not see the pods of ${namespace}.`);
  const pod = pods.items.find(
    ({ metadata, status }) =>
      metadata?.deletionTimestamp === undefined &&
      status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True"),
  )?.metadata?.name;
  if (pod === undefined)
    return problem(
      subject,
      `It was not sent: no pod of ${workload} is ready.`,
      "See what runs: `./hearth status --stack STACK`.",
    );
  let ended: Ended;
  try {
    ended = await means.run({ namespace, pod, container }, command(address));
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, "");
    return unknown(
      subject,
      `Whether it was sent is not known: ${reason}.`,
      `You need the right to create pods/exec in namespace ${namespace}.`,
    );
  }
  if (ended.status === 0)
    return ok(subject, "The mail server took it. Look for it in the mailbox, also among the spam.");
  return problem(
    subject,
    `It was not sent: ${reasonIn(ended)}`,
    "Compare `mail` in the settings and the password in its Secret with what the mail server takes.",
  );
}

/** The error that a program ended with: the first line that is one, else the last that it said. */
function reasonIn({ status, stdout, stderr }: Ended): string {
  const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "");
  const reason = said.find((line) => /error|exception|fail|refused|denied/i.test(line)) ?? said.at(-1);
  return reason === undefined ? `the command ended with ${status}.` : `${reason.replace(/\.$/, "")}.`;
}
