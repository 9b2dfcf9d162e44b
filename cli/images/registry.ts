import { createHash } from "node:crypto";
import { isDigest, parseImage, pullPlace } from "@hearth-platform/hearth/core/image-reference";

/** Name and password for a registry's host, as `docker login` keeps them; none: nobody has signed in. */
export type RegistryCredentials = (host: string) => string | undefined;

/** Why a registry gives no digest, as the end of a sentence that begins with the image. */
export class NoDigest extends Error {}

/** An index of several platforms' images first: its digest is the same for nodes of each. */
const manifests = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
].join(", ");

/** No manifest is larger; registries refuse more (OCI distribution specification, "Pushing manifests"). */
const manifestBytes = 4 * 1024 * 1024;

/**
 * The digest that the image's tag has in its registry now.
 * @param image as a node pulls it, with a tag
 * @param credentials base64 of `name:password` by the registry's host
 * @throws NoDigest with the reason
 */
export async function registryDigest(
  image: string,
  credentials: RegistryCredentials,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { host, path, tag } = place(image);
    const url = new URL(`/v2/${path}/manifests/${tag}`, address(host));
    const send = (method: string, authorization?: string) =>
      fetch(url, { method, signal, headers: { accept: manifests, ...(authorization && { authorization }) } });
    const open = await send("HEAD");
    const asked = { challenge: open.headers.get("www-authenticate") ?? "", url, scope: `repository:${path}:pull` };
    const authorization = open.status === 401 ? await answerTo(asked, credentials(host), signal) : undefined;
    const head = accepted(authorization ? await send("HEAD", authorization) : open, url);
    const told = head.headers.get("docker-content-digest");
    return checked(told ?? (await contentDigest(accepted(await send("GET", authorization), url))));
  } catch (error) {
    throw error instanceof NoDigest ? error : new NoDigest(reason(error, signal));
  }
}

function place(image: string): { host: string; path: string; tag: string } {
  const found = parseImage(image);
  if (found?.tag === undefined) throw new NoDigest("has no tag");
  return { ...pullPlace(found), tag: found.tag };
}

/** Docker Hub's API has another host than its images' names; on this machine a registry needs no TLS, as for runtimes. */
function address(host: string): string {
  if (host === "docker.io") return "https://registry-1.docker.io";
  return /^(?:localhost|127\.\d+\.\d+\.\d+)(?::\d+)?$/.test(host) ? `http://${host}` : `https://${host}`;
}

/** A registry's request for credentials. */
interface Challenge {
  /** Its `WWW-Authenticate`. */
  readonly challenge: string;
  readonly url: URL;
  /** The right that is needed, where the registry does not say it. */
  readonly scope: string;
}

/** The Authorization header that a challenge asks for (distribution specification, "Token Authentication"). */
async function answerTo({ challenge, url, scope }: Challenge, basic: string | undefined, signal: AbortSignal) {
  if (/^basic\b/i.test(challenge)) return basic === undefined ? undefined : `Basic ${basic}`;
  const fields = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
  if (!/^bearer\b/i.test(challenge) || !URL.canParse(fields.realm))
    throw new NoDigest(`can't be resolved: ${url.host} requires an unknown kind of sign-in`);
  const realm = new URL(fields.realm);
  if (realm.protocol !== "https:" && realm.protocol !== url.protocol)
    throw new NoDigest(`can't be resolved: ${url.host} requires the password to be sent without TLS`);
  if (fields.service) realm.searchParams.set("service", fields.service);
  realm.searchParams.set("scope", fields.scope ?? scope);
  const response = await fetch(realm, { signal, headers: basic ? { authorization: `Basic ${basic}` } : {} });
  const { token, access_token } = (await accepted(response, realm).json()) as Record<string, unknown>;
  const given = token ?? access_token;
  if (typeof given !== "string") throw new NoDigest(`can't be resolved: ${realm.host} gave no token`);
  return `Bearer ${given}`;
}

/** The hash of what a registry serves, if its answer has no digest. */
async function contentDigest(response: Response): Promise<string> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > manifestBytes) throw new NoDigest("has a manifest that is too large");
    hash.update(chunk);
  }
  return `sha256:${hash.digest("hex")}`;
}

function checked(digest: string): string {
  if (!isDigest(digest)) throw new NoDigest("has a digest other than sha256");
  return digest;
}

function accepted(response: Response, { host }: URL): Response {
  const { ok, status } = response;
  if (ok) return response;
  if (status === 404) throw new NoDigest(`is not in ${host}`);
  if (status === 401 || status === 403) throw new NoDigest(`needs a sign-in: run docker login ${host}`);
  throw new NoDigest(`can't be resolved: ${host} answered ${status}`);
}

function reason(problem: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "can't be resolved: its registry does not answer in time";
  const { cause, message } = problem as Error;
  return `can't be resolved: ${(cause as Error | undefined)?.message || message}`;
}
