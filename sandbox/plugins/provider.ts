/**
 * What a provider plugin implements, as plain JavaScript: the resource part of `pulumirpc.ResourceProvider` without its
 * protobuf messages. {@link ../grpc.ts} serves it.
 */
import type { Properties } from "./properties.ts";

/**
 * What every request about one resource says. `name` and `type` are the URN's parts, `timeout` is in seconds, 0 when
 * not set.
 */
export interface ResourceRequest {
  urn: string;
  name: string;
  type: string;
}

/**
 * The provider's own settings: `variables` as strings keyed `<package>:config:<key>` (other types as JSON), `args` the
 * same by key.
 */
export interface ConfigureRequest {
  variables: Record<string, string>;
  args: Properties;
}

/**
 * `olds` are the inputs of the last run, undefined for a new resource; names that the provider chooses are made from
 * `randomSeed`, which an update plan repeats.
 */
export interface CheckRequest extends ResourceRequest {
  olds: Properties | undefined;
  news: Properties;
  randomSeed: Uint8Array;
}

/**
 * The inputs to keep; with failures the operation stops and each is shown at its property (a path, or nothing for the
 * whole resource).
 */
export interface CheckResult {
  inputs: Properties;
  failures?: { property?: string; reason: string }[];
}

/** `oldState` are the recorded outputs, `oldInputs` and `news` the recorded and the new inputs. */
export interface DiffRequest extends ResourceRequest {
  id: string;
  oldState: Properties;
  oldInputs: Properties;
  news: Properties;
  ignoreChanges: string[];
}

/**
 * One changed property: what happened to it, whether it forces a replacement, and whether inputs (not outputs) were
 * compared.
 */
export interface PropertyDifference {
  kind: "add" | "delete" | "update";
  replace?: boolean;
  inputDiff?: boolean;
}

/**
 * `changes` false and nothing in `replaces` means: leave the resource alone. `detailed` maps property paths
 * (`spec.ports[0].name`) to what happened to them; without it the engine shows its own comparison of the inputs.
 */
export interface DiffResult {
  changes: boolean;
  replaces?: string[];
  deleteBeforeReplace?: boolean;
  detailed?: Record<string, PropertyDifference>;
}

export interface CreateRequest extends ResourceRequest {
  inputs: Properties;
  timeout: number;
  preview: boolean;
}

/** `inputs` and `state` are empty when a resource is imported or read by its id alone. */
export interface ReadRequest extends ResourceRequest {
  id: string;
  inputs: Properties;
  state: Properties;
  timeout: number;
}

/** A resource as it is now; undefined says it is gone. */
export type ReadResult = { id: string; inputs: Properties; state: Properties } | undefined;

export interface UpdateRequest extends DiffRequest {
  timeout: number;
  preview: boolean;
}

export interface DeleteRequest extends ResourceRequest {
  id: string;
  inputs: Properties;
  state: Properties;
  timeout: number;
}

export interface InvokeRequest {
  token: string;
  args: Properties;
  preview: boolean;
}

/** A function's result; with failures the call fails and each is shown. */
export interface InvokeResult {
  result?: Properties;
  failures?: { property?: string; reason: string }[];
}

/**
 * A provider. A method that is left out answers as the engine expects of one that has nothing to say: `checkConfig` and
 * `check` accept what they get, `diffConfig` leaves the choice to the engine, `read` believes the state, `delete`
 * forgets; the others are an error «… does not implement …». A thrown error fails the operation with its message; an
 * {@link InitializationError} keeps the resource.
 */
export interface ProviderImplementation {
  /** The package's name, such as `random`. */
  name: string;
  /** The version of the SDK it stands in for, such as `4.21.2`. */
  version: string;
  checkConfig?(request: CheckRequest): Promise<CheckResult>;
  diffConfig?(request: DiffRequest): Promise<DiffResult>;
  configure?(request: ConfigureRequest): Promise<void>;
  check?(request: CheckRequest): Promise<CheckResult>;
  diff?(request: DiffRequest): Promise<DiffResult>;
  create?(request: CreateRequest): Promise<{ id: string; state: Properties }>;
  read?(request: ReadRequest): Promise<ReadResult>;
  update?(request: UpdateRequest): Promise<Properties>;
  delete?(request: DeleteRequest): Promise<void>;
  invoke?(request: InvokeRequest): Promise<InvokeResult>;
  /** Ends whatever is under way; called on Ctrl-C and when the engine is gone. */
  cancel?(): void;
  /** Lets go of what it holds open; called when the engine is gone. */
  close?(): void;
}

/**
 * The resource exists but did not become ready. The engine records it as it is, shows the reasons, fails the run, and
 * updates it in the next one. `inputs` only when they are other than those of the request (in `read`).
 */
export class InitializationError extends Error {
  readonly id: string;
  readonly state: Properties;
  readonly reasons: string[];
  readonly inputs: Properties | undefined;

  constructor(message: string, resource: { id: string; state: Properties; inputs?: Properties; reasons?: string[] }) {
    super(message);
    this.name = "InitializationError";
    this.id = resource.id;
    this.state = resource.state;
    this.reasons = resource.reasons ?? [message];
    this.inputs = resource.inputs;
  }
}
