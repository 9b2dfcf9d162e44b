import type { Day } from "@hearth-platform/hearth/core/days";
import { staticSiteNames } from "@hearth-platform/hearth/site-webhook/webhook-names";
import { stackFacts } from "@hearth-platform/policy/core/stack-facts";
import { type GraphNode, stackGraph } from "@hearth-platform/stack/delivery/graph/graph";
import type { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { type Conditioned, look } from "@hearth-platform/stack/live/preflight/facts";
import { checkStackFile } from "@hearth-platform/stack/locked-stack";
import { clusterChoice } from "@hearth-platform/stack/providers";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";
import { formatReport } from "@hearth-platform/stack/settings/report";
import { settingsPrefix } from "@hearth-platform/stack/settings/setting-names";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import type { StatusFacts } from "../facts.ts";
import { gatherStatus } from "../gather.ts";
import type { PageSource } from "./app.ts";
import { type AskPulumi, Backend, type StackState } from "./backend.ts";
import { Kept } from "./kept.ts";
import { lastLines, partDetail } from "./part.ts";
import type { PartPage } from "./part-document.ts";
import { type SiteState, sitesOf } from "./standing.ts";
import { updateView } from "./update.ts";
import { verdicts } from "./verdict.ts";
import { liveView, type StackView, type StateView } from "./view.ts";

/** What is looked at. */
export interface PageSubject {
  /** Folder of Pulumi.yaml, with the stacks' files. */
  readonly project: string;
  /** The stack that comes first. */
  readonly stack: string;
  /** Its settings in place of Pulumi.STACK.yaml. */
  readonly configFile?: string | undefined;
  /** The cluster of every stack. @default those that their settings name */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** URL of a Prometheus. @default none is asked */
  readonly prometheus?: string | undefined;
  readonly today?: Day | undefined;
}

type OpenedCluster = Pick<LiveCluster, "server" | "read" | "readText" | "listPath" | "close">;

/** How the world is reached. */
export interface PageMeans {
  readonly environment: NodeJS.ProcessEnv;
  readonly open: (choice: ClusterChoice) => Promise<OpenedCluster>;
  readonly pulumi: AskPulumi;
  readonly clock?: () => Date;
}

/** Milliseconds that answers are good for, however many pages are open: a look at a cluster, and the list of stacks. */
const goodFor = { look: 4_000, stacks: 15_000 } as const;

/** Every stack of the backend as it is now, whenever somebody looks, until it is closed. */
export function pageSource(subject: PageSubject, means: PageMeans): PageSource & { readonly close: () => void } {
  const backend = new Backend(means.pulumi);
  const listed = keptFor(goodFor.stacks, means, () => backend.stacks());
  const looks = new Map<string, LiveStack>();
  const stackOf = async (name: string) => {
    const found = await listed.get();
    const stacks = [...new Set(["failure" in found ? [] : found, subject.stack].flat())];
    if (!stacks.includes(name)) return undefined;
    const live = looks.get(name) ?? new LiveStack(name, subject, means, backend);
    looks.set(name, live);
    return { live, stacks, ...("failure" in found && { state: found }) };
  };
  return {
    stack: subject.stack,
    view: async (name) => {
      const found = await stackOf(name);
      if (!found) return undefined;
      const { live, ...rest } = found;
      return { ...(await live.looked.get()).view, ...rest };
    },
    part: async (name, part) => (await stackOf(name))?.live.part(part),
    close: () => {
      for (const live of looks.values()) live.close();
    },
  };
}

function keptFor<T>(milliseconds: number, { clock = () => new Date() }: PageMeans, ask: (now: Date) => Promise<T>) {
  return new Kept(
    () => ask(clock()),
    milliseconds,
    () => clock().valueOf(),
  );
}

/** What a look has found. */
interface Looked {
  readonly view: Omit<StackView, "stacks">;
  /** Absent where the cluster could not be looked at. */
  readonly facts?: StatusFacts;
  readonly nodes: readonly GraphNode[];
}

/** A stack that is looked at again and again, with one sign-in to its cluster. */
class LiveStack {
  readonly looked: Kept<Looked>;
  readonly #name: string;
  readonly #subject: PageSubject;
  readonly #means: PageMeans;
  readonly #backend: Backend;
  readonly #parts = new Map<string, Kept<PartPage | undefined>>();
  #opened: { readonly choice: string; readonly cluster: OpenedCluster } | undefined;
  #judged: { readonly state: StackState; readonly config: string; readonly view: StateView } | undefined;

  constructor(name: string, subject: PageSubject, means: PageMeans, backend: Backend) {
    this.#name = name;
    this.#subject = subject;
    this.#means = means;
    this.#backend = backend;
    this.looked = keptFor(goodFor.look, means, (now) => this.#look(now));
  }

  /** Ends the connections to its cluster; a later look makes new ones. */
  close(): void {
    this.#opened?.cluster.close();
    this.#opened = undefined;
  }

  /** A component with its pods; undefined where the stack has none of this name. */
  async part(name: string): Promise<PartPage | undefined> {
    const { view, facts } = await this.looked.get();
    if (!facts) return { stack: this.#name, name, failure: view.failure ?? "", logs: [] };
    if (!facts.components.some((each) => each.name === name)) return undefined;
    const page = this.#parts.get(name) ?? keptFor(goodFor.look, this.#means, () => this.#part(name));
    this.#parts.set(name, page);
    return page.get();
  }

  async #part(name: string): Promise<PartPage | undefined> {
    const { view, facts, nodes } = await this.looked.get();
    const node = nodes.find(({ id }) => id === name);
    const detail = facts && view.report && partDetail(name, facts, view.report, node);
    const cluster = this.#opened?.cluster;
    if (!detail || !cluster) return undefined;
    const logs = await Promise.all(detail.containers.map((each) => lastLines(cluster, each)));
    return { stack: this.#name, name, detail, logs };
  }

  async #look(now: Date): Promise<Looked> {
    const { project, stack: first, configFile, today } = this.#subject;
    const file = this.#name === first ? configFile : undefined;
    const { stack, problems } = checkStackFile(project, this.#name, { file, today });
    const named = { stack: this.#name, parts: [], state: {} };
    if (!stack) return { view: { ...named, failure: formatReport(problems) }, nodes: [] };
    const graph = stackGraph(stack);
    const [live, state] = await Promise.all([this.#lookAtCluster(stack, now), this.#lookAtState(stack)]);
    const { facts, ...rest } = live;
    const view = { ...named, ...liveView(this.#name, graph, facts), ...rest, state };
    return { view, ...(facts && { facts }), nodes: graph.nodes };
  }

  async #lookAtCluster(
    stack: Stack,
    now: Date,
  ): Promise<{ facts?: StatusFacts } & Pick<StackView, "sites" | "failure">> {
    const { environment } = this.#means;
    const { prometheus } = this.#subject;
    try {
      const cluster = await this.#cluster(stack);
      const [facts, sites] = await Promise.all([
        gatherStatus(this.#name, stack, { cluster, environment, prometheus, now }),
        lookForSites(stack, cluster),
      ]);
      return { facts, ...(sites && { sites }) };
    } catch (error) {
      // A sign-in may have ended: the next look signs in anew.
      this.close();
      return { failure: (error as Error).message };
    }
  }

  /** @throws Error where it can't be reached */
  async #cluster(stack: Stack): Promise<OpenedCluster> {
    const choice = clusterChoice(stack, this.#subject);
    const key = JSON.stringify(choice);
    if (this.#opened?.choice !== key) {
      this.close();
      this.#opened = { choice: key, cluster: await this.#means.open(choice) };
    }
    return this.#opened.cluster;
  }

  /** What the last update did, and the policies' verdicts on the state that it left; each state is judged once. */
  async #lookAtState({ settings }: Stack): Promise<StateView> {
    let state: StackState | undefined;
    try {
      state = await this.#backend.state(this.#name);
    } catch (error) {
      return { failure: (error as Error).message };
    }
    if (!state) return {};
    const config = configOf(settings);
    if (this.#judged?.state !== state || this.#judged.config !== config)
      this.#judged = { state, config, view: stateView(state, config) };
    return this.#judged.view;
  }
}

function stateView({ resources, operation }: StackState, config: string): StateView {
  return {
    ...(operation && { update: updateView(operation, resources) }),
    ...(resources.length > 0 && { verdicts: verdicts(resources, stackFacts({ PULUMI_CONFIG: config })) }),
  };
}

/** Settings as the engine gives them to a policy pack. */
function configOf(settings: Stack["settings"]): string {
  const entries = Object.entries(settings).map(([key, value]) => [
    `${settingsPrefix}${key}`,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The sites that the webhook of a stack can sync, in all namespaces. */
async function lookForSites(
  { settings }: Stack,
  cluster: Pick<LiveCluster, "read">,
): Promise<readonly SiteState[] | undefined> {
  if (!settings.siteWebhook) return undefined;
  const { group, version, plural, annotationDomain } = staticSiteNames(settings.siteWebhook);
  const found = await look<{ items: Conditioned[] }>(cluster, `/apis/${group}/${version}/${plural}`);
  if (found === "unseen") return undefined;
  return sitesOf(found === "absent" ? [] : found.items, `${annotationDomain}/sync`);
}
