import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import { unknown } from "@hearth-platform/policy/core/field";
import type { RawResource } from "@hearth-platform/policy/core/resource";
import type { StackFacts } from "@hearth-platform/policy/core/stack-facts";
import services from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/analyzer_pb.js";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import structPb from "google-protobuf/google/protobuf/struct_pb.js";

const root = join(import.meta.dirname, "..", "..", "..");

/** What a pack says of a resource or a stack. */
export interface Diagnostic {
  readonly policy: string;
  readonly message: string;
  readonly level: "advisory" | "mandatory";
}

/** Levels of the protocol by number. */
const levels = ["advisory", "mandatory", "disabled", "remediate"] as const;

/** A policy pack as the engine runs it: the SDK's own launcher, spoken to over its protocol. */
export class PackProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #client: services.AnalyzerClient;

  private constructor(child: ChildProcess, client: services.AnalyzerClient) {
    this.#child = child;
    this.#client = client;
  }

  /** @param pack folder in `policy/`, or its path elsewhere @param facts what the stack's configuration says */
  static async start(pack: string, facts: StackFacts): Promise<PackProcess> {
    const folder = resolve(root, "policy", pack);
    const launcher = createRequire(join(folder, "index.js")).resolve("@pulumi/pulumi/cmd/run-policy-pack");
    const child = spawn(process.execPath, [launcher, "127.0.0.1:1", folder], {
      cwd: folder,
      env: { ...process.env, PULUMI_CONFIG: JSON.stringify(configOf(facts)), HEARTH_POLICY_PROFILE: undefined },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [port] = await once(createInterface(child.stdout), "line");
    const client = new services.AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    return new PackProcess(child, client);
  }

  /** Gives each policy its configuration; a level goes with it, as from the engine. */
  async configure(config: Readonly<Record<string, { level: Diagnostic["level"] | "disabled"; values: object }>>) {
    const request = new messages.ConfigureAnalyzerRequest();
    for (const [policy, { level, values }] of Object.entries(config)) {
      const entry = new messages.PolicyConfig();
      entry.setEnforcementlevel(levels.indexOf(level) as never);
      entry.setProperties(structPb.Struct.fromJavaScript(values as never));
      request.getPolicyconfigMap().set(policy, entry);
    }
    await this.#call((done) => this.#client.configure(request, done));
  }

  /** What the pack says of itself: its policies with their schemas. */
  async info(): Promise<messages.AnalyzerInfo.AsObject> {
    const info = await this.#call<messages.AnalyzerInfo>((done) =>
      this.#client.getAnalyzerInfo(new emptyPb.Empty(), done),
    );
    return info.toObject();
  }

  async analyze({ type, urn, props, parent, protect }: RawResource): Promise<Diagnostic[]> {
    const options = new messages.AnalyzerResourceOptions();
    options.setParent(parent ?? "");
    options.setProtect(protect ?? false);
    const request = new messages.AnalyzeRequest();
    request.setType(type);
    request.setUrn(urn);
    request.setName(urn.split("::").at(-1) ?? "");
    request.setProperties(structPb.Struct.fromJavaScript(onTheWire(props) as never));
    request.setOptions(options);
    const response = await this.#call<messages.AnalyzeResponse>((done) => this.#client.analyze(request, done));
    return diagnostics(response);
  }

  /** The end of a run: rules on how resources fit together. */
  async analyzeStack(): Promise<Diagnostic[]> {
    const request = new messages.AnalyzeStackRequest();
    return diagnostics(await this.#call<messages.AnalyzeResponse>((done) => this.#client.analyzeStack(request, done)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    this.#child.kill();
    await once(this.#child, "exit");
  }

  #call<T>(send: (done: (error: Error | null, response: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => send((error, response) => (error ? reject(error) : resolve(response))));
  }
}

/** Configuration of a stack of which that is known. */
function configOf(facts: StackFacts): Record<string, string> {
  const {
    profile,
    maintenance,
    loads,
    imageSources,
    imagesLocked,
    builtImage,
    allowDataLoss,
    limits,
    existingGateway,
  } = facts;
  const [namespace, name] = existingGateway?.split("/") ?? [];
  const blocks = {
    "hearth:forge": { maintenance },
    "hearth:cloudsuites": Object.entries(loads).map(([name, load]) => ({ name, ...load })),
    "hearth:images": { mirrors: { ...imageSources }, lock: imagesLocked ? "images.lock.json" : undefined },
    "hearth:siteWebhook": { repository: builtImage },
    "hearth:allowDataLoss": allowDataLoss,
    ...(limits && { "hearth:limits": limits }),
    ...(existingGateway && { "hearth:ingress": { gateway: { existing: { name, namespace } } } }),
  };
  const texts = Object.entries(blocks).map(([key, block]) => [key, JSON.stringify(block)]);
  return { "hearth:profile": profile, ...Object.fromEntries(texts) };
}

function diagnostics(response: messages.AnalyzeResponse): Diagnostic[] {
  return response.getDiagnosticsList().map((diagnostic) => ({
    policy: diagnostic.getPolicyname(),
    message: diagnostic.getMessage(),
    level: levels[diagnostic.getEnforcementlevel()] as Diagnostic["level"],
  }));
}

/** Inputs as the engine sends them: unknown values by their mark, what is undefined left out. */
function onTheWire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, item) => (item === unknown ? unknownValue : item)));
}
