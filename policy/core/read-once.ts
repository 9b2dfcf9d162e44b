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
