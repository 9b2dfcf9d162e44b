import type { AdmissionArgs } from "@hearth-platform/hearth/admission/args";
import { admissionComponent } from "@hearth-platform/hearth/admission/component";
import { admission as admissionArgs, defaultNamespace } from "@hearth-platform/hearth/admission/schema";
import { error } from "@hearth-platform/hearth/core/problems";
import { as, block, defaultsTo, optional, without } from "@hearth-platform/hearth/core/schema";
import type { Stack } from "../../stack-settings.ts";
import { type Area, ofSettings, only } from "../area.ts";
import type { Shared } from "../shared.ts";

const settings = {
  admission: optional(
    block("Admission", "The limits as admission policies of the API server.", {
      ...without(admissionArgs, "namespaces", "drills", "platform"),
      namespace: defaultsTo(
        as(
          admissionArgs.shape.namespace.unwrap(),
          "Namespace of the limits. The policies' names start with it. Each stack of a cluster needs its own.",
        ),
        defaultNamespace,
      ),
    }),
    "none",
  ),
};

/** The limits in the cluster. A limit that was raised is raised there before anything makes use of it. */
export const admissionArea: Area<typeof settings, "Admission"> = {
  settings,
  component: admissionComponent,
  after: [],
  parts: (stack, shared) => only("admission", admissionArguments(stack, shared)),
  rules: [
    ofSettings(["admission", "forge", "cloudsuites"], ({ admission, forge, cloudsuites }) =>
      !admission || forge || cloudsuites?.length ? [] : [nothingToJudge],
    ),
  ],
  claims: ofSettings(["admission"], ({ admission }) =>
    admission
      ? [{ path: "hearth:admission.namespace", kind: "namespace", value: admission.namespace ?? defaultNamespace }]
      : [],
  ),
};

const nothingToJudge = error(
  "nothing-to-judge",
  "admission",
  "The stack has nothing that the limits apply to.",
  "Remove it, or add a forge or a suite.",
);

function admissionArguments({ settings, suites }: Stack, { platform, stores }: Shared): AdmissionArgs | undefined {
  if (!settings.admission) return undefined;
  const sites = settings.siteWebhook?.sites ?? [];
  const ofSuites = suites.map(({ config: { namespace, storage }, settings: { files, users } }) => ({
    name: namespace,
    storageClass: storage.storageClass,
    files,
    users,
  }));
  const others = [...(stores ? [stores.args.namespace] : []), ...sites.map(({ namespace }) => namespace)].filter(
    (name) => !ofSuites.some((suite) => suite.name === name),
  );
  return {
    ...settings.admission,
    ...(settings.drill && { drills: true }),
    namespaces: [...[...new Set(others)].map((name) => ({ name })), ...ofSuites],
    platform,
  };
}
