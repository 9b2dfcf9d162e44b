/** Archives as every `tar` reads them: plain files in the form ustar (POSIX.1-1988). */

/** A file of an archive. */
export interface ArchiveFile {
  /** Path with slashes, at most 100 bytes. */
  readonly name: string;
  readonly content: Uint8Array;
}

const block = 512;

/** @param time of every file @throws Error where a name is too long for the form */
export function tarOf(files: readonly ArchiveFile[], time: Date): Uint8Array {
  const parts = files.flatMap(({ name, content }) => [
    header(name, content.length, time),
    content,
    Buffer.alloc(-content.length & (block - 1)),
  ]);
  // Two empty blocks end it.
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

function header(name: string, size: number, time: Date): Uint8Array {
  if (Buffer.byteLength(name) > 100) throw new Error(`The path ${name} is too long for the archive.`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  bytes.write(name, 0);
  // Only the owner may read what is unpacked.
  bytes.write(octal(0o600, 7), 100);
  bytes.write(octal(0, 7), 108);
  bytes.write(octal(0, 7), 116);
  bytes.write(octal(size, 11), 124);
  bytes.write(octal(Math.floor(time.valueOf() / 1000), 11), 136);
  // The checksum counts itself as blanks.
  bytes.write(" ".repeat(8), 148);
  bytes.write("0", 156);
  bytes.write("ustar\x0000", 257);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${octal(sum, 6)} `, 148);
  return bytes;
}

/** The files of an archive that `tarOf` made. @throws Error where it is none, or not whole */
export function filesOfTar(archive: Uint8Array): ArchiveFile[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const files: ArchiveFile[] = [];
  let at = 0;
  while (at + block <= bytes.length && bytes[at] !== 0) {
    const field = (start: number, length: number) =>
      bytes
        .subarray(at + start, at + start + length)
        .toString()
        .replace(/\0.*$/s, "");
    const size = Number.parseInt(field(124, 12), 8);
    const start = at + block;
    if (!field(257, 6).startsWith("ustar") || !(start + size <= bytes.length))
      throw new Error("It is not a whole archive.");
    files.push({ name: field(0, 100), content: bytes.subarray(start, start + size) });
    at = start + size + (-size & (block - 1));
  }
  if (files.length === 0) throw new Error("It is not an archive.");
  return files;
}
