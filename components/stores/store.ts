import type { z } from "zod";
import type { Plan } from "../core/plan.ts";
import type { Problem } from "../core/problems.ts";
import type { Recorded } from "../core/recorded.ts";

/** The interface of every store. A store's needs are its arguments; these functions derive the rest from them. */
export interface Store<Args, Connection> {
  /** Its component's class, by its name in the component package. */
  readonly component: string;
  /** End of its name in Pulumi's state, after the name of the component it is in. */
  readonly suffix: string;
  readonly schema: z.ZodType<unknown, Args>;
  /** Everything wrong with its arguments. */
  problems(args: unknown): Problem[];
  /** The losses that a change would cause. */
  changes(before: Recorded<Args>, now: Recorded<Args>): Problem[];
  /** Faults of a new store's arguments. @default nothing */
  creation?(now: Recorded<Args>): Problem[];
  /** All that it creates; what holds data is marked there. */
  plan(args: Args): Plan;
  /** How applications reach it; known before it is made. */
  connection(args: Args): Connection;
  /** Secrets that applications read to reach it, by the platform's names; none where they come with its arguments. */
  secrets(args: Args): readonly string[];
}
