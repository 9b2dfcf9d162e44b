/** Names of images, by the grammar of github.com/distribution/reference (regexp.go and normalize.go); of digests sha256 alone. */

const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";
const host = `${label}(?:\\.${label})*(?::\\d{1,5})?`;
const part = "[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*";
const path = `${part}(?:/${part})*`;
const tag = "\\w[\\w.-]{0,127}";
const digest = "sha256:[0-9a-f]{64}";

const reference = new RegExp(`^((?:(${host})/)?(${path}))(?::(${tag}))?(?:@(${digest}))?$`);
const wholePath = new RegExp(`^${path}$`);
const wholeTag = new RegExp(`^${tag}$`);
const wholeDigest = new RegExp(`^${digest}$`);

/** The parts of an image's name. */
export interface ImageReference {
  /** All but tag and digest, as it is written. */
  readonly repository: string;
  /** Registry, perhaps with a port; none: the runtime's default, Docker Hub. */
  readonly host?: string;
  /** Repository within the registry. */
  readonly path: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Takes an image's name apart: `registry:port/path:tag@sha256:…`. @returns undefined where it is none */
export function parseImage(text: string): ImageReference | undefined {
  const [, repository = "", first, rest = "", tag, digest] = reference.exec(text) ?? [];
  if (repository === "") return undefined;
  // A first word without a dot or a port is no registry, but localhost.
  const isHost = first !== undefined && (/[.:]/.test(first) || first === "localhost");
  const path = isHost ? rest : repository;
  if (!wholePath.test(path)) return undefined;
  return { repository, ...(isHost && { host: first }), path, ...(tag && { tag }), ...(digest && { digest }) };
}

/** Where a runtime finds an image: it fills in Docker Hub and its folder `library`. */
export function pullPlace({ host = "docker.io", path }: ImageReference): { host: string; path: string } {
  return { host, path: host === "docker.io" && !path.includes("/") ? `library/${path}` : path };
}

/** Whether a text is the tag of an image. */
export const isImageTag = (text: string) => wholeTag.test(text);

/** Whether a text is a digest, as registries name an image's content. */
export const isDigest = (text: string) => wholeDigest.test(text);
