import type { Manifest } from "./contents.ts";

/** The page of a kit, for whoever opens it: plain text, since nothing else may be at hand. */
export function kitPage({ stack, made, hearth, programs, backend, cluster, databases, gaps }: Manifest): string {
  const commit = hearth.commit === undefined ? "" : `, commit ${hearth.commit}`;
  const archives = databases.map(({ namespace, cluster: name, archive }) =>
    archive
      ? `  ${namespace}/${name}: ${archive.endpoint}, bucket ${archive.bucket}, folder ${archive.folder}`
      : `  ${namespace}/${name}: no archive`,
  );
  return [
    `RECOVERY KIT of stack ${stack}, made ${made}`,
    "",
    "Everything in it is as secret as the platform: it has every password and key in the clear.",
    "Unpack it into memory or onto an encrypted disk, and keep no unpacked copy.",
    "",
    "  age -d -i KEYFILE FILE | tar x        unpack",
    "  sha256sum -c SHA256SUMS               check that every file is as it was",
    "",
    "Of what it was made",
    `  hearth ${hearth.version}${commit}; Pulumi ${programs.pulumi}; Node ${programs.node}`,
    `  state in ${backend}`,
    `  cluster ${cluster.server}, identity ${cluster.identity ?? "unknown"}`,
    "",
    "What is in it",
    "  kit.json            what each file is, the images, buckets and archives",
    "  state.json          the state, for `pulumi stack import`; its values stand in the clear",
    "  settings/           Pulumi.yaml, the stack's file, the suites' files, the lock of images",
    "  recover.yaml        settings that recover the databases from their archives",
    "  secrets/stack/      Secrets that the stack generated; the state has the same values",
    "  secrets/store/      Secrets that External Secrets synced from a store",
    "  secrets/existing/   Secrets that others made, which pods read; so configmaps/existing/",
    "  secrets/operator/   the databases' own certificate authorities",
    "  suites/             config.php of each suite: its secret, passwordsalt and instanceid",
    "",
    "Archives of the databases",
    ...(archives.length > 0 ? archives : ["  none"]),
    "",
    "If only the state is lost, and the cluster is there",
    "  Import state.json as below, steps 2 and 3, run `pulumi refresh`, then `./hearth heal --lost-state`",
    "  for what was made after this kit. Leave every object in place.",
    "",
    "If the cluster is lost",
    "  1. Make a cluster with the same operators. Take hearth of the version above, and put settings/ into it.",
    `  2. pulumi stack init ${stack}         with the secrets provider of before. Keep encryptionsalt or`,
    "     encryptedkey of the settings. If its key is lost, begin the stack with another provider, and take over",
    "     what the empty stack says of it:",
    "       pulumi stack export > empty.json",
    "       jq --slurpfile empty empty.json '.deployment.secrets_providers =",
    "         $empty[0].deployment.secrets_providers' state.json > new.json",
    `  3. pulumi stack import --stack ${stack} --file state.json`,
    "  4. Add the lines of recover.yaml to the settings. Set hearth:kubernetes.identity to the new cluster's.",
    "  5. pulumi refresh, so that the state forgets the lost objects. Generated values stay in it.",
    "  6. pulumi up. It makes every Secret with its old value. As soon as it has made the namespaces:",
    "       kubectl apply -R -f secrets/existing        and -f configmaps/existing, if there are some",
    "     and -f secrets/store, if the store of External Secrets is lost too.",
    "     secrets/operator is only for clients outside the cluster that check the databases' certificates.",
    "  7. Put each suite's config.php onto its new web volume (docs/tutorial/cloudsuite-guide.md, step 13).",
    "",
    ...(gaps.length > 0 ? ["What it lacks", ...gaps.map((gap) => `  - ${gap}`), ""] : []),
  ].join("\n");
}
