/** Bytes scanned between yields: a few milliseconds. */
const PART_BYTES = 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** 1 for each structural byte that may precede a value or a key: `[`, `{`, `,` and `:`. */
const BEGINS_VALUE = Uint8Array.from({ length: 256 }, (_, byte) =>
  '[{,:'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/** Fast upper bound: counts as if no byte were part of a string. */
function* countAtMost(bytes: Buffer): Generator<undefined, number> {
  let count = 1;
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    if (start > 0) yield;
    const end = Math.min(bytes.length, start + PART_BYTES);
    for (let index = start; index < end; index += 1) count += BEGINS_VALUE[bytes[index] ?? 0] ?? 0;
  }
  return count;
}

function* countExactly(bytes: Buffer): Generator<undefined, number> {
  let count = 1;
  let inString = false;
  let partEnd = PART_BYTES;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) inString = !inString;
    else if (!inString) count += BEGINS_VALUE[byte] ?? 0;
    else if (byte === BACKSLASH) index += 1;
    if (index >= partEnd) {
      partEnd += PART_BYTES;
      yield;
    }
  }
  return count;
}

/**
 * Determines whether a JSON text has more values and keys than allowed, before anything is built from it: ten megabytes
 * of text may take a hundred times as much memory as values. An empty list or object counts as two. Yields between
 * parts, so that other work can run.
 */
export function* hasMoreValues(bytes: Buffer, maxValues: number): Generator<undefined, boolean> {
  return (yield* countAtMost(bytes)) > maxValues && (yield* countExactly(bytes)) > maxValues;
}
