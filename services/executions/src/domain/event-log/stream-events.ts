import { setTimeout as sleep } from 'node:timers/promises';
import type { Delta } from '@weft/proto/events';
import { ChunkNotFound, ExecutionNotFound } from '../state/errors';
import type { DeltaReader, DeltaReaders } from './delta-readers';
import { positionOf, type FollowedExecution, type ReadFollowed } from './followed-execution';
import type { Follower, Followers } from './followers';
import { readEvents, type EventPage, type LogEvent, type ReadManifests } from './read-events';

/** Why a stream ends. */
export type StreamEnd = 'complete' | 'deleted' | 'time-limit';

/** One frame of a stream. */
export type Frame =
  | { readonly kind: 'event'; readonly event: LogEvent; readonly execution: FollowedExecution }
  | { readonly kind: 'progress'; readonly execution: FollowedExecution }
  | { readonly kind: 'first-sequence'; readonly sequence: number }
  | { readonly kind: 'delta'; readonly delta: Delta }
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
  readonly deltas: Pick<DeltaReaders, 'open'>;
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

/** Texts as they arrive, until the execution changes, the time is over or the signal fires. */
async function* deltasUntilChange(
  reader: DeltaReader,
  follower: Pick<Follower, 'changed' | 'version'>,
  version: number,
  { limitMs, signal, clock }: Pick<FollowOptions, 'limitMs' | 'signal'> & Pick<FollowPorts, 'clock'>,
): AsyncGenerator<Delta> {
  const endsAt = clock() + limitMs;
  for (;;) {
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    signal.addEventListener('abort', wake);
    reader.onDelta(wake);
    if (!signal.aborted) await follower.changed(version, Math.max(0, endsAt - clock()), woken.signal);
    reader.onDelta(undefined);
    signal.removeEventListener('abort', wake);
    yield* reader.take();
    if (signal.aborted || follower.version() !== version || clock() >= endsAt || !woken.signal.aborted) return;
  }
}

/**
 * Streams the text that an execution writes, also one that is not stored yet. The first frame is undefined: those who
 * write are told from then on.
 * @throws TooManyWaiting
 */
export async function* streamDeltas(
  { executionId, limitMs, signal, userId }: Omit<FollowOptions, 'after'>,
  { followers, deltas, clock }: Pick<FollowPorts, 'followers' | 'deltas' | 'clock'>,
): AsyncGenerator<Delta | undefined> {
  const endsAt = clock() + limitMs;
  const reader = deltas.open(executionId);
  try {
    const follower = followers.follow(executionId, userId);
    try {
      yield undefined;
      while (!signal.aborted && !followers.isStopping() && clock() < endsAt)
        yield* deltasUntilChange(reader, follower, follower.version(), { limitMs: endsAt - clock(), signal, clock });
    } finally {
      follower.leave();
    }
  } finally {
    reader.close();
  }
}

/**
 * Streams the events of an execution and its state. The place is taken before the first read, so that no change is
 * lost.
 * @throws ExecutionNotFound, TooManyWaiting, Forbidden, Unavailable
 */
export async function* streamEvents(
  { executionId, after, limitMs, signal, userId }: FollowOptions,
  ports: FollowPorts,
): AsyncGenerator<Frame> {
  const { followers, deltas, clock } = ports;
  const endsAt = clock() + limitMs;
  const follower = followers.follow(executionId, userId);
  const reader = deltas.open(executionId);
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
      // The text of a node comes before its end.
      for (const delta of reader.take()) yield { kind: 'delta', delta };
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
      for await (const delta of deltasUntilChange(reader, follower, version, { limitMs: leftMs, signal, clock }))
        yield { kind: 'delta', delta };
      const sinceMs = clock() - readAt;
      if (sinceMs < MIN_READ_MS) await sleep(MIN_READ_MS - sinceMs);
    }
  } finally {
    reader.close();
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
  ports: Omit<FollowPorts, 'deltas'>,
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
