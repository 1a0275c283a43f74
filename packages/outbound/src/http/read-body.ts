import type { IncomingMessage } from 'node:http';
import { type BodyRoom, type GrowingRoom, growingRoom } from './body-room';
import { OutboundError } from './outbound-http';
import { type Chunks, decompress } from './decompress';

/** Beyond a small size, output of more than this many times the input is treated as an attack. */
const MAX_RATIO = 100;
const RATIO_FLOOR_BYTES = 1024 * 1024;

interface Counter {
  bytes: number;
}

/**
 * Reads and decompresses a response body.
 * @param bodyRoom asked before a larger one is read further
 * @throws OutboundError TOO_LARGE beyond `maxBytes` after decompression, or beyond 100 times what was received. The
 * connection is closed then.
 */
export async function readBody(response: IncomingMessage, maxBytes: number, bodyRoom?: BodyRoom): Promise<Uint8Array> {
  const coding = response.headers['content-encoding'] ?? '';
  const isPlain = coding === '' || coding === 'identity';
  const stated = isPlain ? Number(response.headers['content-length'] ?? 0) : 0;
  const room = growingRoom(stated, maxBytes, bodyRoom);
  try {
    const chunks = await (isPlain
      ? readPlain(response, maxBytes, room)
      : readCompressed(response, coding, maxBytes, room));
    await room.complete();
    return Buffer.concat(chunks);
  } finally {
    room.end();
  }
}

async function readCompressed(
  response: IncomingMessage,
  coding: string,
  maxBytes: number,
  room: GrowingRoom,
): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of limitedChunks(response, coding, maxBytes)) {
    bytes += chunk.length;
    chunks.push(chunk);
    await room.arrived(bytes);
  }
  return chunks;
}

/**
 * The decompressed chunks of a body, each when it is asked for.
 * @throws OutboundError TOO_LARGE, as `readBody`
 */
export async function* limitedChunks(response: IncomingMessage, coding: string, maxBytes: number): Chunks {
  const received: Counter = { bytes: 0 };
  let bytes = 0;
  for await (const chunk of decompress(counted(response, received), coding)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (bytes > RATIO_FLOOR_BYTES && bytes > received.bytes * MAX_RATIO) {
      throw new OutboundError('TOO_LARGE', `The response expands to more than ${MAX_RATIO} times its compressed size.`);
    }
    yield chunk;
  }
}

/** Most bodies are read by events, which cost a tenth of an async iterator. */
function readPlain(response: IncomingMessage, maxBytes: number, room: GrowingRoom): Promise<readonly Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    // A stream that has already ended emits nothing more.
    if (response.destroyed) reject(closedEarly());
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) return void response.destroy(tooLarge(maxBytes));
      chunks.push(chunk);
      const waiting = room.arrived(bytes);
      if (waiting === undefined) return;
      response.pause();
      waiting.then(
        () => response.resume(),
        (error: Error) => response.destroy(error),
      );
    });
    response.once('end', () => resolve(chunks));
    response.once('error', reject);
    response.once('close', () => {
      if (!response.readableEnded) reject(closedEarly());
    });
  });
}

/** The message of a stream iterator. */
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
