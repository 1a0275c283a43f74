import type { Client } from '@grpc/grpc-js';
import { CallStreamServiceService } from '@weft/proto/calls';
import { openCallStream, type CallStream } from './call-stream';

/** The streams of one client. */
export interface CallStreams {
  /** A stream with room for a request of so many bytes; undefined: the call is made by itself. */
  readonly take: (bytes: number) => CallStream | undefined;
  /** Ends them when their calls are answered. */
  readonly close: () => void;
}

/** Parts of the streams of a client. */
export interface CallStreamsOptions {
  readonly client: Client;
  /** Signs a token for opening a stream. @param path of its method */
  readonly sign: (path: string) => string;
  /** Number of streams: they spread over the replicas of the service. */
  readonly count: number;
}

/**
 * Milliseconds after which a stream is followed by another, and those after which it takes no calls. A server closes
 * connections after 25 s, and its streams a minute later: calls have time enough until then, and new replicas are soon
 * used. So an unused stream is closed, too.
 */
const FOLLOWED_MS = 10_000;
const LASTS_MS = 15_000;

/** Milliseconds until a stream is tried again where it could not be opened. */
const NOT_OPENED_MS = 1_000;

/**
 * Calls without an answer up to which a stream is used before any other: what comes together at a replica shares
 * frames, writes and claims, and costs less than divided among several. Beyond that the replica is what they wait for.
 */
const GATHERED = 64;

const { path } = CallStreamServiceService.carryCalls;

/** Orders streams: those with few calls are the same, and those whose peer may stand still come last. */
const loadOf = (stream: Pick<CallStream, 'underWay' | 'isQuiet'>): number => {
  if (stream.isQuiet()) return Number.POSITIVE_INFINITY;
  return stream.underWay() < GATHERED ? 0 : stream.underWay();
};

/** The first of the streams with the least load; undefined: there is none. */
export const leastLoaded = <Stream extends Pick<CallStream, 'underWay' | 'isQuiet'>>(
  streams: readonly Stream[],
): Stream | undefined => {
  let [best] = streams;
  for (const stream of streams) if (best === undefined || loadOf(stream) < loadOf(best)) best = stream;
  return best;
};

/**
 * Keeps streams open to a service while calls are made. Calls of one tick of the event loop go on one stream: the first
 * on which few are under way, else the one with the fewest. Each client has another one first.
 */
export const createCallStreams = ({ client, sign, count }: CallStreamsOptions): CallStreams => {
  /** Those that are used, and those that are being opened, by their places. */
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
      lastsMs: LASTS_MS,
      onFlushed: () => {
        if (ofThisTick === stream) ofThisTick = undefined;
      },
      onEnd: (wasOpen) => {
        if (opening.get(place) === stream) opening.delete(place);
        if (used[place] === stream) used[place] = undefined;
        if (!wasOpen) notBefore = performance.now() + NOT_OPENED_MS;
      },
    });
    opening.set(place, stream);
  };
  /** Opens what is missing or old, and goes over to what has opened meanwhile. */
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
