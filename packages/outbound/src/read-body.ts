import type { IncomingMessage } from 'node:http';
import { OutboundError } from './outbound-http';
import { type Chunks, decompress } from './decompress';

/** More output than this many times the input is taken for an attack, once there is more than a little of it. */
const MAX_RATIO = 100;
const RATIO_FLOOR_BYTES = 1024 * 1024;

interface Counter {
  bytes: number;
}

/**
 * Reads and decompresses a response body.
 * @throws OutboundError TOO_LARGE beyond `maxBytes` after decompression, or beyond 100 times what was received. The
 * connection is closed then.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const received: Counter = { bytes: 0 };
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of decompress(counted(response, received), response.headers['content-encoding'] ?? '')) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (bytes > RATIO_FLOOR_BYTES && bytes > received.bytes * MAX_RATIO) {
      throw new OutboundError('TOO_LARGE', `The response expands to more than ${MAX_RATIO} times its compressed size.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

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
