import { pages } from "./pages.ts";

/** A command in a `console` block of a page. */
export interface ConsoleCommand {
  readonly page: string;
  /** As a person types it: without the prompt and a comment at its end; of several lines the first. */
  readonly command: string;
}

/** Every command in the `console` blocks of all pages, each once a page. */
export function consoleCommands(): ConsoleCommand[] {
  return pages().flatMap(({ file, text }) => {
    const blocks = [...text.matchAll(/^( *)```console\n([\s\S]*?)^\1```/gm)].map(([, , block = ""]) => block);
    const lines = blocks.flatMap((block) => [...block.matchAll(/^ *\$ (.+)$/gm)].map(([, line = ""]) => line));
    const commands = new Set(lines.map((line) => line.replace(/\s+# .*$/, "").trim()));
    return [...commands].map((command) => ({ page: file, command }));
  });
}

/** What becomes of a command in the tests. */
export type Verdict =
  /** `test/docs/console-blocks.test.ts` runs it. */
  | "run"
  /** Another test runs it, or the same command on the sandbox. */
  | { readonly runBy: string }
  /** It can't be run, with the reason as a sentence. */
  | { readonly notRun: string };

const ofUser = "It works on what only the user has: an account, a repository, an editor, a registry or a machine.";
const changesCluster = "It needs a real cluster. On the sandbox the end-to-end tests run up, preview and stack.";
const inPod = "It is about a program in a pod, and a simulated pod runs no image.";
const onlyBroken = "It mends what is broken, and the sandbox's platform is sound.";
const runbooks = /^docs\/reference\/alerts\.md$/;
const lostCluster = { runBy: "test/safety/lost-cluster.test.ts" };
const operations = { runBy: "test/e2e/operations.test.ts" };

/** The first that matches counts. A command of a page that none matches fails the tests. */
const verdicts: readonly (readonly [command: RegExp, verdict: Verdict, page?: RegExp])[] = [
  [
    /^\.\/hearth /,
    { runBy: "test/e2e/example-stacks.test.ts" },
    /^(examples\/(stacks|own-repository)\/|docs\/how-to\/own-repository\.md)/,
  ],
  [/^npx --prefix vendor\/hearth pulumi /, { runBy: "test/e2e/example-stacks.test.ts" }],
  [/^cp -r vendor\/hearth/, { runBy: "test/cli/own-repository.test.ts" }],
  [/^\.\/hearth render .* --gitops /, { runBy: "test/cli/render/gitops.test.ts" }],
  [/^\.\/hearth init --stack small /, { runBy: "test/docs/smallest-start.test.ts" }],
  [/^\.\/hearth init .*--stack /, { runBy: "test/docs/k3s-tutorial.test.ts" }],
  [/^\.\/hearth (init|policies|graph|render) /, "run"],
  [/^\.\/hearth policies$/, "run"],
  [/^\.\/hearth prerequisites /, { runBy: "test/cli/prerequisites/prerequisites.test.ts" }],
  [/^\.\/hearth validate --stack (k3s|NAME) /, { runBy: "test/docs/k3s-tutorial.test.ts" }],
  [/^\.\/hearth validate .*--offline/, "run"],
  [/^\.\/hearth validate /, { runBy: "test/e2e/validate.test.ts" }],
  [/^\.\/hearth rights /, { runBy: "test/e2e/doctor.test.ts" }],
  [/^\.\/hearth doctor /, { runBy: "test/e2e/doctor.test.ts" }],
  [/^\.\/hearth smoke /, { runBy: "test/cli/smoke/smoke.test.ts" }],
  [/^\.\/hearth status .*--page/, { runBy: "test/e2e/page.test.ts" }],
  [/^\.\/hearth status /, { runBy: "test/e2e/status.test.ts" }],
  [/^PULUMI_K8S_ENABLE_PATCH_FORCE=true npx pulumi up/, { runBy: "test/e2e/status.test.ts" }],
  [/\.\/hearth gate /, { runBy: "test/e2e/gate.test.ts" }],
  [/^\.\/hearth backup /, operations],
  [/^\.\/hearth drill /, { runBy: "test/cli/drill/drill.test.ts" }],
  [/^\.\/hearth kit |^age(-keygen)? /, { runBy: "test/safety/recovery-kit.test.ts" }],
  [/^\.\/hearth destroy /, { runBy: "test/safety/destroy.test.ts" }],
  [/^\.\/hearth heal --lost-state /, { runBy: "test/safety/lost-state.test.ts" }],
  [/^\.\/hearth heal /, { runBy: "test/safety/crash-matrix.test.ts" }],
  [/^\.\/hearth images lock /, { runBy: "test/e2e/image-lock.test.ts" }],
  [/\.\/hearth sandbox /, { runBy: "test/e2e/sandbox.test.ts" }],
  [
    /^pulumi package add /,
    { notRun: "It needs the host of another language; test/e2e/languages.test.ts generates the same SDKs." },
  ],
  [/^npm install --prefix hearth hearth@npm:/, { runBy: "test/e2e/languages.test.ts" }],
  [
    /^pulumi install$|^kubectl create namespace orders$/,
    { notRun: "test/e2e/languages.test.ts previews the programs, with what these give them." },
    /^examples\/languages\//,
  ],

  [
    /^helm |^kubectl (create namespace|-n (monitoring|team)) /,
    { notRun: "The sandbox has the operator's kinds and no pod that reads metrics or sends mails." },
    /^docs\/how-to\/monitoring\.md$/,
  ],
  [/^(export|rclone) /, { runBy: "test/e2e/former-versions.test.ts" }, /^docs\/how-to\/former-versions\.md$/],
  [/^(export|rclone) /, { runBy: "test/e2e/copies.test.ts" }, /^docs\/how-to\/copies\.md$/],
  [/^kubectl -n copies create job /, { notRun: changesCluster }, /^docs\/how-to\/copies\.md$/],
  [/^kubectl (-n platform|top|cordon|drain|uncordon) /, operations, /^docs\/how-to\/operations\.md$/],
  [/^kubectl .*(get|describe|rollout status|logs|top pods) /, operations, runbooks],
  [/^kubectl .* (annotate|delete pod|rollout restart|create job) /, { notRun: onlyBroken }, runbooks],
  [/^pulumi |^kubectl get namespace kube-system /, lostCluster, /lost-cluster/],
  [
    /^kubectl apply --recursive|^kubectl apply -f kit|secret generic (forge-rails|hub-enc)/,
    { notRun: ofUser },
    /lost-cluster/,
  ],
  [/^kubectl patch pv VOLUME .*claimRef/, lostCluster],
  [/^kubectl (get pv|patch pv) /, { notRun: "It shows and keeps what the next command reserves." }],
  [/^kubectl .* create job --from=cronjob\/hub-key-backup /, lostCluster],
  [/^kubectl .* exec |^kubectl -n team (create|delete) /, { notRun: inPod }],
  [/^kubectl scale /, { runBy: "test/e2e/admission-stack.test.ts" }],
  [/^kubectl .* create job --from=cronjob\/forge-backup /, operations],
  [/^kubectl .* get configmap forge-db-drill-result /, { runBy: "test/safety/drill.test.ts" }],
  [/^kubectl .* get backups\.postgresql\.cnpg\.io$/, operations],
  [
    /^kubectl -n argocd /,
    { notRun: "The sandbox has no Argo CD; its engine judges the same files in the tests of gitops." },
  ],
  [/^kubectl .* get cluster forge-db /, { notRun: "It reads what the next command needs, which runs in a pod." }],
  [/^kubectl apply .*delivery/, { notRun: changesCluster }],
  [
    /^kubectl (get nodes|wait --for=create)|^kubectl -n (cert-manager|cnpg-system|demo|NAMESPACE_OF_TRAEFIK|team) /,
    { notRun: "It follows an installation on a real cluster." },
  ],
  [/^kubectl get secret hub-robot-/, { notRun: ofUser }],

  [/^(npm install --save-dev|pulumi preview) .*@hearth-platform\/policy/, { runBy: "test/e2e/outside.test.ts" }],
  [
    /^(cd .* && )?pulumi policy (publish|enable) /,
    { notRun: "It needs an organization of Pulumi's service; test/policy/package.test.ts packs what it sends." },
  ],
  [/^pulumi new /, { runBy: "test/e2e/components.test.ts" }],
  [/^(npx )?pulumi (up|preview|login|stack)\b/, { notRun: changesCluster }],
  [
    /^(python3 -m venv|\/tmp\/checkov|GOBIN=|find \/tmp\/prod)/,
    { notRun: "The checkers are no dependency; test/docs/other-checkers.test.ts counts what it finds." },
    /other-checkers/,
  ],
  [/^npm install (@hearth-platform|components\/dist)\//, { runBy: "test/components/package.test.ts" }],
  [/^(gh|npm audit) /, { notRun: "It asks the registry that has the release." }],
  [/^npm (start|test|ci|run)\b/, { notRun: "It is what runs the tests, or what they run in." }],
  [/^(git|docker|jq|age|argocd|hcloud|curl|mkdir|export|\$EDITOR) /, { notRun: ofUser }],
];

/** What becomes of a command; undefined where nothing is said of it. */
export function verdictOf({ page, command }: ConsoleCommand): Verdict | undefined {
  return verdicts.find(([pattern, , pages]) => pattern.test(command) && (pages?.test(page) ?? true))?.[1];
}
