import { setTimeout as sleep } from 'node:timers/promises';
import { ChunkNotFound, ExecutionNotFound } from '../state/errors';
import { positionOf, type FollowedExecution, type ReadFollowed } from './followed-execution';
import type { Followers } from './followers';
import { readEvents, type EventPage, type LogEvent, type ReadManifests } from './read-events';

/** Why a stream ends. */
export type StreamEnd = 'complete' | 'deleted' | 'time-limit';

/** One frame of a stream. */
export type Frame =
  | { readonly kind: 'event'; readonly event: LogEvent; readonly execution: FollowedExecution }
  | { readonly kind: 'progress'; readonly execution: FollowedExecution }
  | { readonly kind: 'first-sequence'; readonly sequence: number }
  | { readonly kind: 'end'; readonly why: StreamEnd };

/** A reader of the events of an execution. */
export interface FollowOptions {
  readonly executionId: string;
  /** The last number that the reader has. */
  readonly after: number;
  /** Milliseconds from now until the stream ends, or the response is given without events. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Empty: a service. */
  readonly userId: string;
}

/** Ports of following executions. */
export interface FollowPorts {
  /** Reads what the caller may see now; called again for each frame. @throws Forbidden, Unavailable */
  readonly read: ReadFollowed;
  readonly readManifests: ReadManifests;
  readonly followers: Pick<Followers, 'follow' | 'isStopping'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Events that are read at once for a stream. */
const STREAM_PAGE = 500;

/** Shortest time between two reads of a stream that waits: changes that follow each other closely are read together. */
const MIN_READ_MS = 20;

/**
 * Reads a page of events; undefined if there is no execution.
 * @throws Unavailable, Forbidden
 */
const readPage = async (
  { read, readManifests }: Pick<FollowPorts, 'read' | 'readManifests'>,
  executionId: string,
  after: number,
  limit: number,
): Promise<EventPage | undefined> => {
  const once = async (): Promise<EventPage | undefined> => {
    const execution = await read(executionId);
    return execution === undefined ? undefined : readEvents(execution, after, limit, readManifests);
  };
  try {
    return await once();
  } catch (error) {
    // Its log was deleted after it was read.
    if (error instanceof ChunkNotFound) return once();
    throw error;
  }
};

/** Equal while the state that progress shows is the same. */
const progressKey = ({ state, crashes, fence, generation, lease, wait, response, startedAt }: FollowedExecution) =>
  [
    state,
    crashes,
    state === 'waiting' ? generation : fence,
    startedAt?.getTime() ?? 0,
    response?.statusCode ?? 0,
    wait?.resumeAt?.getTime() ?? 0,
    wait?.childId ?? '',
    wait?.tokenHash === undefined ? '' : 'call',
    lease?.progressAt ?? 0,
  ].join(' ');

/**
 * Streams the events of an execution and its state. The place is taken before the first read, so that no change is
 * lost.
 * @throws ExecutionNotFound, TooManyWaiting, Forbidden, Unavailable
 */
export async function* streamEvents(
  { executionId, after, limitMs, signal, userId }: FollowOptions,
  ports: FollowPorts,
): AsyncGenerator<Frame> {
  const { followers, clock } = ports;
  const endsAt = clock() + limitMs;
  const follower = followers.follow(executionId, userId);
  try {
    let last = after;
    let shown: string | undefined;
    let toldFirst = 0;
    for (;;) {
      const version = follower.version();
      const readAt = clock();
      const page = await readPage(ports, executionId, last, STREAM_PAGE);
      if (page === undefined) {
        if (shown === undefined) throw new ExecutionNotFound(executionId);
        yield { kind: 'end', why: 'deleted' };
        return;
      }
      const { execution, events, isComplete, firstSequence } = page;
      follower.saw(positionOf(execution));
      const key = progressKey(execution);
      if (key !== shown) yield { kind: 'progress', execution };
      shown = key;
      for (const event of events) {
        if (event.kind !== 'accepted' && firstSequence !== undefined && firstSequence > toldFirst) {
          toldFirst = firstSequence;
          yield { kind: 'first-sequence', sequence: firstSequence };
        }
        yield { kind: 'event', event, execution };
        last = event.sequence;
      }
      if (isComplete) {
        yield { kind: 'end', why: 'complete' };
        return;
      }
      if (signal.aborted) return;
      const leftMs = endsAt - clock();
      if (leftMs <= 0 || followers.isStopping()) {
        yield { kind: 'end', why: 'time-limit' };
        return;
      }
      if (events.length >= STREAM_PAGE) continue;
      await follower.changed(version, leftMs, signal);
      const sinceMs = clock() - readAt;
      if (sinceMs < MIN_READ_MS) await sleep(MIN_READ_MS - sinceMs);
    }
  } finally {
    follower.leave();
  }
}

/**
 * Reads one page of events; without events, waits until something changes or the time is over.
 * @throws ExecutionNotFound, TooManyWaiting, Forbidden, Unavailable
 */
export const listEvents = async (
  { executionId, after, limitMs, signal, userId }: FollowOptions,
  limit: number,
  ports: FollowPorts,
): Promise<EventPage> => {
  const read = async (): Promise<EventPage> => {
    const page = await readPage(ports, executionId, after, limit);
    if (page === undefined) throw new ExecutionNotFound(executionId);
    return page;
  };
  if (limitMs <= 0) return read();
  const { followers, clock } = ports;
  const endsAt = clock() + limitMs;
  const follower = followers.follow(executionId, userId);
  try {
    let shown: string | undefined;
    for (;;) {
      const version = follower.version();
      const page = await read();
      follower.saw(positionOf(page.execution));
      const key = progressKey(page.execution);
      if (page.events.length > 0 || page.isComplete || (shown !== undefined && shown !== key)) return page;
      shown = key;
      const leftMs = endsAt - clock();
      if (leftMs <= 0 || followers.isStopping() || signal.aborted) return page;
      await follower.changed(version, leftMs, signal);
    }
  } finally {
    follower.leave();
  }
};
