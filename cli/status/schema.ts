import { Status } from "@hearth-platform/stack/live/preflight/finding";
import { z } from "zod";
import { runningKinds } from "./facts.ts";

const count = (text: string) => z.int().min(0).describe(text);
const text = (description: string) => z.string().describe(description);

const program = z.strictObject({
  title: text("Its name, e.g. `Nextcloud`."),
  version: text("The numbers that the tag of its image starts with."),
  fixesUntil: text("Last day of fixes; absent where none is known.").optional(),
});

const workload = z.strictObject({
  kind: z.enum(runningKinds).describe("As the API server calls it."),
  namespace: text("Its namespace."),
  name: text("Its name."),
  state: z
    .enum(["present", "absent", "unseen"])
    .describe("Whether the cluster has it; `unseen`: you may not list its kind."),
  ready: count("Pods that are ready."),
  wanted: count("Pods that the cluster is to have."),
  planned: count("Pods that the settings ask for; absent where an autoscaler decides.").optional(),
  restarts: count("Restarts of all containers of its pods."),
  lastRestart: text("When a container last ended, as RFC 3339.").optional(),
  image: text("Image of its last container.").optional(),
  plannedImage: text("Image that the settings ask for there.").optional(),
  program: program.describe("Its program, where the table of releases has it.").optional(),
  phase: text("What its operator says of it, where it is not as it should be.").optional(),
  primary: text("Pod with the primary of a database.").optional(),
});

/** What `hearth status --json` prints. */
export const StatusOutput = z
  .strictObject({
    stack: text("The stack."),
    server: text("URL of the API server."),
    at: text("When it was looked at, as RFC 3339."),
    sound: z.boolean().describe("Whether nothing is broken; there may be warnings."),
    components: z
      .array(
        z.strictObject({
          name: text("Its name in Pulumi's state."),
          component: text("Its class."),
          workloads: z.array(workload).describe("What keeps its pods running."),
        }),
      )
      .describe("The components as they run."),
    checks: z
      .array(
        z.strictObject({
          status: z.enum(Object.values(Status)).describe("From good to bad; `unknown` can't be seen from here."),
          code: text("Name of the check, stable across releases."),
          subject: text("What was looked at."),
          message: text("What was found, in sentences."),
          remedy: text("What to do; may be empty."),
          numbers: z
            .record(z.string(), z.number())
            .describe("The numbers that it was made of, each named with its unit.")
            .optional(),
        }),
      )
      .describe("Every finding, in the order of the screen."),
  })
  .meta({ title: "hearth status", description: "What `./hearth status --json` prints of a live stack." });
