import { flag, text, texts } from "@hearth-platform/hearth/core/schema";
import { checkStructure } from "@hearth-platform/hearth/core/structure";
import { EnforcementLevel, type Policy, type SettingValue } from "@hearth-platform/policy/core/policy";
import { packs } from "@hearth-platform/policy/policies";
import { byPlace, type LocatedProblem, located } from "@hearth-platform/stack/settings/located";
import { readYaml } from "@hearth-platform/stack/settings/yaml-file";
import { z } from "zod";

const level = z.enum(Object.values(EnforcementLevel)).meta({
  description:
    "mandatory: a violation stops the preview; advisory: it is only reported; disabled: the policy does not run.",
});

const exemption = z.strictObject({
  name: text("Kubernetes' name of the object, or of a component in the program."),
  namespace: text("Its namespace. Default: any.").optional(),
  kind: text("Its kind, e.g. Deployment. Default: any.").optional(),
  reason: text("Reason why it may pass."),
  until: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, "Write a day like 2026-12-31")
    .meta({ description: "Last day on which it may pass, in UTC, e.g. 2026-12-31." }),
});

const exemptions = z.array(exemption).meta({ id: "exemptions" });

/** Configuration of the policies of all packs, as Pulumi's `--policy-pack-config` takes it: by the policies' ids. */
export const PolicyConfiguration = z
  .strictObject({
    all: z
      .strictObject({ enforcementLevel: level })
      .meta({ description: "Level of all policies that have no own entry." })
      .optional(),
    ...Object.fromEntries(packs.flatMap(({ policies }) => policies.map((each) => [each.id, ofPolicy(each)]))),
  })
  .meta({
    title: "Policies",
    description: "Configuration of hearth's policies for a stack: levels, settings, exemptions.",
  });

function ofPolicy({ rule, settings }: Policy) {
  const fields = Object.entries(settings).map(([name, setting]) => [
    name,
    schemaLike(setting.default, `${setting.description} Default: ${JSON.stringify(setting.default)}.`).optional(),
  ]);
  return z
    .strictObject({
      enforcementLevel: level.optional(),
      ...Object.fromEntries(fields),
      exempt: exemptions.optional().meta({ description: "Resources that may pass for a limited time." }),
    })
    .meta({ description: rule })
    .optional();
}

function schemaLike(standard: SettingValue, description: string): z.ZodType {
  if (typeof standard === "number") return z.number().meta({ description });
  if (typeof standard === "boolean") return flag(description);
  return typeof standard === "string" ? text(description) : texts(description);
}

/** Everything wrong with the form of a configuration. That an exemption has ended is told at the preview, on its day. */
export function configurationProblems(file: string, content: Uint8Array): LocatedProblem[] {
  const { yaml, problems } = readYaml(file, content);
  if (!yaml) return problems;
  return byPlace(located(checkStructure(PolicyConfiguration, yaml.value, yaml.source).problems, yaml));
}
