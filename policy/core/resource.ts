import { Field, type NamedText, type Reader } from "./field.ts";

/** A resource as Pulumi registers it: a Kubernetes object, a custom resource, a component with its arguments, or anything else. */
export interface RawResource {
  /** Pulumi's type token: `kubernetes:apps/v1:Deployment`, `hearth:index:CloudSuite`. */
  readonly type: string;
  /** Its URN; its middle part holds the types of the components it is in. */
  readonly urn: string;
  /** Its inputs, in which `unknown` stands for what is not known yet. */
  readonly props: unknown;
  /** URN of the component it is in. */
  readonly parent?: string;
  /** Pulumi refuses to delete it. @default false */
  readonly protect?: boolean;
}

/** API versions that Kubernetes itself serves. */
const builtIn = /^(?:v\d\w*|(?:apps|autoscaling|batch|extensions|policy|[\w.-]+\.k8s\.io)\/.*)$/;

/** A resource as policies read it. */
export class PolicyResource {
  readonly type: string;
  readonly urn: string;
  readonly parent: string | undefined;
  readonly protect: boolean;
  /**
   * Its group and kind, without a version: `Pod`, `apps/Deployment`, `postgresql.cnpg.io/Cluster`; a component of ours is
   * `hearth/CloudSuite`, everything else its type token.
   */
  readonly groupKind: string;
  /** e.g. `apps/v1`; empty for what is no Kubernetes object. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Its inputs. */
  readonly inputs: Field;
  #texts: readonly NamedText[] | undefined;

  constructor(raw: RawResource, reader?: Reader) {
    const { apiVersion, kind, groupKind } = identity(raw);
    this.type = raw.type;
    this.urn = raw.urn;
    this.parent = raw.parent;
    this.protect = raw.protect ?? false;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.groupKind = groupKind;
    this.inputs = new Field("", raw.props, reader);
  }

  /** A field of its inputs, e.g. `get("spec", "replicas")`. */
  get(...keys: readonly (string | number)[]): Field {
    return this.inputs.get(...keys);
  }

  /** Every text of the object, as far as it is known; looking is not reading. */
  get texts(): readonly NamedText[] {
    this.#texts ??= this.inputs.texts();
    return this.#texts;
  }

  /** Kubernetes' name of the object. */
  get name(): string | undefined {
    return this.get("metadata", "name").text;
  }

  /** Namespace of the object; undefined for an object of the whole cluster, or in the provider's namespace. */
  get namespace(): string | undefined {
    return this.get("metadata", "namespace").text;
  }

  /** Name of the resource in the program. */
  get programName(): string {
    return this.urn.split("::").slice(3).join("::");
  }

  /** Whether it is a Kubernetes object of a kind that an operator brings. */
  get isCustom(): boolean {
    return this.apiVersion !== "" && !builtIn.test(this.apiVersion);
  }

  /** Whether it is made by a component of that type, e.g. `hearth/CloudSuite`. */
  isIn(groupKind: string): boolean {
    const types = this.urn.split("::")[2]?.split("$").slice(0, -1) ?? [];
    return types.some((type) => componentOf(type) === groupKind);
  }
}

function identity({ type, props }: RawResource): Pick<PolicyResource, "apiVersion" | "kind" | "groupKind"> {
  const token = /^kubernetes:([^:]+):([^:]+)$/.exec(type);
  if (!token) return { apiVersion: "", kind: type.split(":").at(-1) ?? "", groupKind: componentOf(type) ?? type };
  const [, module = "", tokenKind = ""] = token;
  // An object says itself what it is; by its token alone a Patch would pass for a kind nobody knows.
  const field = new Field("", props);
  const own = (key: string) => (field.get(key).isUnknown ? undefined : field.get(key).text);
  const apiVersion = own("apiVersion") ?? module.replace(/^core\//, "");
  const kind = own("kind") ?? tokenKind.replace(/(?<=.)Patch$/, "");
  const group = apiVersion.includes("/") ? `${apiVersion.split("/")[0]}/` : "";
  return { apiVersion, kind, groupKind: `${group}${kind}` };
}

function componentOf(type: string): string | undefined {
  return /^hearth:index:\w+$/.test(type) ? type.replace(":index:", "/") : undefined;
}
