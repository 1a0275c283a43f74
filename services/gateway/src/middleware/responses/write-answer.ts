import type { Principal } from '@weft/service-kit/auth';
import type { ServerResponse } from 'node:http';
import { taggedBy } from '../../http/entity-tags';
import type { StreamEvent } from '../../http/event-stream';
import { untilDrained } from '../../http/until-drained';

/** The response of a handler: complete JSON text, or a stream of its parts. */
export type Answer = TextAnswer | StreamAnswer;

interface AnswerHead {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

/** A response with complete text, as a string or in UTF-8. */
export interface TextAnswer extends AnswerHead {
  readonly json: string | Buffer;
}

/**
 * A response that is written while it is being read elsewhere. The first part must only arrive when no ordinary failure
 * is expected any more.
 */
export interface StreamAnswer extends AnswerHead {
  readonly parts: AsyncIterable<string | Uint8Array>;
}

/** The connection of an open stream of events. */
export interface StreamConnection {
  /** Verifies the caller again. @throws Unauthorized */
  readonly verify: () => Promise<Principal>;
  /** Fires when the connection is closed. */
  readonly signal: AbortSignal;
  /** Fires when the process stops: the stream ends. */
  readonly stopping: AbortSignal;
}

/** Server-Sent Events. They have no time limit. */
export interface EventStreamAnswer extends AnswerHead {
  /** Opens the stream. Undefined: there will be no events, which is 204. @throws before the response has begun */
  readonly open: (connection: StreamConnection) => Promise<AsyncIterable<StreamEvent> | undefined>;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The response `{"data": ...}` around JSON text. */
export const dataAnswer = (json: string, head: AnswerHead = { status: 200 }): TextAnswer => ({
  ...head,
  json: `{"data":${json}}`,
});

/** The same with the entity tag of an object; without one if the service, of an earlier release, sent none. */
export const taggedAnswer = (json: string, etag: string | undefined): TextAnswer =>
  dataAnswer(json, { status: 200, headers: taggedBy(etag) });

/** The response to a client that already has the current state: no body. */
export const NOT_MODIFIED: TextAnswer = { status: 304, json: '' };

/** The response to a client that wants no body (RFC 7240). */
export const minimalAnswer = (headers: Readonly<Record<string, string>>): TextAnswer => ({
  status: 204,
  headers: { ...headers, 'preference-applied': 'return=minimal' },
  json: '',
});

/** The response of every DELETE. */
export const DELETED: TextAnswer = dataAnswer('{"success":true}');

/** Writes parts as fast as the client reads them, without reading ahead. */
const writeParts = async (response: ServerResponse, { status, headers = {}, parts }: StreamAnswer): Promise<void> => {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      if (response.writableEnded || response.destroyed) return;
      if (!response.headersSent) response.writeHead(status, { 'content-type': JSON_TYPE, ...headers });
      if (!response.write(next.value)) await untilDrained(response);
    }
    response.end();
  } finally {
    await iterator.return?.();
  }
};

/** Writes a response, unless the request was answered meanwhile (by its time limit). */
export const writeAnswer = async (response: ServerResponse, answer: Answer): Promise<void> => {
  if (response.headersSent || response.destroyed) return;
  if ('parts' in answer) return writeParts(response, answer);
  if (answer.status === 304 || answer.status === 204) {
    response.writeHead(answer.status, answer.headers).end();
    return;
  }
  const body = typeof answer.json === 'string' ? Buffer.from(answer.json) : answer.json;
  response
    .writeHead(answer.status, { 'content-type': JSON_TYPE, 'content-length': body.length, ...answer.headers })
    .end(body);
};
