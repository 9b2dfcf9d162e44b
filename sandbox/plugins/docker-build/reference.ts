import { parseImage, pullPlace } from "@hearth-platform/hearth/core/image-reference";

/**
 * Reads a tag, `host/path:tag`, as Docker does: no host is Docker Hub, one word there is in `library/`, no tag is `latest`.
 * @throws when it is not a reference
 */
export function parseReference(text: string) {
  const found = parseImage(text);
  if (!found || found.digest)
    throw new Error(`"${text}" is not an image reference: write host/repository:tag in lower case.`);
  return { ...pullPlace(found), tag: found.tag ?? "latest" };
}

/** The reference with its digest, or nothing for one that names no host, which can't be pulled from elsewhere. */
export function withDigest(text: string, digest: string): string | undefined {
  const { host, path, tag } = parseReference(text);
  return text.startsWith(`${host}/`) ? `${host}/${path}:${tag}@${digest}` : undefined;
}

/** The sandbox's registry: it answers for every host, under the same repositories. */
export class SandboxRegistry {
  readonly address: string;

  /** @param address `127.0.0.1:PORT`, from HEARTH_SANDBOX_REGISTRY; @throws when the sandbox has none */
  constructor(address = process.env.HEARTH_SANDBOX_REGISTRY) {
    if (!address)
      throw new Error(
        "HEARTH_SANDBOX_REGISTRY is not set: the stand-in pushes to the sandbox's registry alone. Run it through the sandbox.",
      );
    this.address = address;
  }

  /** Where an image of this name really is. */
  mapped(text: string): string {
    const { path, tag } = parseReference(text);
    return `${this.address}/${path}:${tag}`;
  }

  /** The digest that the registry has under a tag or digest of that image's repository; undefined: nothing. @throws Error where it can't say */
  async digest(text: string, of = parseReference(text).tag): Promise<string | undefined> {
    const response = await this.#ask("HEAD", text, of);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`The sandbox's registry answered ${response.status} for ${text}.`);
    return response.headers.get("docker-content-digest") ?? undefined;
  }

  /** Removes a manifest; one that is not there is fine. @throws Error where the registry refuses */
  async remove(text: string, digest: string): Promise<void> {
    const response = await this.#ask("DELETE", text, digest);
    if (!response.ok && response.status !== 404)
      throw new Error(`The sandbox's registry answered ${response.status} to deleting ${text}@${digest}.`);
  }

  #ask(method: string, text: string, of: string): Promise<Response> {
    const accept = [
      "oci.image.manifest.v1",
      "oci.image.index.v1",
      "docker.distribution.manifest.v2",
      "docker.distribution.manifest.list.v2",
    ];
    const types = accept.map((type) => `application/vnd.${type}+json`).join(", ");
    const url = `http://${this.address}/v2/${parseReference(text).path}/manifests/${of}`;
    return fetch(url, { method, headers: { accept: types } }).catch((error) => {
      throw new Error(`The sandbox's registry at ${this.address} does not answer.`, { cause: error });
    });
  }
}
