import type { ExecutionEvent } from './api/types.gen.js';
import { readFrames } from './event-stream.js';
import { mayRepeat, pause, PAUSE_MS } from './repeat.js';
import { apiErrorOf, errorOf, unanswered, WeftError } from './weft-error.js';

/** How to follow an execution. */
export interface EventOptions {
  /** The last sequence number that the caller has. Default: 0, which returns all events. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** Opens a stream of the events of an execution after a sequence number. */
export type Connect = (id: string, after: number, signal: AbortSignal) => Promise<Response>;

/** The server sends a comment every 15 s: a connection that is silent for longer is dead. */
const MAX_SILENCE_MS = 40_000;

/** Settings of one connection. */
interface Connection {
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Called for each piece that arrives. */
  readonly onPiece: () => void;
  /** False for an event that an earlier connection delivered. */
  readonly isNew: (event: ExecutionEvent) => boolean;
}

/** The events of one connection, which is closed when the caller stops. @returns true if no event will follow */
const followOnce = async function* ({
  open,
  signal,
  timeoutMs,
  onPiece,
  isNew,
}: Connection): AsyncGenerator<ExecutionEvent, boolean> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), timeoutMs);
  const postpone = (): void => {
    onPiece();
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
  };
  try {
    const response = await open(signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]));
    if (!response.ok) throw await errorOf(response);
    if (response.status === 204 || response.body === null) return true;
    for await (const { type, data } of readFrames(response.body, postpone)) {
      const value: ExecutionEvent & { reason?: string } = JSON.parse(data);
      if (type === 'end' && value.reason === 'error') throw apiErrorOf(value, 503);
      if (type === 'end') return value.reason !== 'time-limit';
      if (type !== 'progress' && type !== 'restarted' && isNew(value)) yield value;
    }
    return false;
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Creates the function that follows an execution: it opens another connection after the last event as long as each
 * delivers something.
 */
export const createFollow = (
  connect: Connect,
  { retries, timeoutMs }: { readonly retries: number; readonly timeoutMs: number },
) =>
  async function* follow(
    id: string,
    { after: first = 0, signal }: EventOptions = {},
  ): AsyncGenerator<ExecutionEvent, void> {
    let after = first;
    let failed = 0;
    const open: Connection['open'] = (either) => connect(id, after, either);
    const onPiece = (): void => void (failed = 0);
    const isNew = ({ sequence }: ExecutionEvent): boolean => {
      if (sequence <= after) return false;
      after = sequence;
      return true;
    };
    for (;;) {
      let failure: WeftError | undefined;
      try {
        const isOver = yield* followOnce({ open, signal, timeoutMs, onPiece, isNew });
        if (isOver) return;
      } catch (error) {
        failure = error instanceof WeftError ? error : unanswered(error);
        if (signal?.aborted === true || !mayRepeat(failure) || failed >= retries) throw failure;
        failed += 1;
      }
      await pause(failure?.retryAfterMs ?? PAUSE_MS * 2 ** failed, signal);
    }
  };
