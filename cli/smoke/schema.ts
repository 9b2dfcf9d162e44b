import { Status } from "@hearth-platform/stack/live/preflight/finding";
import { z } from "zod";

const text = (description: string) => z.string().describe(description);

/** What `hearth smoke --json` prints. */
export const SmokeOutput = z
  .strictObject({
    stack: text("The stack."),
    at: text("When it was asked, as RFC 3339."),
    sound: z.boolean().describe("Whether everything answers as the specification says; there may be warnings."),
    rows: z
      .array(
        z.strictObject({
          host: text("The public host."),
          status: z.enum(Object.values(Status)).describe("From good to bad; `unknown` was not asked."),
          code: z.enum(["dns", "certificate", "request", "redirect", "ssh", "mail"]).describe("What was asked."),
          subject: text("The question: a request's method and path, or a word."),
          message: text("What came back, and what is wrong with it."),
          remedy: text("What to do; may be empty."),
        }),
      )
      .describe("Every question, host by host."),
  })
  .meta({ title: "hearth smoke", description: "What `./hearth smoke --json` prints of a stack's public endpoints." });
