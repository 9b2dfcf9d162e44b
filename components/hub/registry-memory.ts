/**
 * How much memory pushes take of a registry pod, and which size of parts follows from it.
 *
 * The driver of the object store holds two parts of each upload, one full and one that fills, and copies while the second grows.
 * (distribution 2.8, registry/storage/driver/s3-aws/s3.go, `writer`) Measured with registry 2.8.2 and layers of 70 MB: 12 uploads at once
 * took 1469 MB with parts of 32 MiB and 637 MB with parts of 10 MiB; 4 took 611 MB with 32 MiB.
 */

const mebibyte = 1024 ** 2;

/** Bytes of a busy registry beside what its uploads hold. */
const base = 260e6;

/** Times an upload holds its part. */
const copies = 3;

/** Docker's clients push five layers at once: five of them. */
const uploadsAtOnce = 25;

/** An object store takes no smaller parts but the last of an object. (S3 API, CompleteMultipartUpload) */
const smallestPart = 5 * mebibyte;

/** With these a layer may have 312 GiB, since an object has at most 10,000 parts: more is of no use. */
const largestPart = 32 * mebibyte;

/** Bytes a registry takes while so many layers come in at once, in parts of `part` bytes. */
export function pushMemory(uploads: number, part: number): number {
  return base + uploads * copies * part;
}

/** Least memory limit of a registry, in bytes: one of docker's clients pushes five layers in the smallest parts. */
export const leastMemory = pushMemory(5, smallestPart);

/** Bytes of the parts with which the pushes a registry shall bear at once fit in its memory limit: whole MiB, at least 5 and at most 32. */
export function partBytes(memoryLimit: number): number {
  const fits = (memoryLimit - base) / (uploadsAtOnce * copies);
  return Math.min(largestPart, Math.max(smallestPart, Math.floor(fits / mebibyte) * mebibyte));
}
