import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import { stringify } from "yaml";
import type { Answers } from "./answers.ts";
import type { FoundCluster } from "./found-cluster.ts";

/** Name of the Secret with the object store's keys, where no store has them. */
export const keysSecret = "s3-keys";

/** What stands in a stack's file already, without a setting of hearth: what Pulumi wrote there. */
export interface Kept {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/**
 * The commented file of a stack with one suite.
 * @param config path of the suite's config.yaml from the project's folder; so is `schemas`, that of the schemas
 */
export function stackText(
  stack: string,
  answers: Answers,
  config: string,
  {
    schemas,
    cluster,
    widening,
    kept = {},
  }: { schemas: string; cluster?: FoundCluster | undefined; widening?: LimitsArgs | undefined; kept?: Kept },
): string {
  const { name, profile, issuer, gatewayClass, secretStore, monitoring, storage } = answers;
  const { config: others = {}, ...rest } = kept;
  const settings = [
    block(
      "The program names its providers; a forgotten one fails instead of using whatever kubeconfig or keys are around.",
      {
        "pulumi:disable-default-providers": ["kubernetes", "aws"],
      },
    ),
    block(undefined, { "hearth:profile": profile }),
    cluster &&
      block("The cluster that was asked. The UID is that of its namespace kube-system: another cluster is refused.", {
        "hearth:kubernetes": { context: cluster.context, ...(cluster.identity && { identity: cluster.identity }) },
      }),
    block("The cert-manager ClusterIssuer of the certificates.", {
      "hearth:ingress": {
        clusterIssuer: issuer,
        ...(gatewayClass && { kind: "gateway", gateway: { className: gatewayClass } }),
      },
    }),
    secretStore === undefined
      ? block(
          `Passwords are generated once, in the stack's state. Make the Secret ${keysSecret} with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in namespace ${name}.`,
          { "hearth:secrets": { existing: { "cloudsuite-s3-credentials": keysSecret } } },
        )
      : block("Passwords are generated once, in the stack's state; the object store's keys come from the store.", {
          "hearth:secrets": { store: { name: secretStore }, generate: true },
        }),
    monitoring ? undefined : block("The cluster has no Prometheus operator.", { "hearth:monitoring": false }),
    widening?.storageClasses
      ? block("Class of all volumes but those that name another.", { "hearth:storageClass": storage })
      : undefined,
    widening && block("Values beyond the specification's sets. Correct the reasons.", { "hearth:limits": widening }),
    Object.keys(others).length > 0 ? block(undefined, others) : undefined,
    block(undefined, { "hearth:cloudsuites": [{ name, config }] }),
  ];
  const text = settings.filter((each) => each !== undefined).join("");
  return `# yaml-language-server: $schema=${schemas}/stack.schema.json
# Stack ${stack}. docs/reference/settings.md has every setting.
config:
${text}${Object.keys(rest).length > 0 ? stringify(rest) : ""}`;
}

/** Settings below `config:`, with what is to be said of them. */
function block(comment: string | undefined, settings: object): string {
  const lines = `${comment === undefined ? "" : `# ${comment}\n`}${stringify(settings, { lineWidth: 0 })}`;
  return lines.replaceAll(/^(?=.)/gm, "  ");
}
