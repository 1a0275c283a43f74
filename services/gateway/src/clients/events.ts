import { EventServiceService } from '@weft/proto/events';
import { ServiceError } from '@weft/service-kit/errors';
import { type Calls, createCaller } from '@weft/service-kit/grpc';
import { createShares } from '@weft/service-kit/in-flight';
import type { Peer } from './callers';

/** Client of EventService of the executions service. */
export interface EventsClient {
  readonly calls: Calls<typeof EventServiceService>;
  /**
   * Takes one of the places that a user has for event streams at this gateway. @returns a function that releases it
   * @throws TOO_MANY_WAITING
   */
  readonly reserve: (userId: string) => () => void;
  /**
   * Takes one of the places for streamed responses at this gateway. @returns a function that releases it
   * @throws TOO_MANY_WAITING
   */
  readonly reserveAnswer: (ownerId: string) => () => void;
  readonly close: () => void;
}

/** Maximum number of event streams of one user at one gateway. */
const MAX_STREAMS_OF_USER = 20;

/** Maximum number of streamed responses at one gateway, and of the workflows of one owner. */
const MAX_ANSWERS = 1_000;
const MAX_ANSWERS_OF_OWNER = 200;

/** Connects to EventService of the executions service. */
export const createEventsClient = (peer: Peer): EventsClient => {
  const { calls, close } = createCaller(EventServiceService, {
    service: 'executions',
    ...peer,
    retried: ['listEvents'],
  });
  const places = createShares(Number.POSITIVE_INFINITY, MAX_STREAMS_OF_USER);
  const answers = createShares(MAX_ANSWERS, MAX_ANSWERS_OF_OWNER);
  return {
    calls,
    close,
    reserveAnswer: (ownerId) => {
      if (!answers.take(ownerId, 1))
        throw new ServiceError({
          reason: 'TOO_MANY_WAITING',
          kind: 'limited',
          message: 'Too many streamed responses are open. Try again later.',
          retryAfterSeconds: 5,
        });
      return () => answers.give(ownerId, 1);
    },
    reserve: (userId) => {
      if (!places.take(userId, 1))
        throw new ServiceError({
          reason: 'TOO_MANY_WAITING',
          kind: 'limited',
          message: `A user can have ${MAX_STREAMS_OF_USER} event streams here. Close those that are not needed.`,
          retryAfterSeconds: 5,
        });
      return () => places.give(userId, 1);
    },
  };
};
