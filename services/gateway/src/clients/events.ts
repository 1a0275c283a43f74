import { EventServiceService } from '@weft/proto/events';
import { ServiceError } from '@weft/service-kit/errors';
import { type Calls, createCaller } from '@weft/service-kit/grpc';
import type { Peer } from './callers';

/** Client of EventService of the executions service. */
export interface EventsClient {
  readonly calls: Calls<typeof EventServiceService>;
  /**
   * Takes one of the places that a user has for event streams at this gateway. @returns a function that releases it
   * @throws TOO_MANY_WAITING
   */
  readonly reserve: (userId: string) => () => void;
  readonly close: () => void;
}

/** Maximum number of event streams of one user at one gateway. */
export const MAX_STREAMS_OF_USER = 20;

/** Connects to EventService of the executions service. */
export const createEventsClient = (peer: Peer): EventsClient => {
  const { calls, close } = createCaller(EventServiceService, {
    service: 'executions',
    ...peer,
    retried: ['listEvents'],
  });
  const users = new Map<string, number>();
  return {
    calls,
    close,
    reserve: (userId) => {
      const taken = users.get(userId) ?? 0;
      if (taken >= MAX_STREAMS_OF_USER)
        throw new ServiceError({
          reason: 'TOO_MANY_WAITING',
          kind: 'limited',
          message: `A user can have ${MAX_STREAMS_OF_USER} event streams here. Close those that are not needed.`,
          retryAfterSeconds: 5,
        });
      users.set(userId, taken + 1);
      return () => {
        const left = (users.get(userId) ?? 1) - 1;
        if (left === 0) users.delete(userId);
        else users.set(userId, left);
      };
    },
  };
};
