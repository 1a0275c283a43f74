import type { ServerResponse } from 'node:http';
import { untilDrained } from './until-drained';

/** One event of a stream of Server-Sent Events. */
export interface StreamEvent {
  /** Only events that a client may continue after have an id. */
  readonly id?: number;
  readonly type: string;
  /** One line of JSON. */
  readonly data: string;
}

/** Interval between comments while nothing else is sent: proxies close connections that seem idle. */
const COMMENT_MS = 15_000;

/** Milliseconds after which clients reconnect. */
const RETRY_MS = 1_000;

/** Headers of a stream of Server-Sent Events. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies must not change, compress or collect it.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

const textOf = ({ id, type, data }: StreamEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${data}\n\n`;

/** Writes events as fast as the client reads them, without reading ahead. */
export const writeEventStream = async (
  response: ServerResponse,
  events: AsyncIterable<StreamEvent>,
  commentMs = COMMENT_MS,
): Promise<void> => {
  response.writeHead(200, EVENT_STREAM_HEADERS);
  response.write(`retry: ${RETRY_MS}\n\n`);
  const comments = setInterval(() => {
    if (!response.writableNeedDrain) response.write(':\n\n');
  }, commentMs);
  response.once('close', () => clearInterval(comments));
  try {
    for await (const event of events) {
      if (response.destroyed) return;
      comments.refresh();
      if (!response.write(textOf(event))) await untilDrained(response);
    }
    response.end();
  } finally {
    clearInterval(comments);
  }
};
