/** Bytes of a header, and of the blocks that content is padded to. */
export const BLOCK = 512;

/** Position of each field in a header: first byte and length. */
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

/** True if a header contains the checksum of its bytes. */
export function hasChecksum(archive: Buffer, at: number): boolean {
  return numberAt(archive, at, FIELDS.checksum) === checksumOf(archive, at);
}

/** The checksum of a header, with the checksum field itself counted as blanks. */
export function checksumOf(archive: Buffer, at: number): number {
  const [start, length] = FIELDS.checksum;
  let sum = 0;
  for (let index = 0; index < BLOCK; index += 1) {
    sum += index >= start && index < start + length ? 0x20 : (archive[at + index] ?? 0);
  }
  return sum;
}

/** The string in a field, up to its first zero byte. */
export function textAt(archive: Buffer, at: number, [start, length]: readonly [number, number]): string {
  const field = archive.subarray(at + start, at + start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** The octal number in a field; NaN if there is none. */
export function numberAt(archive: Buffer, at: number, field: readonly [number, number]): number {
  return Number.parseInt(textAt(archive, at, field).trim() || '0', 8);
}
