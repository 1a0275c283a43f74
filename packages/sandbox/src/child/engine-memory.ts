/** Bytes of one WebAssembly page. */
export const PAGE_BYTES = 65_536;
/** Pages that QuickJS needs from the start. */
export const INITIAL_PAGES = 256;
/** Memory is compared and copied in pieces of this size. */
const PIECE_BYTES = 4_096;

/** A copy of an engine's memory between two calls. Bytes that are not listed are zero. */
export interface MemoryImage {
  readonly pages: number;
  readonly parts: readonly { readonly at: number; readonly bytes: Uint8Array }[];
}

/** Copies all of a memory that is not zero. */
export function takeImage(memory: WebAssembly.Memory): MemoryImage {
  const all = new Uint8Array(memory.buffer);
  const zero = Buffer.alloc(PIECE_BYTES);
  const parts: { at: number; bytes: Uint8Array }[] = [];
  let begin = -1;
  for (let at = 0; at <= all.length; at += PIECE_BYTES) {
    const isUsed = at < all.length && !zero.equals(all.subarray(at, at + PIECE_BYTES));
    if (isUsed && begin < 0) begin = at;
    if (isUsed || begin < 0) continue;
    parts.push({ at: begin, bytes: all.slice(begin, at) });
    begin = -1;
  }
  return { pages: all.length / PAGE_BYTES, parts };
}

/** Makes a memory of at least the image's size equal to the image. Only for memories that hold nothing else yet. */
export function restoreImage(memory: WebAssembly.Memory, image: MemoryImage): void {
  const all = new Uint8Array(memory.buffer);
  for (const { at, bytes } of image.parts) all.set(bytes, at);
}
