import { ServiceError } from '@weft/service-kit/errors';
import type { WriteOutcome } from '../claimed-execution';
import type { ExecutionStore } from './execution-store';

/** The executions service as used by an inline run, which began before it was stored. */
export interface InlineStore {
  readonly store: ExecutionStore;
  /** Whether the execution is known to be durable: then any replica can write it. */
  readonly isStored: () => boolean;
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof ServiceError && (error.kind === 'unavailable' || error.kind === 'timeout');

/**
 * Writes a run at the replica that holds it in memory, until a write was stored. If that replica cannot be reached, it
 * may have stopped and lost its runs; another replica then knows whether the execution exists.
 * @param wasStored it was stored with its claim
 */
export const createInlineStore = (replica: ExecutionStore, service: ExecutionStore, wasStored = false): InlineStore => {
  let isStored = wasStored;
  const write = async (send: (store: ExecutionStore) => Promise<WriteOutcome>): Promise<WriteOutcome> => {
    const sent = async (store: ExecutionStore): Promise<WriteOutcome> => {
      const outcome = await send(store);
      if (outcome !== 'fenced') isStored = true;
      return outcome;
    };
    if (isStored) return send(service);
    try {
      return await sent(replica);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      return sent(service);
    }
  };
  return {
    isStored: () => isStored,
    store: {
      ...service,
      persist: (claim) => write((store) => store.persist(claim)),
      checkpoint: (progress) => write((store) => store.checkpoint(progress)),
      report: (end) => write((store) => store.report(end)),
      release: (release) => write((store) => store.release(release)),
      pause: (pause) => write((store) => store.pause(pause)),
      respond: (claim, answer, tokenHash) => write((store) => store.respond(claim, answer, tokenHash)),
    },
  };
};
