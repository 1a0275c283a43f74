import type { EventServiceService } from '@weft/proto/events';
import { remainingMs } from '@weft/service-kit/context';
import { InvalidRequest, Unavailable } from '@weft/service-kit/errors';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import { scopedTo } from '@weft/service-kit/visibility';
import type { UseCases, Within } from '../../compose';
import { listEvents, streamDeltas, streamEvents, type FollowPorts } from '../../domain/event-log/stream-events';
import { toEventMessage, toFrameMessage, toProgressMessage } from '../messages/event-messages';
import { delayMsOf } from '../starts/wait-options';

/** Use cases that the handlers of events need. */
export type EventUseCases = Within & Pick<UseCases, 'deltas' | 'followers' | 'readManifests' | 'sendDeltas'>;

const DEFAULT_LIMIT = 200;
const MAX_LIMIT = 1_000;

/** A stream ends before the servers close its connection, and before the deadline of the call. */
const STREAM_MS = 50_000;
const STREAM_MARGIN_MS = 1_000;

/** Each read has the rights that the caller has at that moment: a project may be closed while it is followed. */
const portsOf = (useCases: EventUseCases, context: Pick<CallContext, 'principal'>): FollowPorts => ({
  read: async (executionId) => {
    const { reads } = await scopedTo(useCases, context);
    return isUuid(executionId) ? reads.readFollowed(executionId) : undefined;
  },
  readManifests: useCases.readManifests,
  followers: useCases.followers,
  deltas: useCases.deltas,
  clock: () => performance.now(),
});

const limitOf = (limit: number): number => {
  if (limit > MAX_LIMIT)
    throw new InvalidRequest('The page is too large.', [{ field: 'limit', message: `must be at most ${MAX_LIMIT}` }]);
  return limit === 0 ? DEFAULT_LIMIT : limit;
};

const streamMs = (): number =>
  Math.max(0, Math.min(STREAM_MS, remainingMs(STREAM_MS + STREAM_MARGIN_MS) - STREAM_MARGIN_MS));

const MAX_SENT = 16;
const MAX_SENT_CHARACTERS = 20_000;

/** @throws InvalidRequest */
const checkStreamed = (id: string): void => {
  if (!isUuid(id))
    throw new InvalidRequest('The execution is not valid.', [{ field: 'executionId', message: 'must be a UUID' }]);
};

/** The handlers of EventService. */
export const eventHandlers = (useCases: EventUseCases): Handlers<typeof EventServiceService> => ({
  listEvents: async ({ executionId, afterSequence, limit, waitMs }, context) => {
    const { execution, events, isComplete, firstSequence } = await listEvents(
      {
        executionId,
        after: afterSequence,
        limitMs: delayMsOf(waitMs),
        signal: context.signal,
        userId: context.principal?.userId ?? '',
      },
      limitOf(limit),
      portsOf(useCases, context),
    );
    return {
      events: events.map((event) => toEventMessage(event, execution)),
      progress: toProgressMessage(execution),
      complete: isComplete,
      ...(firstSequence === undefined ? {} : { firstSequence }),
    };
  },
  streamEvents: async function* ({ executionId, afterSequence }, context) {
    const frames = streamEvents(
      {
        executionId,
        after: afterSequence,
        limitMs: streamMs(),
        signal: context.signal,
        userId: context.principal?.userId ?? '',
      },
      portsOf(useCases, context),
    );
    for await (const frame of frames) yield toFrameMessage(frame);
  },
  streamDeltas: async function* ({ executionId }, context) {
    checkStreamed(executionId);
    const { signal } = context;
    const options = { executionId, limitMs: streamMs(), signal, userId: '' };
    for await (const delta of streamDeltas(options, portsOf(useCases, context)))
      yield delta === undefined ? {} : { delta };
  },
  sendDeltas: async ({ executionId, deltas }) => {
    checkStreamed(executionId);
    if (deltas.length > MAX_SENT || deltas.some(({ text }) => text.length > MAX_SENT_CHARACTERS)) {
      const message = `must be at most ${MAX_SENT}, with at most ${MAX_SENT_CHARACTERS} characters each`;
      throw new InvalidRequest('The text is too long.', [{ field: 'deltas', message }]);
    }
    if (!useCases.sendDeltas(executionId, deltas)) throw new Unavailable('The broker is unavailable. Try again.');
    return {};
  },
});
