import type { EventsClient } from '../../../clients/events';
import { partsOf } from './message-parts';
import { createSessionIds, type SessionIds } from './session-ids';

/** Sessions of clients that use the older transport. */
export interface Sessions {
  readonly ids: SessionIds;
  /** Delivers messages for a session whose stream is at this gateway. @returns ends it */
  readonly hold: (id: string, deliver: (text: string) => Promise<void>) => () => void;
  /** Delivers a message to the stream of a session, at whichever gateway it is. @throws ServiceError */
  readonly deliver: (id: string, text: string) => Promise<void>;
}

/** Creates the sessions of one gateway. @param secretOf a secret that all replicas have */
export const createSessions = (calls: Pick<EventsClient['calls'], 'sendDeltas'>, secretOf: () => string): Sessions => {
  const held = new Map<string, (text: string) => Promise<void>>();
  return {
    ids: createSessionIds(secretOf),
    hold: (id, deliver) => {
      held.set(id, deliver);
      return () => void held.delete(id);
    },
    deliver: async (id, text) => {
      const here = held.get(id);
      if (here !== undefined) return here(text);
      // One after the other: a reader that is behind loses parts.
      for (const part of partsOf(text)) await calls.sendDeltas({ executionId: id, deltas: [part] });
    },
  };
};
