/**
 * Bytes of data in one message of a stream. With the other fields (the type and the name of a file) the message remains
 * below 1 MiB: clients of other languages refuse messages of more than 4 MiB by default, and small ones let the flow
 * control of a stream work.
 */
const MAX_PIECE_BYTES = 1024 * 1024 - 16 * 1024;

/** Cuts bytes into pieces that fit into one message; empty bytes are one empty piece. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  yield bytes.subarray(0, MAX_PIECE_BYTES);
  for (let at = MAX_PIECE_BYTES; at < bytes.length; at += MAX_PIECE_BYTES)
    yield bytes.subarray(at, at + MAX_PIECE_BYTES);
}

/** Cuts the parts of a stream in the same way. */
export async function* inPieces(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) yield* piecesOf(part);
}
