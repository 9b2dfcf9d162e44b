import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { Export } from "../heal/deployment.ts";
import { type Kept, keptKey } from "./kept.ts";
import { kitPage } from "./page.ts";
import { type ArchiveFile, filesOfTar, tarOf } from "./tar.ts";

/** What is in a recovery kit: an archive of plain files, which is encrypted as a whole. */

/** A file of the settings. */
export interface SettingsFile {
  /** As the settings or the project name it. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** An object of the cluster. */
export interface HeldObject extends KubernetesObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** A suite's config.php, or why there is none. */
export type Configuration = { readonly namespace: string } & (
  | { readonly content: Uint8Array }
  | { readonly gap: string }
);

/** A database with backups. */
export interface KeptDatabase {
  readonly namespace: string;
  readonly cluster: string;
  /** URL of the object store, bucket and folder of the archive. */
  readonly archive?: { readonly endpoint: string; readonly bucket: string; readonly folder: string } | undefined;
}

/** What is told of a kit beside its files. */
export interface Told {
  readonly stack: string;
  /** RFC 3339. */
  readonly made: string;
  readonly hearth: { readonly version: string; readonly commit?: string | undefined };
  readonly programs: { readonly pulumi: string; readonly node: string; readonly images: readonly string[] };
  /** URL of the state's backend. */
  readonly backend: string;
  /** UID of the namespace kube-system, and address of the API server. */
  readonly cluster: { readonly identity?: string | undefined; readonly server: string };
  readonly databases: readonly KeptDatabase[];
  readonly buckets: readonly string[];
}

/** All that a kit is made of. */
export interface KitContents extends Told {
  /** With its secrets in the clear. */
  readonly state: Export;
  readonly settings: readonly SettingsFile[];
  /** Lines for the settings with which the databases are recovered from their archives. */
  readonly recover: string;
  readonly objects: readonly (readonly [Kept, HeldObject])[];
  readonly configurations: readonly Configuration[];
}

/** `kit.json`: what the files of a kit are. */
export interface Manifest extends Told {
  /** Of this form; a newer hearth may write another one. */
  readonly version: number;
  readonly settings: readonly { readonly path: string; readonly part: string }[];
  readonly objects: readonly (Pick<Kept, "kind" | "namespace" | "name" | "origin" | "neverChanges"> & {
    readonly part: string;
  })[];
  /** Namespaces of the suites. */
  readonly suites: readonly string[];
  /** What could not be had, a sentence each. */
  readonly gaps: readonly string[];
}

/** A kit as it is read. */
export interface ReadKit {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Names of files that are not as they were when the kit was made, or are not there. */
  readonly damaged: readonly string[];
}

const formVersion = 1;
/** Names of the kit's own files. */
export const kitFiles = {
  page: "README.txt",
  manifest: "kit.json",
  sums: "SHA256SUMS",
  state: "state.json",
  recover: "recover.yaml",
} as const;

/** The kit before it is encrypted. */
export function kitArchive(contents: KitContents): Uint8Array {
  const { state, settings, recover, objects, configurations, ...told } = contents;
  const placed = settings.map(({ path, content }, index) => ({ path, content, part: settingsPart(path, index) }));
  const held = objects.map(([kept, object]) => ({ kept, object, part: objectPart(kept) }));
  const manifest: Manifest = {
    version: formVersion,
    ...told,
    settings: placed.map(({ path, part }) => ({ path, part })),
    objects: held.map(({ kept: { kind, namespace, name, origin, neverChanges }, part }) => {
      return { kind, namespace, name, origin, neverChanges, part };
    }),
    suites: configurations.map(({ namespace }) => namespace),
    gaps: configurations.flatMap((each) => ("gap" in each ? [each.gap] : [])),
  };
  const files = [
    { name: kitFiles.manifest, content: json(manifest) },
    { name: kitFiles.state, content: json(state) },
    { name: kitFiles.recover, content: Buffer.from(recover) },
    ...placed.map(({ part, content }) => ({ name: part, content })),
    ...held.map(({ part, object }) => ({ name: part, content: json(manifestOf(object)) })),
    ...configurations.flatMap((each) =>
      "content" in each ? [{ name: configurationPart(each.namespace), content: each.content }] : [],
    ),
  ];
  const page = { name: kitFiles.page, content: Buffer.from(kitPage(manifest)) };
  const sums = { name: kitFiles.sums, content: Buffer.from([page, ...files].map(sumLine).join("")) };
  return tarOf([page, sums, ...files], new Date(contents.made));
}

/** @throws Error where the archive is no kit, or a newer hearth made it */
export function readKit(archive: Uint8Array): ReadKit {
  const files = new Map(filesOfTar(archive).map(({ name, content }) => [name, content]));
  const manifest = files.get(kitFiles.manifest);
  if (!manifest) throw new Error(`It has no ${kitFiles.manifest}: it is not a recovery kit.`);
  const told = JSON.parse(Buffer.from(manifest).toString()) as Manifest;
  if (told.version !== formVersion)
    throw new Error(
      `Its form is ${told.version}, and this hearth knows ${formVersion}: use the version of hearth that made it.`,
    );
  const sums = [
    ...Buffer.from(files.get(kitFiles.sums) ?? [])
      .toString()
      .matchAll(/^(\S+) {2}(.+)$/gm),
  ];
  const listed = new Map(sums.map(([, sum = "", name = ""]) => [name, sum]));
  const names = new Set([...listed.keys(), ...files.keys()].filter((name) => name !== kitFiles.sums));
  const damaged = [...names].filter((name) => {
    const content = files.get(name);
    return content === undefined || sha256(content) !== listed.get(name);
  });
  return { manifest: told, files, damaged: [...(listed.size === 0 ? [kitFiles.sums] : []), ...damaged] };
}

/** Where a suite's config.php is in a kit. */
export const configurationPart = (namespace: string) => `suites/${namespace}/config.php`;

const objectPart = ({ origin, namespace, name, kind }: Kept) =>
  `${kind === "Secret" ? "secrets" : "configmaps"}/${origin}/${shortened(`${namespace}/${name}`)}.json`;

/** Files of the project stand by their paths; others, and those with long names, under a number. */
function settingsPart(path: string, index: number): string {
  const name = posix.normalize(path);
  const isInside = !posix.isAbsolute(name) && !name.startsWith("..") && Buffer.byteLength(name) <= 80;
  return isInside ? `settings/${name}` : `settings/other/${index}-${posix.basename(name).slice(-60)}`;
}

/** A path that an archive can have: a namespace has up to 63 characters, a Secret's name up to 253. */
function shortened(path: string): string {
  return Buffer.byteLength(path) <= 70 ? path : `long/${sha256(Buffer.from(path)).slice(0, 32)}`;
}

/** What can be applied again: without what the API server adds. */
function manifestOf({ apiVersion, kind, metadata: { name, namespace, labels }, type, data }: HeldObject): HeldObject {
  return { apiVersion, kind, metadata: { name, namespace, ...(labels && { labels }) }, ...(type && { type }), data };
}

/** The objects of a kit by their `keptKey`. */
export function objectsOfKit({ manifest, files }: ReadKit): ReadonlyMap<string, HeldObject> {
  return new Map(
    manifest.objects.flatMap(({ part, ...kept }) => {
      const content = files.get(part);
      return content ? [[keptKey(kept), JSON.parse(Buffer.from(content).toString()) as HeldObject] as const] : [];
    }),
  );
}

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
/** As `sha256sum` writes and checks it. */
const sumLine = ({ name, content }: ArchiveFile) => `${sha256(content)}  ${name}\n`;

export function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
