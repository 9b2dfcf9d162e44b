import type { EnvVar, Volume, VolumeMount } from "kubernetes-types/core/v1.d.ts";
import type { SecretKey } from "../../core/secret-key-args.ts";
import type { SecretRequest } from "../../core/secrets.ts";
import type { ContainerRequest } from "../../kubernetes/pod.ts";
import type { PodExceptionName } from "../../kubernetes/pod-exceptions.ts";
import type { ResolvedSuite } from "../schema.ts";
import type { AppSettings } from "./app.ts";

type Office = NonNullable<ResolvedSuite["office"]>;

/** A program that edits documents in the browser: its part of the office server's pod, Secret and routes. */
export interface Engine {
  /** Repository of its image, as its makers publish it. */
  readonly repository: string;
  /** How its container leaves the restricted profile. */
  readonly exception: PodExceptionName;
  /** User and group of its image. */
  readonly user: number;
  /**
   * Its port. Another name for each engine: a Service may have a name once, and Kubernetes tells ports apart by number,
   * so that the preview of the change to the other engine has both.
   */
  readonly port: { readonly name: string; readonly number: number };
  /** Path of its probes. */
  readonly health: string;
  /**
   * Paths that browsers need, as regular expressions of whole paths. All else is out of reach from outside: administration by
   * `kubectl port-forward`, conversions by the suite inside the cluster.
   *
   * A server decodes a path once more than its proxy does, and finds the administration behind `%2F`, `0x61646d…` or `?adminws`; so no
   * expression takes what could decode to another path.
   */
  readonly clientPaths: readonly string[];
  /** Keys of the office's Secret. */
  readonly secret: SecretRequest["data"];
  /** Parts of its container. */
  readonly container: (args: ResolvedSuite, office: Office, secret: string) => EngineContainer;
  /** Nextcloud's app for it. */
  readonly app: string;
  /** Settings of that app; `internal` is its URL inside the cluster. Browsers, and it for the documents, use the public names. */
  readonly settings: (args: ResolvedSuite, office: Office, internal: string) => AppSettings;
  /** Variables that the settings refer to, from the office's Secret. @default none */
  readonly variables?: (secret: string) => Readonly<Record<string, SecretKey>>;
}

/** Environment, files and init containers of an engine's container. */
export interface EngineContainer {
  readonly env: EnvVar[];
  readonly volumes: Volume[];
  readonly mounts: VolumeMount[];
  /** @default none */
  readonly initContainers?: readonly ContainerRequest[];
}
