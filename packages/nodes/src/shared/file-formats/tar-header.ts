/** Bytes of a header, and of the blocks that content is filled up to. */
export const BLOCK = 512;

/** Positions of the fields of a header: first byte and length. */
export const FIELDS = {
  name: [0, 100],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  prefix: [345, 155],
} as const;

/** True if bytes begin with the header of a TAR archive. */
export const isTar = (bytes: Uint8Array): boolean =>
  bytes.length >= BLOCK && hasChecksum(Buffer.from(bytes.subarray(0, BLOCK)), 0);

/** True if a header states the sum of its bytes. */
export function hasChecksum(archive: Buffer, at: number): boolean {
  return numberAt(archive, at, FIELDS.checksum) === checksumOf(archive, at);
}

/** The sum of all bytes of a header, where those of the sum itself count as blanks. */
export function checksumOf(archive: Buffer, at: number): number {
  const [start, length] = FIELDS.checksum;
  let sum = 0;
  for (let index = 0; index < BLOCK; index += 1) {
    sum += index >= start && index < start + length ? 0x20 : (archive[at + index] ?? 0);
  }
  return sum;
}

/** Text of a field, up to its first zero byte. */
export function textAt(archive: Buffer, at: number, [start, length]: readonly [number, number]): string {
  const field = archive.subarray(at + start, at + start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** Octal number of a field; NaN if it holds none. */
export function numberAt(archive: Buffer, at: number, field: readonly [number, number]): number {
  return Number.parseInt(textAt(archive, at, field).trim() || '0', 8);
}
