import type { IncomingMessage } from 'node:http';
import type { Deadline } from './deadline';
import { describeFailure } from './describe-failure';
import { OutboundError, type OutboundStream, type OutboundStreamRequest } from './outbound-http';
import { limitedChunks } from './read-body';

/** Limits of a body, and the request it belongs to. */
export interface StreamPlan {
  readonly host: string;
  readonly deadline: Deadline;
  readonly maxBytes: number;
  readonly idleMs: number;
  /** Lets the next request to the host begin. */
  readonly leave: () => void;
}

/** Asks for a body without compression, which would hold small chunks until a block is full. */
export function askUncompressed(request: OutboundStreamRequest): OutboundStreamRequest {
  const headers = request.headers ?? [];
  if (headers.some(([name]) => name.toLowerCase() === 'accept-encoding')) return request;
  return { ...request, headers: [...headers, ['accept-encoding', 'identity']] };
}

/** The body of a response as it arrives. It ends the deadline, frees the connection, and calls `leave`, once. */
export function openStream(
  response: IncomingMessage,
  { host, deadline, maxBytes, idleMs, leave }: StreamPlan,
): Pick<OutboundStream, 'chunks' | 'cancel'> {
  let isOver = false;
  let isIterated = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    deadline.signal.removeEventListener('abort', end);
    deadline.end();
    // before its connection ends, which would look like the end of a body without a length
    if (!response.readableEnded) response.destroy();
    leave();
  };
  // an error of a response that is not iterated has no other listener
  response.on('error', () => undefined);
  deadline.signal.addEventListener('abort', end, { once: true });

  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    const idle = idleTimer(idleMs, deadline);
    const chunks = limitedChunks(response, response.headers['content-encoding'] ?? '', maxBytes);
    try {
      idle.start();
      for await (const chunk of chunks) {
        idle.stop();
        yield chunk;
        idle.start();
      }
    } catch (error) {
      throw describeFailure(error, host, deadline);
    } finally {
      idle.end();
      end();
    }
  }

  return {
    cancel: end,
    chunks: {
      [Symbol.asyncIterator]: () => {
        if (isIterated) throw new Error('The body of a response can be iterated only once.');
        isIterated = true;
        return read();
      },
    },
  };
}

/** Fires the deadline if the time between `start` and `stop` is too long. One timer serves all chunks. */
function idleTimer(idleMs: number, deadline: Deadline) {
  let isWaiting = false;
  const timer = setTimeout(() => {
    if (isWaiting)
      deadline.fail(
        new OutboundError('TIMEOUT', `The host sent no part of its response within ${idleMs} ms.`, 'ETIMEDOUT'),
      );
  }, idleMs);
  return {
    start: (): void => {
      isWaiting = true;
      timer.refresh();
    },
    stop: (): void => {
      isWaiting = false;
    },
    end: (): void => clearTimeout(timer),
  };
}
