import type { Operation } from "./update.ts";
import type { StateResource } from "./verdict.ts";

/** A stack as Pulumi's backend has it. */
export interface StackState {
  readonly resources: readonly StateResource[];
  /** The last operation; absent before the first. */
  readonly operation?: Operation | undefined;
}

/** The stacks of Pulumi's backend; where it can't be asked, why. */
export type Stacks = readonly string[] | { readonly failure: string };

/** Asks Pulumi. @returns what it prints; @throws Error where it fails */
export type AskPulumi = (args: readonly string[]) => Promise<string>;

/** An entry of `pulumi stack ls --json`: pulumi/pulumi pkg/cmd/pulumi/stack/stack_ls.go. */
interface ListedStack {
  /** With the organisation before it, where that is not the user's own. */
  readonly name: string;
  /** When its state was last written; absent before. */
  readonly lastUpdate?: string;
}

/** Reads Pulumi's backend through Pulumi itself, whatever backend that is; a state again only after it was written. */
export class Backend {
  readonly #ask: AskPulumi;
  readonly #states = new Map<string, { readonly written: string; readonly state: Promise<StackState> }>();
  #listed: ReadonlyMap<string, ListedStack> = new Map();

  constructor(ask: AskPulumi) {
    this.#ask = ask;
  }

  /** Names of the stacks as their files have them, `Pulumi.NAME.yaml`. */
  async stacks(): Promise<Stacks> {
    try {
      const listed = JSON.parse(await this.#ask(["stack", "ls", "--json"])) as readonly ListedStack[];
      this.#listed = new Map(listed.map((each) => [each.name.replace(/^.*\//, ""), each]));
      return [...this.#listed.keys()];
    } catch (error) {
      return { failure: (error as Error).message };
    }
  }

  /** A stack's state as it was when the stacks were last listed; undefined where the backend has none. @throws Error where Pulumi fails */
  async state(stack: string): Promise<StackState | undefined> {
    const listed = this.#listed.get(stack);
    if (!listed) return undefined;
    const written = listed.lastUpdate ?? "";
    const known = this.#states.get(stack);
    if (known?.written === written) return known.state;
    const state = this.#read(listed.name);
    this.#states.set(stack, { written, state });
    state.catch(() => this.#states.delete(stack));
    return state;
  }

  async #read(name: string): Promise<StackState> {
    const [exported, history] = await Promise.all([
      this.#ask(["stack", "export", "--stack", name]),
      this.#ask(["stack", "history", "--stack", name, "--json", "--page-size", "1"]),
    ]);
    const { deployment } = JSON.parse(exported) as { deployment?: { resources?: readonly StateResource[] } | null };
    const [operation] = JSON.parse(history) as readonly Operation[];
    return { resources: deployment?.resources ?? [], operation };
  }
}
