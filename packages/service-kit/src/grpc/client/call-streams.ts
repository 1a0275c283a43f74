import type { Client } from '@grpc/grpc-js';
import { CallStreamServiceService } from '@weft/proto/calls';
import { openCallStream, type CallStream } from './call-stream';

/** The streams of one client. */
export interface CallStreams {
  /** A stream with room for a request of this size; undefined: make a separate call. */
  readonly take: (bytes: number) => CallStream | undefined;
  /** Ends the streams when their calls are answered. */
  readonly close: () => void;
}

export interface CallStreamsOptions {
  readonly client: Client;
  /** Signs a token for opening a stream. @param path of the method */
  readonly sign: (path: string) => string;
  /** Id of this process, if the service is to notice its end. */
  readonly processId?: string | undefined;
  /** Called when a stream has broken: the service may believe that this process has ended. */
  readonly onBroken?: (() => void) | undefined;
  /** Number of streams, spread over the replicas of the service. */
  readonly count: number;
}

/**
 * Milliseconds after which a stream is replaced, and after which it accepts no calls. A server closes connections after
 * 25 s and their streams a minute later, so calls have enough time, and new replicas are soon used. For the same reason
 * an unused stream is closed.
 */
const FOLLOWED_MS = 10_000;
const LASTS_MS = 15_000;

/** Milliseconds until a stream that could not be opened is retried. */
const NOT_OPENED_MS = 1_000;

/**
 * Number of pending calls up to which one stream is preferred: calls at one replica share frames, writes and claims,
 * which costs less than spreading them. Beyond that the replica becomes the bottleneck.
 */
const GATHERED = 64;

const { path } = CallStreamServiceService.tunnelCalls;

/** Sort key of a stream: all streams with few calls are equal, and those of a possibly stalled peer come last. */
const loadOf = (stream: Pick<CallStream, 'underWay' | 'isQuiet'>): number => {
  if (stream.isQuiet()) return Number.POSITIVE_INFINITY;
  return stream.underWay() < GATHERED ? 0 : stream.underWay();
};

/** The first of the streams with the least load; undefined if there is none. */
export const leastLoaded = <Stream extends Pick<CallStream, 'underWay' | 'isQuiet'>>(
  streams: readonly Stream[],
): Stream | undefined => {
  let [best] = streams;
  for (const stream of streams) if (best === undefined || loadOf(stream) < loadOf(best)) best = stream;
  return best;
};

/**
 * Keeps streams to a service open while calls are made. Calls of one tick of the event loop share a stream: the first
 * with few calls in flight, else the one with the fewest. Each client starts with a different stream.
 */
export const createCallStreams = ({ client, sign, count, processId, onBroken }: CallStreamsOptions): CallStreams => {
  /** Streams in use and streams being opened, by index. */
  const used: (CallStream | undefined)[] = Array.from({ length: count }, () => undefined);
  const opening = new Map<number, CallStream>();
  let notBefore = 0;
  let isClosed = false;
  const first = Math.floor(Math.random() * count);
  let ofThisTick: CallStream | undefined;

  const open = (place: number): void => {
    const stream = openCallStream({
      client,
      token: sign(path),
      processId,
      lastsMs: LASTS_MS,
      onFlushed: () => {
        if (ofThisTick === stream) ofThisTick = undefined;
      },
      onEnd: (wasOpen, isBroken) => {
        if (opening.get(place) === stream) opening.delete(place);
        if (used[place] === stream) used[place] = undefined;
        if (wasOpen && isBroken && !isClosed) onBroken?.();
        if (!wasOpen) notBefore = performance.now() + NOT_OPENED_MS;
      },
    });
    opening.set(place, stream);
  };
  /** Opens missing streams, replaces old ones, and switches to those that have opened meanwhile. */
  const renew = (place: number): void => {
    const next = opening.get(place);
    if (next?.isOpen() === true) {
      used[place]?.finish();
      used[place] = next;
      opening.delete(place);
    } else if (next === undefined && performance.now() >= notBefore) {
      const stream = used[place];
      if (stream === undefined || !stream.isOpen() || stream.ageMs() > FOLLOWED_MS) open(place);
    }
  };
  const isUsable = (stream: CallStream | undefined, bytes: number): stream is CallStream =>
    stream?.isOpen() === true && stream.hasRoom(bytes);

  return {
    take: (bytes) => {
      if (isClosed) return undefined;
      if (isUsable(ofThisTick, bytes)) return ofThisTick;
      for (let place = 0; place < count; place += 1) renew(place);
      const inOrder = [...used.slice(first), ...used.slice(0, first)];
      ofThisTick = leastLoaded(inOrder.filter((stream) => isUsable(stream, bytes)));
      return ofThisTick;
    },
    close: () => {
      isClosed = true;
      for (const stream of [...used, ...opening.values()]) stream?.finish();
    },
  };
};
