import { createRequire } from "node:module";

/** Functions of the SDK's modules that it calls for each policy anew, by the module's name. */
const readers = { deserialize: "deserializeProperties", proxy: "unknownCheckingProxy" } as const;

type Read = (of: object, ...rest: unknown[]) => object;

/**
 * Has the SDK read a resource's inputs once, not once for each policy: a fifth of a pack's work
 * (`npm run bench -- engine`). What is read is never changed, so that policies can share it.
 * @throws where the SDK has no such functions
 */
export function readOnce(): void {
  const sdk = createRequire(import.meta.url);
  for (const [module, name] of Object.entries(readers)) {
    const functions = sdk(`@pulumi/policy/${module}`) as Record<string, Read | undefined>;
    const read = functions[name];
    if (!read) throw new Error(`@pulumi/policy has no ${name} any more: what reads a resource once has to follow.`);
    functions[name] = onceFor((of) => of, read);
  }
}

/**
 * Has the SDK pass over what the engine sends and no policy looks at: each resource's inputs once more, for policies that would mend them, and
 * all outputs at the end. To read them took a third of the engine's calls.
 * @throws where the SDK has no such calls
 */
export function passOverUnread(): void {
  const sdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/policy"));
  const { AnalyzerService } = sdk("@pulumi/pulumi/proto/analyzer_grpc_pb") as { AnalyzerService: Calls };
  const { AnalyzeRequest, AnalyzeStackRequest, AnalyzerResourceOptions } = sdk("@pulumi/pulumi/proto/analyzer_pb");
  const { Struct } = sdk("google-protobuf/google/protobuf/struct_pb");
  const unread = new AnalyzeRequest();
  unread.setOptions(new AnalyzerResourceOptions());
  unread.setProperties(new Struct());
  for (const [name, empty] of Object.entries({ remediate: unread, analyzeStack: new AnalyzeStackRequest() })) {
    const call = AnalyzerService[name];
    if (!call) throw new Error(`@pulumi/policy has no call ${name} any more: what passes over it has to follow.`);
    call.requestDeserialize = () => empty;
  }
}

/** The engine's calls as gRPC has them, by name. */
type Calls = Readonly<Record<string, { requestDeserialize: (bytes: Uint8Array) => object } | undefined>>;

/** A function that makes its result once for each key, as long as the key lives. */
export function onceFor<Args extends unknown[], Result extends object>(
  keyOf: (...args: Args) => object,
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  const made = new WeakMap<object, Result>();
  return (...args) => {
    const key = keyOf(...args);
    const result = made.get(key) ?? make(...args);
    made.set(key, result);
    return result;
  };
}
