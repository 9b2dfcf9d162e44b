import { z } from "zod";

/** Parts of the settings' schema that several areas have. */

export const text = (description: string, examples: string[] = []) =>
  z
    .string()
    .min(1)
    .meta({ description, ...(examples.length > 0 ? { examples } : {}) });

export const texts = (description: string) => z.array(z.string().min(1)).meta({ description });

export const textMap = (description: string) => z.record(z.string(), z.string()).meta({ description });

export const flag = (description: string) => z.boolean().meta({ description });

export const count = (description: string) => z.int().min(0).meta({ description });

export const port = (description: string) => z.int().min(1).max(65535).meta({ description });

const amounts = (description: string) =>
  z
    .strictObject({
      cpu: text("CPU in millicores.", ["200m"]),
      memory: text("Memory with a binary suffix.", ["512Mi"]),
    })
    .meta({ description });

export const resourceSpec = (description: string) =>
  z
    .strictObject({
      requests: amounts("Reserved on a node for the container."),
      limits: amounts("Above the CPU limit it is throttled, above the memory limit it is killed."),
    })
    .meta({ description });

export const secretKey = (description: string) =>
  z.strictObject({ name: text("Name of the Secret."), key: text("Key in the Secret.") }).meta({ description });

export const recovery = z
  .strictObject({
    targetTime: text("Point in time, in UTC unless it has an offset. Default: the last that was archived.", [
      "2026-11-20 08:30:00",
      "2026-11-20 10:30:00+02:00",
    ]).optional(),
    suffix: text("Added to the new cluster's name. Default: the point in time, such as 20261120-083000.", [
      "r1",
    ]).optional(),
    source: text("Cluster whose backups are read. Default: the name without suffix.").optional(),
    keepSource: flag("The old cluster stays beside the new one. Default true.").optional(),
  })
  .meta({ description: "Recovery of the database to a point in time; it stays set afterwards." });
