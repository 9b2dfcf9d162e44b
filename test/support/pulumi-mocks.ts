import * as pulumi from "@pulumi/pulumi";

/** A resource as the program registers it with the engine. */
export interface RegisteredResource {
  readonly type: string;
  readonly name: string;
  /** `type::name` of its parent. */
  readonly parent: string;
  /** Plain inputs; a secret one is wrapped, see `isSecret`. */
  readonly inputs: Record<string, unknown>;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  /** `type::name` of each resource it waits for. */
  readonly dependsOn: readonly string[];
  /** Its former types. */
  readonly formerTypes: readonly string[];
  /** Names of its hooks before an update. */
  readonly beforeUpdate: readonly string[];
  /** The same before it is deleted. */
  readonly beforeDelete: readonly string[];
}

/** What the mocks use of the request the SDK sends to the engine; its proto types lack some of these. */
interface RegisterRequest {
  getType(): string;
  getName(): string;
  getParent(): string;
  getProtect(): boolean | undefined;
  getRetainondelete(): boolean | undefined;
  getIgnorechangesList(): string[];
  getReplaceonchangesList(): string[];
  getDependenciesList(): string[];
  getAliasesList(): { getSpec(): { getType(): string } | undefined }[];
  getObject(): { toJavaScript(): Record<string, unknown> } | undefined;
  getHooks(): { getBeforeUpdateList(): string[]; getBeforeDeleteList(): string[] } | undefined;
}

type Handler = (request: RegisterRequest, callback: unknown) => void;
interface Monitor {
  registerResource: Handler;
  registerResourceHook: (request: unknown, callback: (error: null, response: object) => void) => void;
  registerErrorHook: Monitor["registerResourceHook"];
}

/** Values the random provider would make. */
export const mockPassword = "mock-password";
export const mockHash = "$2a$10$mock-hash";
export const mockBytes = "bW9jay1ieXRlcw==";
export const mockHex = Buffer.from(mockBytes, "base64").toString("hex");
/** Values the tls provider would make. */
export const mockPrivateKey = "mock-private-key";
export const mockPublicKey = "ssh-rsa mock-public-key";

/**
 * Runs a program under Pulumi's mocks and returns what it registers, in order, the stack itself left out.
 * Hooks are registered but never called, transforms don't run, and providers return their inputs.
 */
export async function registered(program: () => void): Promise<RegisteredResource[]> {
  const resources: RegisteredResource[] = [];
  await pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({
        id: `${name}-id`,
        // What the providers of passwords, keys and images add.
        state: {
          ...inputs,
          result: inputs.overrideSpecial === "0123456789abcdef" ? mockHex : mockPassword,
          bcryptHash: mockHash,
          privateKeyPem: mockPrivateKey,
          publicKeyOpenssh: mockPublicKey,
          ref: inputs.tags?.[0],
        },
      }),
      call: ({ inputs }) => inputs,
    },
    "hearth",
    "test",
  );
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, callback) => {
    if (request.getType() !== "pulumi:pulumi:Stack") resources.push(describe(request));
    register(request, callback);
  };
  // The mocks lack these calls, and without an answer to them the program waits for ever.
  monitor.registerResourceHook = (_request, callback) => callback(null, {});
  monitor.registerErrorHook = monitor.registerResourceHook;
  await pulumi.runtime.runInPulumiStack(async () => program());
  await pulumi.runtime.disconnect();
  return resources;
}

/** These, as `type::name`, and what they wait for in turn. */
export function waitsFor(resources: readonly RegisteredResource[], ids: readonly string[]): Set<string> {
  const found = new Set(ids);
  for (const id of found)
    for (const { type, name, dependsOn } of resources)
      if (id === `${type}::${name}`) for (const each of dependsOn) found.add(each);
  return found;
}

/** Whether an input is a secret for the engine. */
export function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && secretSignature in value;
}

/** What a secret input holds. */
export function secretValue(value: unknown): unknown {
  return (value as { value: unknown }).value;
}

const secretSignature = "4dabf18193072939515e22adb298388d";

function describe(request: RegisterRequest): RegisteredResource {
  return {
    type: request.getType(),
    name: request.getName(),
    parent: typeAndName(request.getParent()),
    inputs: request.getObject()?.toJavaScript() ?? {},
    protect: request.getProtect() ?? false,
    retainOnDelete: request.getRetainondelete() ?? false,
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    dependsOn: request.getDependenciesList().map(typeAndName),
    formerTypes: request.getAliasesList().flatMap((alias) => alias.getSpec()?.getType() || []),
    beforeUpdate: request.getHooks()?.getBeforeUpdateList() ?? [],
    beforeDelete: request.getHooks()?.getBeforeDeleteList() ?? [],
  };
}

/** `urn:pulumi:stack::project::parentType$type::name` → `type::name`. */
function typeAndName(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  return `${types.split("$").at(-1)}::${name.join("::")}`;
}
