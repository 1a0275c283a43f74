import type { IncomingMessage } from 'node:http';
import { OutboundError } from './outbound-http';
import { type Chunks, decompress } from './decompress';

/** More output than this many times the input is taken for an attack, once there is more than a little of it. */
const MAX_RATIO = 100;
const RATIO_FLOOR_BYTES = 1024 * 1024;

interface Counter {
  bytes: number;
}

/** Bytes of a body that are read without asking for room. */
const FREE_BYTES = 256 * 1024;

/** Waits for room for a body of so many bytes. */
type MakeRoom = (bytes: number) => Promise<void>;

/**
 * Asks for room as a body grows: for the size that its sender states, else for twice of what has arrived.
 * @returns for the bytes that have arrived, what to wait for before more is read
 */
function growing(
  stated: number,
  maxBytes: number,
  makeRoom: MakeRoom | undefined,
): (bytes: number) => Promise<void> | undefined {
  let room = FREE_BYTES;
  return (bytes) => {
    if (makeRoom === undefined || bytes <= room) return undefined;
    room = Math.min(maxBytes, stated >= bytes ? stated : 2 * bytes);
    return makeRoom(room);
  };
}

/**
 * Reads and decompresses a response body.
 * @param makeRoom called before a larger one is read further
 * @throws OutboundError TOO_LARGE beyond `maxBytes` after decompression, or beyond 100 times what was received. The
 * connection is closed then.
 */
export async function readBody(response: IncomingMessage, maxBytes: number, makeRoom?: MakeRoom): Promise<Uint8Array> {
  const coding = response.headers['content-encoding'] ?? '';
  const stated = Number(response.headers['content-length'] ?? 0);
  if (coding === '' || coding === 'identity') return readPlain(response, maxBytes, growing(stated, maxBytes, makeRoom));
  const roomFor = growing(0, maxBytes, makeRoom);
  const received: Counter = { bytes: 0 };
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of decompress(counted(response, received), coding)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (bytes > RATIO_FLOOR_BYTES && bytes > received.bytes * MAX_RATIO) {
      throw new OutboundError('TOO_LARGE', `The response expands to more than ${MAX_RATIO} times its compressed size.`);
    }
    chunks.push(chunk);
    await roomFor(bytes);
  }
  return Buffer.concat(chunks, bytes);
}

/** Most bodies: by events, which take a tenth of what an iterator over a stream does. */
function readPlain(
  response: IncomingMessage,
  maxBytes: number,
  roomFor: (bytes: number) => Promise<void> | undefined,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    // Nothing more comes of one that was ended before: no event says so any more.
    if (response.destroyed) reject(closedEarly());
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) return void response.destroy(tooLarge(maxBytes));
      chunks.push(chunk);
      const room = roomFor(bytes);
      if (room === undefined) return;
      response.pause();
      room.then(
        () => response.resume(),
        (error: Error) => response.destroy(error),
      );
    });
    response.once('end', () => resolve(Buffer.concat(chunks, bytes)));
    response.once('error', reject);
    response.once('close', () => {
      if (!response.readableEnded) reject(closedEarly());
    });
  });
}

/** As an iterator over a stream says it. */
const closedEarly = (): Error =>
  Object.assign(new Error('The stream was closed early.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('TOO_LARGE', `The response has more than ${maxBytes} bytes.`);
}

async function* counted(response: IncomingMessage, counter: Counter): Chunks {
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    counter.bytes += chunk.length;
    yield chunk;
  }
}
