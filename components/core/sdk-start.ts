/**
 * Imported first by what Pulumi starts, before its SDK: takes half of the CPU off a program's part of a preview
 * (`npm run bench -- engine`).
 */
import Module, { createRequire } from "node:module";

// The SDK's launcher has each stack translated by source maps: 1.4 of 8 s for 113 resources. Node runs our TypeScript
// line by line as it is written, so its own stacks are right.
Object.assign(Error, { prepareStackTrace: undefined });

// The SDK loads npm's resolver and the compiler, 200 modules, for functions that a program sends into a cloud: 0.9 of 8 s.
const sdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
for (const name of ["@npmcli/arborist", "typescript"]) loadWhenUsed(sdk.resolve(name));

// The SDK takes the stack of each of its promises, to show where one that never settles came from: 36 % of the
// registration of 1,419 resources. It is taken where the SDK's own variable asks for it.
const debuggable = sdk("./runtime/debuggable.js") as Debuggable;
if (!debuggable.debugPromiseLeaks) {
  const { debuggablePromise } = debuggable;
  debuggable.debuggablePromise = (promise, context) => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return debuggablePromise(promise, context);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
}

// The SDK sends the stack of each registration along, and the engine keeps it: a tenth of the state, of nothing but folders
// of the machine that wrote it.
const { Resource } = sdk("./resource.js") as { Resource: { stackTrace: (skip: number) => object[] } };
Resource.stackTrace = () => [];

/** The parts of the SDK's module that we use. */
interface Debuggable {
  debuggablePromise: <Value>(promise: Promise<Value>, context: unknown) => Promise<Value>;
  /** Whether `PULUMI_DEBUG_PROMISE_LEAKS` is set. */
  readonly debugPromiseLeaks: boolean;
}

/** Makes `require` of a CommonJS module answer at once, and load it when something of it is asked for. */
function loadWhenUsed(file: string): void {
  if (sdk.cache[file]) return;
  const load = () => {
    if (sdk.cache[file] === late) delete sdk.cache[file];
    return sdk(file);
  };
  const late = Object.assign(new Module(file), { filename: file, loaded: true });
  late.exports = new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : load()[name]) });
  sdk.cache[file] = late;
}
