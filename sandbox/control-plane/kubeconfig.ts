import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { kubeContext } from "../paths.ts";
import type { ControlPlanePaths } from "./configuration.ts";

/**
 * Writes the sandbox's kubeconfig, with the administrator's certificate that kwokctl made. It holds everything it
 * needs, so it can be copied, and one context, whose name stack `dev` asks for.
 */
export async function writeKubeconfig(file: string, paths: ControlPlanePaths, apiServerPort: number): Promise<void> {
  const encoded = (name: string) => readFile(join(paths.cluster, "pki", name), "base64");
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": kubeContext,
    contexts: [{ name: kubeContext, context: { cluster: kubeContext, user: kubeContext } }],
    clusters: [
      {
        name: kubeContext,
        cluster: {
          server: `https://127.0.0.1:${apiServerPort}`,
          "certificate-authority-data": await encoded("ca.crt"),
        },
      },
    ],
    users: [
      {
        name: kubeContext,
        user: {
          "client-certificate-data": await encoded("admin.crt"),
          "client-key-data": await encoded("admin.key"),
        },
      },
    ],
  };
  await writeFile(file, stringify(kubeconfig), { mode: 0o600 });
}
