import { createHmac, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Which secret of a store is meant: ExternalSecret's `remoteRef`. */
export interface RemoteRef {
  readonly key: string;
  readonly property?: string;
  readonly version?: string;
}

/** An entry of a ClusterSecretStore's `provider.fake.data`. */
export interface FakeEntry {
  readonly key: string;
  readonly value?: string;
  readonly version?: string;
}

/** The keys of S3 credentials, whose values must open the sandbox's S3 server. */
export type S3Credentials = Readonly<Record<"AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY", string>>;

const isS3Key = (name: string | undefined): name is keyof S3Credentials =>
  name === "AWS_ACCESS_KEY_ID" || name === "AWS_SECRET_ACCESS_KEY";

/**
 * The secrets of a store that nobody has: what the store's own `data` does not hold is made up, 32 letters and digits,
 * the same for the same key as long as the sandbox lives.
 */
export class FakeStore {
  readonly #seed: string;
  readonly #s3: S3Credentials;

  constructor(seed: string, s3: S3Credentials) {
    this.#seed = seed;
    this.#s3 = s3;
  }

  /** Reads the seed of all values from `file`, or makes it there. @throws Error where it can't be read or written */
  static async open(file: string, s3: S3Credentials): Promise<FakeStore> {
    try {
      return new FakeStore(await readFile(file, "utf8"), s3);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    const seed = randomBytes(32).toString("hex");
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, seed, { mode: 0o600 });
    return new FakeStore(seed, s3);
  }

  /**
   * One value.
   * @param secretKey the key it gets in the Secret: S3 keys are recognized by it, by the property, or the key's last part
   */
  value(ref: RemoteRef, entries: readonly FakeEntry[], secretKey?: string): string {
    const held = find(ref, entries);
    if (held !== undefined) return ref.property ? property(held, ref) : held;
    const s3Key = [secretKey, ref.property, ref.key.split("/").at(-1)].find(isS3Key);
    return s3Key ? this.#s3[s3Key] : this.random(`${ref.key}/${ref.property ?? ""}`);
  }

  /**
   * All values of one key.
   * @throws when the store does not hold it: their names can't be made up
   */
  values(ref: RemoteRef, entries: readonly FakeEntry[]): Record<string, string> {
    const held = find(ref, entries);
    if (held !== undefined) return properties(held, ref);
    if (/s3|object-?stor/i.test(ref.key)) return { ...this.#s3 };
    throw new Error(`${ref.key}: Secret does not exist`);
  }

  /** 32 letters and digits, the same for the same name. */
  random(name: string): string {
    const text = (part: number) => createHmac("sha256", this.#seed).update(`${part}/${name}`).digest("base64");
    return `${text(0)}${text(1)}`.replace(/[^A-Za-z0-9]/g, "").slice(0, 32);
  }
}

function find({ key, version }: RemoteRef, entries: readonly FakeEntry[]): string | undefined {
  return entries.find((entry) => entry.key === key && (entry.version ?? "") === (version ?? ""))?.value;
}

function property(value: string, ref: RemoteRef): string {
  const found = properties(value, ref)[ref.property ?? ""];
  if (found === undefined) throw new Error(`${ref.key}: property ${ref.property} does not exist`);
  return found;
}

function properties(value: string, { key }: RemoteRef): Record<string, string> {
  try {
    const object = JSON.parse(value) as Record<string, unknown>;
    const texts = Object.entries(object).map(([name, each]) => [
      name,
      typeof each === "string" ? each : JSON.stringify(each),
    ]);
    return Object.fromEntries(texts);
  } catch {
    throw new Error(`${key}: unable to unmarshal secret: its value is not a JSON object`);
  }
}
