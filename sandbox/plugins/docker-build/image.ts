import { statSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { findContainerBuilder } from "../../container-builder.ts";
import {
  type CheckRequest,
  type CheckResult,
  containsUnknown,
  type DiffRequest,
  type DiffResult,
  isObject,
  type Properties,
  type PropertyDifference,
  UNKNOWN,
} from "../grpc.ts";
import { type BuildRequest, build } from "./builder.ts";
import { hashContext } from "./context.ts";
import { parseReference, SandboxRegistry, withDigest } from "./reference.ts";

const done = [
  "buildArgs",
  "buildOnPreview",
  "context",
  "dockerfile",
  "labels",
  "noCache",
  "platforms",
  "pull",
  "push",
  "tags",
  "target",
];
/** They make builds faster or let them reach other registries: leaving them out builds the same image. */
const withoutEffect = ["builder", "cacheFrom", "cacheTo", "ignoreSecretsInDiffCalculation", "network", "registries"];

const machine = `linux/${process.arch === "x64" ? "amd64" : process.arch}`;

/** Problems of the inputs, at their properties; values that are not known yet are left alone. */
export function checkImage({ news }: CheckRequest): CheckResult {
  const failures: NonNullable<CheckResult["failures"]> = [];
  const refuse = (property: string, reason: string) => failures.push({ property, reason });
  for (const [property, value] of Object.entries(news)) {
    const empty = value === false || (Array.isArray(value) && value.length === 0);
    if (![...done, ...withoutEffect].includes(property) && !property.startsWith("__") && !empty)
      refuse(property, "the sandbox's stand-in for docker-build does not do it");
  }
  if (news.push === undefined) refuse("push", "Missing required property 'push'");
  const tags = list(news.tags);
  for (const [index, tag] of tags.entries()) {
    try {
      if (typeof tag === "string") parseReference(tag);
    } catch (error) {
      refuse(`tags[${index}]`, error instanceof Error ? error.message : String(error));
    }
  }
  if (news.push === true && news.tags !== UNKNOWN && tags.length === 0)
    refuse("tags", "at least one tag is needed when pushing to a registry");
  const platforms = list(news.platforms);
  if (platforms.length > 0 && !containsUnknown(platforms) && !platforms.includes(machine))
    refuse("platforms", `the sandbox's stand-in builds for this machine only: add ${machine}`);
  if (isObject(news.context) && news.context.named !== undefined)
    refuse("context.named", "the sandbox's stand-in for docker-build does not do it");

  if (!containsUnknown([news.context, news.dockerfile])) {
    const { context, dockerfile } = buildRequest(news);
    if (!statSync(context, { throwIfNoEntry: false })?.isDirectory())
      refuse("context.location", `"${context}": not a valid directory or URL`);
    else if ("location" in dockerfile && !statSync(dockerfile.location, { throwIfNoEntry: false })?.isFile())
      refuse("dockerfile.location", `"${dockerfile.location}" is not a file`);
  }
  return { inputs: news, failures };
}

/** Compares the inputs, without passwords, and what the build would see. */
export async function diffImage({ oldInputs, oldState, news }: DiffRequest): Promise<DiffResult> {
  const detailed: Record<string, PropertyDifference> = {};
  const addresses = (registries: unknown) =>
    list(registries).map((one) => (isObject(one) ? { ...one, password: "" } : one));
  for (const property of [...done, ...withoutEffect]) {
    const [before, after] = [oldInputs[property], news[property]];
    const same =
      property === "registries"
        ? isDeepStrictEqual(addresses(before), addresses(after))
        : isDeepStrictEqual(before, after);
    if (!same)
      detailed[property] = {
        kind: before === undefined ? "add" : after === undefined ? "delete" : "update",
        inputDiff: true,
      };
  }
  if (contextHash(news) !== oldState.contextHash) detailed.contextHash = { kind: "update" };
  if (news.push === true && oldState.digest === "" && (await findContainerBuilder()))
    detailed.contextHash = { kind: "update" };
  // The official provider builds every time when base images are to be kept fresh.
  if (news.pull === true && news.push === true) detailed.contextHash = { kind: "update" };
  return { changes: Object.keys(detailed).length > 0, replaces: [], detailed };
}

/** Builds and pushes; in a preview it only builds, and not even that with `buildOnPreview` false or values unknown. @throws Error where buildah or the registry fails */
export async function buildImage(
  name: string,
  inputs: Properties,
  preview: boolean,
): Promise<{ id: string; state: Properties }> {
  const hash = contextHash(inputs);
  const tags = list(inputs.tags).filter((tag) => typeof tag === "string");
  if (preview) {
    if (inputs.buildOnPreview !== false && !containsUnknown(inputs))
      await build(buildRequest(inputs), [], process.env.HEARTH_SANDBOX_REGISTRY);
    return { id: "", state: { ...inputs, contextHash: hash, digest: UNKNOWN, ref: UNKNOWN } };
  }
  if (inputs.push !== true) {
    await build(buildRequest(inputs), [], process.env.HEARTH_SANDBOX_REGISTRY);
    return { id: name, state: { ...inputs, contextHash: hash, digest: "", ref: tags[0] ?? "" } };
  }
  const [first = ""] = tags;
  // Without a builder nothing is pushed, and `npm start` has said so; the next update with one builds it.
  if (!(await findContainerBuilder()))
    return { id: name, state: { ...inputs, contextHash: hash, digest: "", ref: first } };
  const registry = new SandboxRegistry();
  await build(
    buildRequest(inputs),
    tags.map((tag) => registry.mapped(tag)),
    registry.address,
  );
  const digest = await registry.digest(first);
  if (!digest)
    throw new Error(`${first} was pushed, yet the sandbox's registry at ${registry.address} does not have it.`);
  const ref = tags.map((tag) => withDigest(tag, digest)).find(Boolean) ?? first;
  return { id: digest, state: { ...inputs, contextHash: hash, digest, ref } };
}

/** Whether the registry still has what was pushed. */
export async function imageExists({ tags, digest, push }: Properties): Promise<boolean> {
  if (push !== true || typeof digest !== "string" || digest === "") return true;
  const registry = new SandboxRegistry();
  const found = await Promise.all(list(tags).map((tag) => registry.digest(String(tag), digest)));
  return found.some(Boolean);
}

/** Takes the pushed manifests out of the registry again. */
export async function removeImage({ tags, digest, push }: Properties): Promise<void> {
  if (push !== true || typeof digest !== "string" || digest === "") return;
  const registry = new SandboxRegistry();
  for (const tag of list(tags)) await registry.remove(String(tag), digest);
}

function contextHash(inputs: Properties): unknown {
  if (containsUnknown([inputs.context, inputs.dockerfile])) return UNKNOWN;
  const { context, dockerfile } = buildRequest(inputs);
  return hashContext(context, dockerfile);
}

function buildRequest(inputs: Properties): BuildRequest {
  const text = (container: unknown, name: string) => {
    const value = isObject(container) ? container[name] : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const context = text(inputs.context, "location") ?? ".";
  const inline = text(inputs.dockerfile, "inline");
  return {
    context,
    dockerfile: inline ? { inline } : { location: text(inputs.dockerfile, "location") ?? join(context, "Dockerfile") },
    buildArgs: texts(inputs.buildArgs),
    labels: texts(inputs.labels),
    ...(list(inputs.platforms).length > 0 && { platform: machine }),
    target: text(inputs, "target"),
    noCache: inputs.noCache === true,
    pull: inputs.pull === true,
  };
}

function texts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([name, item]) => [name, String(item)]));
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
