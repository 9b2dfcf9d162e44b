import { AdmissionAction } from "@hearth-platform/hearth/admission/args";
import { defaultNamespace } from "@hearth-platform/hearth/admission/plan";
import { z } from "zod";
import { text } from "./schema-parts.ts";

/** The settings of the limits inside the cluster. */
export const admission = z
  .strictObject({
    action: z
      .enum(Object.values(AdmissionAction))
      .meta({ description: "What happens to a change that breaks a limit: warn (default), audit or deny." })
      .optional(),
    namespace: text(
      `Namespace of the limits, and start of the policies' names; each stack of a cluster needs its own. Default ${defaultNamespace}.`,
    ).optional(),
  })
  .meta({ description: "The limits as admission policies of the API server. Default none." });
