/**
 * Bytes of a stored field; undefined if it is absent. Lean reads return the driver's Binary where the schema has
 * Buffer.
 */
export const toBuffer = (value: unknown): Buffer | undefined => {
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'object' && value !== null && 'buffer' in value && value.buffer instanceof Uint8Array) {
    const length = 'position' in value && typeof value.position === 'number' ? value.position : value.buffer.length;
    return Buffer.from(value.buffer.buffer, value.buffer.byteOffset, length);
  }
  return undefined;
};
